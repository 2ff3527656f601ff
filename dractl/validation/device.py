"""The devices of slices (validation.md §7)."""

from collections.abc import Iterator, Mapping
from typing import Final

from dractl.api.resource import Device, DeviceCapacity
from dractl.validation.attributes import check_attributes, check_numbers
from dractl.validation.capacity_policy import check_policy
from dractl.validation.counters import check_consumption
from dractl.validation.formats import label, label_key, qualified_name, subdomain
from dractl.validation.lists import repeated, too_many
from dractl.validation.node_allocatable import check_node_allocatable
from dractl.validation.node_selector import check_node_selector
from dractl.validation.rulebook import Rulebook
from dractl.validation.taints import check_taint
from dractl.validation.violation import Violation, ViolationType, below, declared, of_key, only_declared, set_together

_MOST_TAINTS: Final = 16
_MOST_CONDITIONS: Final = 4
_NODE_FIELDS: Final = ("nodeName", "nodeSelector", "allNodes")


def check_device(device: Device, rulebook: Rulebook, *, selects_nodes: bool) -> Iterator[Violation]:
    """One device; `selects_nodes` says that the slice leaves the choice of nodes to its devices."""
    yield from below(label(device.name), "name")
    yield from check_numbers(device)
    if device.attributes:
        yield from below(check_attributes(device.attributes), "attributes")
    if device.capacity:
        is_shared = device.allowMultipleAllocations is True
        yield from below(_check_capacity(device.capacity, rulebook, is_shared=is_shared), "capacity")
    if device.taints:
        yield from below(_check_taints(device), "taints")
    if device.consumesCounters:
        yield from below(check_consumption(device.consumesCounters), "consumesCounters")
    yield from _check_nodes(device, selects_nodes=selects_nodes)
    if device.bindingConditions or device.bindingFailureConditions:
        yield from _check_conditions(device)
    if device.nodeAllocatableResources:
        resources = check_node_allocatable(device.nodeAllocatableResources, device.capacity or {})
        yield from below(resources, "nodeAllocatableResources")


def _check_capacity(
    capacities: Mapping[str, DeviceCapacity], rulebook: Rulebook, *, is_shared: bool
) -> Iterator[Violation]:
    for name, capacity in capacities.items():
        flaws = qualified_name(name, "a capacity")
        if flaws:
            yield from of_key("capacity", name, flaws)
        policy = capacity.requestPolicy
        if policy is None:
            continue
        if is_shared:
            yield from below(check_policy(policy, capacity.value, rulebook), name, "requestPolicy")
        else:
            message = "a policy is only for devices that several claims may share"
            remedy = "write `allowMultipleAllocations: true`, or take the policy out"
            yield Violation((name, "requestPolicy"), ViolationType.FORBIDDEN, message, remedy)


def _check_taints(device: Device) -> Iterator[Violation]:
    excess = list(too_many(device.taints, _MOST_TAINTS))
    yield from excess
    for index, taint in enumerate(device.taints or ()):
        violations = below(check_taint(taint), index)
        yield from violations if not excess else only_declared(violations)


# --- nodes -----------------------------------------------------------------------------------------------------------


def _check_nodes(device: Device, *, selects_nodes: bool) -> Iterator[Violation]:
    present = [field for field in _NODE_FIELDS if getattr(device, field) is not None]
    if not selects_nodes:
        if present:
            message = f"{' and '.join(f'`{field}`' for field in present)} only counts if the slice says so"
            remedy = "write `perDeviceNodeSelection: true` into the slice's spec, or take it out of the device"
            yield Violation((), ViolationType.INVALID, message, remedy)
        return
    fields = [field for field in present if getattr(device, field) not in ("", False)]
    if not fields:
        message = "none of `nodeName`, `nodeSelector` and `allNodes` is set, as `perDeviceNodeSelection` wants it"
        yield Violation((), ViolationType.REQUIRED, message, "set exactly one of them", wants=_NODE_FIELDS)
    elif len(fields) > 1:
        yield set_together(fields)
    yield from _check_node_fields(device)


def _check_node_fields(device: Device) -> Iterator[Violation]:
    if device.nodeName is not None:
        yield from below(subdomain(device.nodeName), "nodeName")
    if device.nodeSelector is not None:
        yield from below(check_node_selector(device.nodeSelector), "nodeSelector")
    if device.allNodes is False:
        message = "`allNodes: false` says nothing"
        yield Violation(("allNodes",), ViolationType.INVALID, message, "write `true`, or take it out")


# --- binding conditions ----------------------------------------------------------------------------------------------

_PAIR: Final = ("bindingConditions", "bindingFailureConditions")


def _check_conditions(device: Device) -> Iterator[Violation]:
    """Both lists or none, each of different label keys, and none in both."""
    for field in _PAIR:
        conditions: list[str] = getattr(device, field) or []
        excess = list(too_many(conditions, _MOST_CONDITIONS))
        yield from below(declared(excess), field)
        yield from below(repeated(conditions, "condition"), field)
        for index, condition in enumerate(conditions) if not excess else ():
            yield from below(label_key(condition), field, index)
    if not device.bindingConditions:
        yield _without_its_pair("bindingConditions", "bindingFailureConditions")
    if not device.bindingFailureConditions:
        yield _without_its_pair("bindingFailureConditions", "bindingConditions")
    for index, condition in enumerate(device.bindingFailureConditions or ()):
        if condition in (device.bindingConditions or ()):
            message = f'"{condition}" is a condition for binding and for its failure'
            yield Violation(("bindingFailureConditions", index), ViolationType.INVALID, message, "keep one of the two")


def _without_its_pair(field: str, other: str) -> Violation:
    return Violation((field,), ViolationType.INVALID, f"`{other}` is set alone", f"set `{field}` as well")
