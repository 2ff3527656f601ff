"""ResourceSlice (validation.md §7)."""

from collections.abc import Iterator, Sequence
from typing import Final

from dractl.api.resource import Device, ResourcePool, ResourceSlice, ResourceSliceSpec
from dractl.validation.attributes import has_list
from dractl.validation.choices import one_of
from dractl.validation.counters import check_counter_sets
from dractl.validation.device import check_device
from dractl.validation.formats import driver, pool, subdomain
from dractl.validation.lists import repeated, too_many
from dractl.validation.node_selector import check_node_selector
from dractl.validation.partition_type import check_partition_type
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below, declared, only_declared, set_together

_MOST_DEVICES: Final = 128
_MOST_LARGE_DEVICES: Final = 64
_PREPARE: Final = "NodePrepareResources"
_UNPREPARE: Final = "NodeUnprepareResources"
_EVERY: Final = "*"


def check_slice(resource_slice: ResourceSlice, rulebook: Rulebook) -> Iterator[Violation]:
    """What is wrong with the spec of a slice."""
    yield from below(_check_spec(resource_slice.spec, rulebook), "spec")


def _check_spec(spec: ResourceSliceSpec, rulebook: Rulebook) -> Iterator[Violation]:
    yield from below(driver(spec.driver), "driver")
    yield from below(_check_pool(spec.pool), "pool")
    yield from _check_nodes(spec)
    if spec.sharedCounters is not None and spec.devices is not None:
        yield set_together(("devices", "sharedCounters"), "put the counters into a slice of their own")
    yield from below(_check_devices(spec, rulebook), "devices")
    if spec.sharedCounters:
        yield from below(check_counter_sets(spec.sharedCounters), "sharedCounters")
    if spec.partitionTypeAttribute is not None:
        yield from check_partition_type(spec, spec.partitionTypeAttribute)
    if spec.skipNodeOperations:
        yield from below(_check_skipped(spec.skipNodeOperations), "skipNodeOperations")


def _check_pool(of: ResourcePool) -> Iterator[Violation]:
    yield from below(pool(of.name), "name")
    if of.generation < 0:
        yield Violation(("generation",), ViolationType.INVALID, "must not be less than 0")
    if of.resourceSliceCount <= 0:
        message = "must be greater than 0"
        remedy = "write how many slices the pool has in this generation"
        yield Violation(("resourceSliceCount",), ViolationType.INVALID, message, remedy)


# --- nodes -----------------------------------------------------------------------------------------------------------

_NODE_FIELDS: Final = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")


def _check_nodes(spec: ResourceSliceSpec) -> Iterator[Violation]:
    present = [field for field in _NODE_FIELDS if getattr(spec, field) not in (None, "", False)]
    if not present:
        message = "no node is selected: none of nodeName, nodeSelector, allNodes and perDeviceNodeSelection is set"
        yield Violation((), ViolationType.REQUIRED, message, "set exactly one of them", wants=_NODE_FIELDS)
    elif len(present) > 1:
        yield set_together(present)
    if spec.nodeName == "":
        yield Violation(("nodeName",), ViolationType.INVALID, "the name is empty", "name a node, or take the field out")
    elif spec.nodeName is not None:
        yield from below(subdomain(spec.nodeName), "nodeName")
    if spec.nodeSelector is not None:
        yield from below(check_node_selector(spec.nodeSelector), "nodeSelector")
        if len(spec.nodeSelector.nodeSelectorTerms or ()) != 1:
            message = "a slice's selector has exactly one term"
            path = ("nodeSelector", "nodeSelectorTerms")
            yield Violation(path, ViolationType.INVALID, message, "write one slice for each term")
    for field in ("allNodes", "perDeviceNodeSelection"):
        if getattr(spec, field) is False:
            message = f"`{field}: false` says nothing"
            yield Violation((field,), ViolationType.INVALID, message, "write `true`, or take it out")


# --- devices ---------------------------------------------------------------------------------------------------------


def _check_devices(spec: ResourceSliceSpec, rulebook: Rulebook) -> Iterator[Violation]:
    devices = spec.devices or ()
    is_long = len(devices) > _MOST_LARGE_DEVICES
    limit = _MOST_LARGE_DEVICES if is_long and any(map(_is_large, devices)) else _MOST_DEVICES
    excess = list(too_many(devices, limit))
    yield from excess
    inner = _check_each(devices, rulebook, selects_nodes=spec.perDeviceNodeSelection is True)
    yield from inner if not excess else only_declared(inner)


def _check_each(devices: Sequence[Device], rulebook: Rulebook, *, selects_nodes: bool) -> Iterator[Violation]:
    yield from repeated((device.name for device in devices), "name")
    for index, device in enumerate(devices):
        yield from below(check_device(device, rulebook, selects_nodes=selects_nodes), index)


def _is_large(device: Device) -> bool:
    """Whether a device has what halves the number of devices that a slice may have."""
    if device.taints or device.consumesCounters:
        return True
    return device.attributes is not None and any(map(has_list, device.attributes.values()))


# --- operations ------------------------------------------------------------------------------------------------------


def _check_skipped(operations: list[str]) -> Iterator[Violation]:
    for index, operation in enumerate(operations):
        yield from below(declared(one_of(operation, (_PREPARE, _UNPREPARE, _EVERY))), index)
    yield from declared(repeated(operations, "operation"))
    if _PREPARE in operations and not {_UNPREPARE, _EVERY}.intersection(operations):
        message = f"{_PREPARE} can only be skipped together with {_UNPREPARE}"
        yield Violation((), ViolationType.INVALID, message, f"add {_UNPREPARE}")
