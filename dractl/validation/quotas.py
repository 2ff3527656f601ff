"""ResourceQuotas and LimitRanges (answers in validate-core)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dractl.api.quantity import Quantity
from dractl.api.quota import LimitRange, LimitRangeItem, ResourceQuota
from dractl.validation.formats import label_key
from dractl.validation.resource_names import (
    Amounts,
    can_be_overcommitted,
    check_container_resource,
    is_counted,
    is_known_to_quotas,
    is_standard,
)
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below, echoes, invalid

_TYPES: Final = ("Pod", "Container", "PersistentVolumeClaim")
_FIELDS: Final = ("max", "min", "default", "defaultRequest")
_ORDER: Final = (
    ("min", "max", "min"),
    ("min", "defaultRequest", "defaultRequest"),
    ("min", "default", "default"),
    ("defaultRequest", "max", "defaultRequest"),
    ("defaultRequest", "default", "defaultRequest"),
    ("default", "max", "default"),
)
"""What may not be more than what, and which of the two is reported."""
_SCOPES: Final = (
    "Terminating",
    "NotTerminating",
    "BestEffort",
    "NotBestEffort",
    "PriorityClass",
    "CrossNamespacePodAffinity",
    "VolumeAttributesClass",
)
_ONE: Final = Quantity.of(1)


def check_quota(quota: ResourceQuota, _: Rulebook) -> Iterator[Violation]:
    """What a quota counts, and how much of it there may be."""
    for name, amount in (quota.spec.hard or {}).items():
        yield from below(_check_counted(name, amount), "spec", "hard", name)
    yield from below(_check_scopes(quota.spec.scopes or (), quota.spec.hard or {}), "spec", "scopes")


def _check_scopes(scopes: Sequence[str], hard: Amounts) -> Iterator[Violation]:
    for index, scope in enumerate(scopes):
        if scope not in _SCOPES:
            message = f'"{scope}" is not known here'
            remedy = f"write one of {', '.join(_SCOPES)}"
            yield Violation((), ViolationType.INVALID, message, remedy, written_at=(index,))
    for one, other in (_SCOPES[:2], _SCOPES[2:4]):
        if {one, other} <= set(scopes):
            yield invalid(f"no pod is both {one} and {other}", "keep one of the two")
    if "BestEffort" in scopes and any(is_known_to_quotas(name) for name in set(hard) - {"pods"}):
        yield invalid("pods that are BestEffort request nothing, so that only `pods` can be counted", "take it out")


def _check_counted(name: str, amount: Quantity) -> Iterator[Violation]:
    flaws = label_key(name)
    yield from flaws
    if not flaws and "/" not in name and not is_known_to_quotas(name):
        yield invalid(f'quotas do not count "{name}"', "write for example requests.cpu, pods or count/deployments.apps")
    if amount.nano < 0:
        yield invalid(f"{amount} is less than nothing", "write 0 or more")
    if is_counted(name) and not amount.is_whole:
        yield invalid(f"{amount} of {name} is not a whole number", "write a whole number")


# --- limit ranges ----------------------------------------------------------------------------------------------------


def check_limit_range(limits: LimitRange, _: Rulebook) -> Iterator[Violation]:
    """The bounds of each type, and that no type comes twice."""
    seen: set[str] = set()
    for index, item in enumerate(limits.spec.limits or ()):
        yield from below(_check_item(item), "spec", "limits", index)
        if item.type in seen:
            message = f"there are bounds for the type {item.type} already"
            path = ("spec", "limits", index, "type")
            yield Violation(path, ViolationType.DUPLICATE, message, "write them into one item")
        seen.add(item.type)


def _check_item(item: LimitRangeItem) -> Iterator[Violation]:
    yield from below(_check_type(item.type), "type")
    written = {field: getattr(item, field) or {} for field in _FIELDS}
    if item.type == "Pod":
        for field in ("default", "defaultRequest"):
            if written[field]:
                message = "a pod is given no defaults as a whole"
                yield Violation((field,), ViolationType.FORBIDDEN, message, "take it out, or write `type: Container`")
    if item.type == "PersistentVolumeClaim" and "storage" not in {*written["min"], *written["max"]}:
        message = "a claim for storage has no bound for its storage"
        yield Violation(("limits",), ViolationType.REQUIRED, message, "write `min` or `max`", written_at=())
    bounds = _looked_at(written, item.type)
    yield from _check_names({**bounds, "maxLimitRequestRatio": item.maxLimitRequestRatio or {}}, written, item.type)
    for name in dict.fromkeys(name for amounts in bounds.values() for name in amounts):
        yield from _check_order({field: given[name] for field, given in bounds.items() if name in given}, name)
    for name, ratio in (item.maxLimitRequestRatio or {}).items():
        yield from below(
            _check_ratio(ratio, written["min"].get(name), written["max"].get(name)), "maxLimitRequestRatio", name
        )


def _check_type(name: str) -> Iterator[Violation]:
    flaws = label_key(name)
    yield from flaws
    if not flaws and "/" not in name and name not in _TYPES:
        yield invalid(f'"{name}" is not known here', f"write one of {', '.join(_TYPES)}")


def _looked_at(written: Mapping[str, Amounts], kind: str) -> Mapping[str, Amounts]:
    """Of containers with what the server fills in: a maximum is a default, a default or a minimum a default request.

    Defaults of pods are forbidden, and not looked at besides.
    """
    if kind == "Pod":
        return {field: written[field] for field in ("min", "max")}
    if kind != "Container":
        return written
    limits = {**written["max"], **written["default"]}
    return {**written, "default": limits, "defaultRequest": {**written["min"], **limits, **written["defaultRequest"]}}


def _check_names(amounts: Mapping[str, Amounts], written: Mapping[str, Amounts], kind: str) -> Iterator[Violation]:
    """What was filled in has the faults of what it was filled in from."""
    check = check_container_resource if kind in ("Pod", "Container") else _check_standard
    for field, given in amounts.items():
        for name in given:
            flaws = below(check(name), field, name)
            yield from flaws if name in written.get(field, given) else echoes(flaws)


def _check_standard(name: str) -> Iterator[Violation]:
    flaws = label_key(name)
    yield from flaws
    if not flaws and "/" not in name and not is_standard(name):
        yield invalid(f'"{name}" is not known here', "write storage, cpu, memory, or a name with a domain")


def _check_order(amounts: Mapping[str, Quantity], name: str) -> Iterator[Violation]:
    for low, high, reported in _ORDER:
        if low in amounts and high in amounts and amounts[low] > amounts[high]:
            message = f"`{low}` {amounts[low]} is more than `{high}` {amounts[high]}"
            yield invalid(message, f"lower `{low}`, or raise `{high}`", reported, name)
    default, request = amounts.get("default"), amounts.get("defaultRequest")
    if default is not None and request is not None and default != request and not can_be_overcommitted(name):
        message = f"a request of {name} is its limit, but `default` is {default} and `defaultRequest` {request}"
        yield invalid(message, "write the same", "defaultRequest", name)


def _check_ratio(ratio: Quantity, low: Quantity | None, high: Quantity | None) -> Iterator[Violation]:
    if ratio < _ONE:
        yield invalid(f"a limit is never less than its request, so {ratio} is too little", "write 1 or more")
    elif low is not None and high is not None and low.nano > 0 and ratio.nano * low.nano > high.nano * _ONE.nano:
        yield invalid(f"with `min` {low} and `max` {high} no limit is {ratio} times its request", "lower it")
