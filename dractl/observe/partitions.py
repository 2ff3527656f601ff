"""Partitions of a pool by type, as `partitionSummary` has them (poolstatus.md §4)."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from dractl.api.pool_status import PartitionTypeSummary
from dractl.api.resource import Device, ResourceSlice
from dractl.cel.library.formatting import quoted
from dractl.observe.counters_left import counters_left, take_if_fits
from dractl.observe.pool_inventory import PoolContent
from dractl.observe.view_error import ViewError

MOST_TYPES: Final = 32

_Cost = tuple[tuple[str, str, str], ...]


class _Group(Struct):
    """Devices that agree in one attribute, in slice order, and what each of them costs."""

    cost: _Cost
    devices: list[Device] = field(default_factory=list)


def partition_summary(pool: PoolContent, default_attribute: str | None) -> list[PartitionTypeSummary] | None:
    """The groups by attribute and type; None if no device has a grouping attribute.

    `default_attribute` is the request's own, for pools in which no device has one. Raises ViewError in the controller's
    words.
    """
    attributes = _Attributes(pool, default_attribute)
    if not any(attributes.of(slice_) for slice_, _ in pool.devices):
        return None
    if not any(slice_.spec.sharedCounters for slice_ in pool.slices):
        text = f"pool {pool.id} declares partitionTypeAttribute but publishes no sharedCounters"
        raise ViewError("PartitionTypeMissing", text)
    groups = _groups(pool, attributes)
    if len(groups) > MOST_TYPES:
        text = f"pool {pool.id} has {len(groups)} partition types, exceeding the maximum of {MOST_TYPES}"
        raise ViewError("PartitionSummaryOverCap", text)
    return [
        PartitionTypeSummary(
            attribute=attribute,
            type=name,
            total=len(group.devices),
            allocatable=_allocatable(pool, group),
        )
        for (attribute, name), group in sorted(groups.items(), key=lambda each: each[0])
    ]


class _Attributes:
    """By which attribute each device is grouped: its slice's, or the request's if no device's slice declares one."""

    def __init__(self, pool: PoolContent, default: str | None) -> None:
        declared = any(slice_.spec.partitionTypeAttribute is not None for slice_, _ in pool.devices)
        self._default: Final = None if declared else default

    def of(self, slice_: ResourceSlice) -> str | None:
        return slice_.spec.partitionTypeAttribute or self._default


def _groups(pool: PoolContent, attributes: _Attributes) -> dict[tuple[str, str], _Group]:
    groups: dict[tuple[str, str], _Group] = {}
    for device, attribute in _grouped(pool, attributes):
        name = _type_of(device, attribute, pool.id.driver)
        if name is None:
            text = (
                f"device {quoted(device.name)} in pool {pool.id} does not carry "
                f"partition type attribute {quoted(attribute)}"
            )
            raise ViewError("PartitionTypeMissing", text)
        cost = _cost(device)
        group = groups.setdefault((attribute, name), _Group(cost))
        if group.cost != cost:
            text = f"devices of partition type {quoted(name)} in pool {pool.id} consume different counters"
            raise ViewError("PartitionCostMismatch", text)
        group.devices.append(device)
    return groups


def _grouped(pool: PoolContent, attributes: _Attributes) -> Iterator[tuple[Device, str]]:
    """Devices that consume counters and have a grouping attribute; others are no partitions."""
    for slice_, device in pool.devices:
        attribute = attributes.of(slice_)
        if attribute and device.consumesCounters:
            yield device, attribute


def _type_of(device: Device, attribute: str, driver: str) -> str | None:
    """The attribute's text. The name without the driver's own domain counts only if the full name is not there."""
    known = device.attributes or {}
    name = attribute if attribute in known else attribute.removeprefix(f"{driver}/")
    return known[name].string if name in known else None


def _cost(device: Device) -> _Cost:
    amounts = (
        (use.counterSet, name, str(counter.value))
        for use in device.consumesCounters or ()
        for name, counter in (use.counters or {}).items()
    )
    return tuple(sorted(amounts))


def _allocatable(pool: PoolContent, group: _Group) -> int:
    """How many free devices of the group fit one after the other; every group is measured alone."""
    left, held = counters_left(pool), pool.held
    return sum(device.name not in held and take_if_fits(left, device) for device in group.devices)
