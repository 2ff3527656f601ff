"""What containers request, and what pods request for all of them (answers in validate-core)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from dractl.api.amounts import at_one_time
from dractl.api.core import PodSpec, ResourceRequirements
from dractl.api.quantity import Quantity
from dractl.near_misses import nearest
from dractl.validation.formats import label_key
from dractl.validation.resource_names import (
    can_be_overcommitted,
    check_amounts,
    check_container_resource,
    is_huge_pages,
    is_standard,
)
from dractl.validation.violation import Violation, ViolationType, below, echoes, invalid

_OF_PODS: Final = ("cpu", "memory")
_FEEDS_PAGES: Final = frozenset(_OF_PODS)


def check_resources(resources: ResourceRequirements) -> Iterator[Violation]:
    """Requests and limits of a container; paths begin at its resources."""
    if not resources.limits and not resources.requests:
        return
    for field, amounts in _maps(resources):
        for name in amounts:
            yield from _told_once(below(check_container_resource(name), field, name), resources, field, name)
        for flaw in check_amounts(amounts):
            yield from _told_once([flaw.below(field)], resources, field, str(flaw.path[0]))
    yield from _check_together(resources)


def _maps(resources: ResourceRequirements) -> Iterator[tuple[str, Mapping[str, Quantity]]]:
    yield "limits", resources.limits or {}
    yield "requests", resources.requests or {}


def _told_once(
    flaws: Iterable[Violation], resources: ResourceRequirements, field: str, name: str
) -> Iterator[Violation]:
    """A limit without a request is a request as well, which nobody has written."""
    limit = (resources.limits or {}).get(name)
    is_copied = field == "requests" and limit is not None and limit == (resources.requests or {}).get(name)
    yield from echoes(flaws) if is_copied else flaws


def _without_limit(name: str, request: Quantity, limits: Mapping[str, Quantity]) -> Violation:
    """The server names the limits; where one has nearly the name, the names differ by mistake."""
    message, close = f"{name} has a request and no limit", nearest(name, limits)
    if not close:
        return Violation(("limits",), ViolationType.REQUIRED, message, f"write the limit: {name}: {request}")
    remedy = f"write one name in both: the limits have {close}"
    return Violation(("limits",), ViolationType.REQUIRED, message, remedy, written_at=("requests", name), at_key=True)


def _check_together(resources: ResourceRequirements) -> Iterator[Violation]:
    limits, requests = resources.limits or {}, resources.requests or {}
    for name, request in requests.items():
        limit = limits.get(name)
        if limit is None:
            if not can_be_overcommitted(name):
                yield _without_limit(name, request, limits)
        elif not can_be_overcommitted(name) and request != limit:
            yield _at_request(name, f"{request} of {name} are requested and {limit} are the limit", "write the same")
        elif request > limit:
            yield _at_request(name, f"the request {request} of {name} is above the limit {limit}", "lower the request")
    names = {*limits, *requests}
    if any(is_huge_pages(name) for name in names) and not names & _FEEDS_PAGES:
        message = "huge pages are requested without cpu or memory"
        yield Violation((), ViolationType.FORBIDDEN, message, "request cpu or memory as well")


def _at_request(name: str, message: str, remedy: str) -> Violation:
    return Violation(("requests",), ViolationType.INVALID, message, remedy, written_at=("requests", name))


# --- pods ------------------------------------------------------------------------------------------------------------


def check_pod_level(spec: PodSpec) -> Iterator[Violation]:
    """Requests and limits of the pod itself, and how its containers keep within; paths begin at the pod's spec."""
    if spec.resources is None:
        return
    yield from below(_check_own(spec.resources), "resources")
    yield from _check_containers(spec, spec.resources)


def _check_own(resources: ResourceRequirements) -> Iterator[Violation]:
    for field, amounts in _maps(resources):
        for name in amounts:
            yield from _told_once(below(_check_name(name), field, name), resources, field, name)
        for flaw in check_amounts(amounts):
            yield from _told_once([flaw.below(field)], resources, field, str(flaw.path[0]))
    yield from _check_together(resources)
    if resources.claims:
        message = "a pod's own resources take no claims"
        remedy = "name the claims in the containers that use them"
        yield Violation(("claims",), ViolationType.FORBIDDEN, message, remedy)


def _check_name(name: str) -> Iterator[Violation]:
    flaws = label_key(name)
    if flaws:
        yield from flaws
    elif "/" not in name and not is_standard(name):
        yield invalid(f'"{name}" is no resource of pods', "write cpu, memory or hugepages-SIZE")
    elif name not in _OF_PODS and not is_huge_pages(name):
        message = f'"{name}" cannot be requested for the pod as a whole'
        yield Violation((), ViolationType.NOT_SUPPORTED, message, "request it in the containers that use it")


def _check_containers(spec: PodSpec, resources: ResourceRequirements) -> Iterator[Violation]:
    apps, inits = spec.containers or (), spec.initContainers or ()
    requested = at_one_time(apps, inits, lambda container: container.resources.requests)
    limited = at_one_time(apps, inits, lambda container: container.resources.limits)
    for name, request in (resources.requests or {}).items():
        wanted = requested.get(name)
        if wanted is not None and request < wanted:
            message = f"{request} is less than the {wanted} that the containers request together"
            yield invalid(message, f"write at least {wanted}", "resources", "requests", name)
    for name, limit in (resources.limits or {}).items():
        pages = limited.get(name) if is_huge_pages(name) else None
        if pages is not None and limit < pages:
            message = f"{limit} is less than the {pages} that are the containers' limit together"
            yield invalid(message, f"write at least {pages}", "resources", "limits", name)
    for name, limit in (resources.limits or {}).items():
        for index, container in enumerate(spec.containers or ()):
            own = (container.resources.limits or {}).get(name)
            if own is not None and own > limit:
                yield Violation(
                    ("resources", f"containers[{index}][{name}]", "limits"),
                    ViolationType.INVALID,
                    f"the container's limit {own} of {name} is above the pod's limit {limit}",
                    "lower the container's limit, or raise the pod's",
                    written_at=("containers", index, "resources", "limits", name),
                )
