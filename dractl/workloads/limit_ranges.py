"""LimitRanges: what the API server fills into the containers of new pods, and what it refuses."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.core import Container, Pod, ResourceRequirements
from dractl.api.objects import ObjectSet, Sourced, written
from dractl.api.quantity import Quantity
from dractl.api.quota import LimitRange, LimitRangeItem
from dractl.finding import Finding, Severity
from dractl.phrases import counted

Amounts = Mapping[str, Quantity]


def with_limit_ranges(objects: ObjectSet) -> tuple[ObjectSet, tuple[Finding, ...]]:
    """The objects with the defaults that LimitRanges give to new pods, and what is said of that."""
    ranges: dict[str, list[Sourced[LimitRange]]] = {}
    for each in objects.of(LimitRange):
        ranges.setdefault(each.ref.namespace, []).append(each)
    if not ranges:
        return objects, ()
    findings: list[Finding] = []
    changed: list[Sourced[Any]] = []
    by_ref = {sourced.ref: sourced for sourced in objects}
    filled: dict[str, list[str]] = {}
    for sourced in objects:
        given = sourced
        if isinstance(sourced.object, Pod) and sourced.is_new:
            for limit_range in ranges.get(sourced.ref.namespace, ()):
                pod, names = defaulted(given.object, limit_range.object)
                if names:
                    filled.setdefault(str(limit_range.ref), []).append(str(sourced.ref))
                given = Sourced(pod, sourced.ref, sourced.place, sourced.version, sourced.made_by)
                findings += _refusals(pod, limit_range, written(sourced, by_ref))
        changed.append(given)
    return ObjectSet(changed), (*_fillings(filled, ranges), *findings)


def _fillings(filled: Mapping[str, list[str]], ranges: Mapping[str, list[Sourced[LimitRange]]]) -> Iterator[Finding]:
    for limit_range in (each for found in ranges.values() for each in found):
        pods = filled.get(str(limit_range.ref), [])
        if pods:
            yield Finding(
                "limits/defaulted",
                Severity.INFO,
                f"containers of {counted(len(pods), 'new pod')} get requests or limits that they "
                f"do not name ({pods[0]}{', …' if len(pods) > 1 else ''}), and are planned with them",
                limit_range.place,
                str(limit_range.ref),
            )


# --- defaults --------------------------------------------------------------------------------------------------------


class _Defaults(Struct, frozen=True):
    limits: Amounts
    requests: Amounts


def _defaults_of(item: LimitRangeItem) -> _Defaults:
    """A maximum is a default limit, a default limit or minimum is a default request."""
    limits = {**(item.max or {}), **(item.default or {})}
    return _Defaults(limits, {**(item.min or {}), **limits, **(item.defaultRequest or {})})


def defaulted(pod: Pod, limit_range: LimitRange) -> tuple[Pod, set[str]]:
    """The pod with what its containers lack, and which containers lacked something."""
    names: set[str] = set()
    for item in limit_range.spec.limits or ():
        if item.type != "Container":
            continue
        defaults = _defaults_of(item)

        def fill(containers: list[Container] | None, defaults: _Defaults = defaults) -> list[Container] | None:
            return None if containers is None else [_filled(each, defaults, names) for each in containers]

        spec = pod.spec
        filled = replace(spec, containers=fill(spec.containers), initContainers=fill(spec.initContainers))
        pod = replace(pod, spec=filled)
    return pod, names


def _filled(container: Container, defaults: _Defaults, names: set[str]) -> Container:
    own = container.resources
    limits = {**defaults.limits, **(own.limits or {})}
    requests = {**defaults.requests, **(own.requests or {})}
    if limits == (own.limits or {}) and requests == (own.requests or {}):
        return container
    names.add(container.name)
    return replace(container, resources=replace(own, limits=limits or None, requests=requests or None))


# --- what is refused -------------------------------------------------------------------------------------------------


def _refusals(pod: Pod, limit_range: Sourced[LimitRange], source: Sourced[Any]) -> Iterator[Finding]:
    texts = [text for item in limit_range.object.spec.limits or () for text in _texts(pod, item)]
    if texts:
        yield Finding(
            "limits/refused",
            Severity.ERROR,
            f"the API server refuses the pod by {limit_range.ref}: {', '.join(dict.fromkeys(texts))}. A plan has it "
            "all the same",
            source.place,
            str(source.ref),
            "write requests and limits within the range",
        )


def _texts(pod: Pod, item: LimitRangeItem) -> Iterator[str]:
    """As the API server words them; ranges of whole pods and of volume claims are not looked at."""
    if item.type != "Container":
        return
    for container in (*(pod.spec.initContainers or ()), *(pod.spec.containers or ())):
        yield from _of_container(container.resources, item)


def _of_container(resources: ResourceRequirements, item: LimitRangeItem) -> Iterator[str]:
    requests, limits = resources.requests or {}, resources.limits or {}
    for name, least in sorted((item.min or {}).items()):
        if name in requests and requests[name].nano < least.nano:
            yield f"minimum {name} usage per Container is {least}, but request is {requests[name]}"
    for name, most in sorted((item.max or {}).items()):
        if name in limits and limits[name].nano > most.nano:
            yield f"maximum {name} usage per Container is {most}, but limit is {limits[name]}"
