"""Devices that several claims can share, and the capacity that is left of them (poolstatus.md §5)."""

from collections.abc import Iterator
from typing import Final

from dractl.api.pool_status import ShareableCapacity, ShareableDeviceSummary
from dractl.api.quantity import Quantity
from dractl.api.resource import Device
from dractl.observe.pool_inventory import PoolContent
from dractl.observe.view_error import ViewError

MOST_NAMES: Final = 32
_ZERO: Final = Quantity(0)


def shareable_summary(pool: PoolContent) -> ShareableDeviceSummary | None:
    """The summary, or None if the pool has no such device. Raises ViewError in the controller's words."""
    devices = list(_shareable(pool))
    if not devices:
        return None
    totals: dict[str, Quantity] = {}
    for device in devices:
        for name, capacity in (device.capacity or {}).items():
            totals[name] = _sum(totals.get(name, _ZERO), capacity.value)
    if len(totals) > MOST_NAMES:
        text = f"pool {pool.id} has {len(totals)} shareable capacity keys, exceeding the maximum of {MOST_NAMES}"
        raise ViewError("ShareableSummaryOverCap", text)
    held = pool.held
    in_use = sum(device.name in held for device in devices)
    return ShareableDeviceSummary(
        fullyAvailableDevices=len(devices) - in_use,
        partiallyAvailableDevices=in_use,
        capacity=[_capacity(pool, name, totals[name]) for name in sorted(totals)] or None,
    )


def _shareable(pool: PoolContent) -> Iterator[Device]:
    return (device for _, device in pool.devices if device.allowMultipleAllocations)


def _capacity(pool: PoolContent, name: str, total: Quantity) -> ShareableCapacity:
    consumed = _ZERO
    for holding in pool.holdings:
        amount = (holding.result.consumedCapacity or {}).get(name)
        if amount is not None:
            consumed = _sum(consumed, amount)
    left = Quantity(total.nano - consumed.nano, (total if total.nano else consumed).format)
    return ShareableCapacity(name=name, total=total, consumed=consumed, available=left if left.nano > 0 else _ZERO)


def _sum(so_far: Quantity, term: Quantity) -> Quantity:
    """A sum is written in the family of its terms, and takes over that of the next while it is zero."""
    return Quantity(so_far.nano + term.nano, (so_far if so_far.nano else term).format)
