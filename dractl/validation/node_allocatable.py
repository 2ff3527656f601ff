"""What a device counts for in the node's own resources: `nodeAllocatableResources` (validation.md §9)."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from dractl.api.resource import NodeAllocatableMapping, NodeAllocatableOverhead, NodeAllocatableResource
from dractl.validation.choices import exactly_one
from dractl.validation.formats import missing
from dractl.validation.violation import Violation, ViolationType, below, declared

_RESOURCES: Final = ("cpu", "memory")
_HUGE_PAGES: Final = "hugepages-"


def check_node_allocatable(
    resources: Mapping[str, NodeAllocatableResource], capacities: Collection[str]
) -> Iterator[Violation]:
    """The resources of one device, whose capacities have these names; paths begin at a resource's name."""
    for name, resource in resources.items():
        if name not in _RESOURCES and not name.startswith(_HUGE_PAGES):
            message = f'"{name}" is no resource of a node that devices can stand for'
            yield Violation((name,), ViolationType.INVALID, message, "choose cpu, memory or hugepages-SIZE")
        yield from below(_check_resource(resource, capacities), name)


def _check_resource(resource: NodeAllocatableResource, capacities: Collection[str]) -> Iterator[Violation]:
    if resource.mapping is None and resource.overhead is None:
        yield missing("`mapping` or `overhead`", "set at least one of them")
    if resource.mapping is not None:
        yield from below(_check_mapping(resource.mapping, capacities), "mapping")
    if resource.overhead is not None:
        yield from below(_check_overhead(resource.overhead), "overhead")


def _check_mapping(mapping: NodeAllocatableMapping, capacities: Collection[str]) -> Iterator[Violation]:
    fields = {
        "capacityKey": mapping.capacityKey is not None,
        "deviceMultiplier": mapping.deviceMultiplier is not None,
    }
    yield from declared(exactly_one(fields))
    if mapping.capacityKey is not None:
        yield from _check_capacity(mapping, mapping.capacityKey, capacities)
    elif mapping.capacityMultiplier is not None:
        yield missing("the capacity that is multiplied", "name it in `capacityKey`").below("capacityKey")
    if mapping.deviceMultiplier is not None and mapping.deviceMultiplier.nano <= 0:
        yield _not_positive("deviceMultiplier")


def _check_capacity(mapping: NodeAllocatableMapping, key: str, capacities: Collection[str]) -> Iterator[Violation]:
    if not key:
        yield Violation(("capacityKey",), ViolationType.INVALID, "the name is empty", "name a capacity of the device")
    elif key not in capacities:
        message = f'the device has no capacity "{key}"'
        remedy = "spell it as in `capacity`" + (f": {', '.join(sorted(capacities))}" if capacities else "")
        yield Violation(("capacityKey",), ViolationType.NOT_FOUND, message, remedy)
    if mapping.capacityMultiplier is None:
        yield missing("the factor", "write `capacityMultiplier: …` beside `capacityKey`").below("capacityMultiplier")
    elif mapping.capacityMultiplier.nano <= 0:
        yield _not_positive("capacityMultiplier")


def _not_positive(field: str) -> Violation:
    return Violation((field,), ViolationType.INVALID, "the factor is not greater than 0")


def _check_overhead(overhead: NodeAllocatableOverhead) -> Iterator[Violation]:
    if overhead.perPod is None and overhead.perContainer is None:
        message = "neither `perPod` nor `perContainer` is set"
        remedy = "set at least one of them, or take `overhead` out"
        yield Violation((), ViolationType.INVALID, message, remedy, wants=("perPod", "perContainer"))
    for field, amount in (("perPod", overhead.perPod), ("perContainer", overhead.perContainer)):
        if amount is not None and amount.nano < 0:
            yield Violation((field,), ViolationType.INVALID, f"{amount} is less than 0")
