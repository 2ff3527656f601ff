"""How much of a pool's shared counters is left, and which devices still fit into it (poolstatus.md §4)."""

from collections.abc import Iterator

from dractl.api.quantity import Quantity
from dractl.api.resource import Device
from dractl.observe.pool_inventory import PoolContent

Counters = dict[tuple[str, str], Quantity]
"""Amounts by counter set and counter."""


def counters_left(pool: PoolContent) -> Counters:
    """What the pool's counters have left, negative where more is in use than there was.

    Of a set that is published twice the later value of each counter counts. A device in use consumes once for each
    time that it is published, however many claims share it.
    """
    left = {
        (counter_set.name, name): counter.value
        for slice_ in pool.slices
        for counter_set in slice_.spec.sharedCounters or ()
        for name, counter in (counter_set.counters or {}).items()
    }
    for _, device in pool.devices:
        if device.name in pool.held:
            _take(left, device)
    return left


def fits(left: Counters, device: Device) -> bool:
    """Whether every counter that the device consumes exists and has enough left."""
    return all(key in left and amount <= left[key] for key, amount in _consumed(device))


def take_if_fits(left: Counters, device: Device) -> bool:
    """Take the device's consumption away if it fits, and say whether it did."""
    if not fits(left, device):
        return False
    _take(left, device)
    return True


def _take(left: Counters, device: Device) -> None:
    for key, amount in _consumed(device):
        if key in left:
            left[key] -= amount


def _consumed(device: Device) -> Iterator[tuple[tuple[str, str], Quantity]]:
    for use in device.consumesCounters or ():
        for name, counter in (use.counters or {}).items():
            yield (use.counterSet, name), counter.value
