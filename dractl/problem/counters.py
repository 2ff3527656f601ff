"""Partitionable devices: which counters a device consumes and what is left of them (dra.md §14)."""

from collections.abc import Mapping

from msgspec import Struct

from dractl.api.identities import PoolId
from dractl.cluster.pools import Pool, PoolDevice
from dractl.cluster.usage import Usage


class CounterId(Struct, frozen=True, order=True):
    """A counter of a counter set of a pool."""

    pool: PoolId
    counter_set: str
    counter: str

    def __str__(self) -> str:
        return f"{self.counter_set}/{self.counter}"


class CounterBudget(Struct, frozen=True):
    """What the devices in use leave of a pool's counters, in nano-units; it may be negative.

    `overdrawn` are the counters that are below zero, in the order of the counter sets.
    """

    pool: PoolId
    available: Mapping[CounterId, int]
    overdrawn: tuple[CounterId, ...]


def consumption(device: PoolDevice) -> Mapping[CounterId, int]:
    """What taking the device consumes, in nano-units by counter."""
    pool = device.id.pool_id
    consumed: dict[CounterId, int] = {}
    for use in device.device.consumesCounters or ():
        for name, counter in (use.counters or {}).items():
            key = CounterId(pool, use.counterSet, name)
            consumed[key] = consumed.get(key, 0) + counter.value.nano
    return consumed


def counter_budget(pool: Pool, usage: Usage) -> CounterBudget:
    """The pool's counters minus what allocated devices consume by today's slices, for this node or another."""
    available = {
        CounterId(pool.id, set_name, name): counter.value.nano
        for set_name, counter_set in (pool.counter_sets or {}).items()
        for name, counter in (counter_set.counters or {}).items()
    }
    for device in (*pool.devices, *pool.elsewhere):
        if usage.is_allocated(device.id):
            for counter, amount in consumption(device).items():
                available[counter] = available.get(counter, 0) - amount
    overdrawn = tuple(counter for counter, amount in available.items() if amount < 0)
    return CounterBudget(pool.id, available, overdrawn)
