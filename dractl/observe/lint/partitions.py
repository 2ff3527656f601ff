"""Partitionable devices of a pool: their counter sets and what each device takes of them."""

from collections.abc import Iterator, Mapping

from dractl.api.objects import Sourced
from dractl.api.resource import CounterSet, Device, ResourceSlice
from dractl.errors import Place
from dractl.observe.lint.context import PoolSlices

Amounts = Mapping[tuple[str, str], int]
"""Nano-units by counter set and counter."""


def counter_sets(pool: PoolSlices) -> dict[str, CounterSet]:
    """The counter sets by name; of two alike the first."""
    found: dict[str, CounterSet] = {}
    for each in pool.current:
        for counter_set in each.object.spec.sharedCounters or ():
            found.setdefault(counter_set.name, counter_set)
    return found


def has_set_twice(pool: PoolSlices) -> bool:
    """Whether two counter sets have one name."""
    names = [counter_set.name for each in pool.current for counter_set in each.object.spec.sharedCounters or ()]
    return len(set(names)) < len(names)


def budget(pool: PoolSlices) -> Amounts:
    """What the counter sets hold."""
    return {
        (name, counter): held.value.nano
        for name, counter_set in counter_sets(pool).items()
        for counter, held in (counter_set.counters or {}).items()
    }


def consumed(device: Device) -> Amounts:
    """What the device takes."""
    taken: dict[tuple[str, str], int] = {}
    for use in device.consumesCounters or ():
        for name, counter in (use.counters or {}).items():
            key = (use.counterSet, name)
            taken[key] = taken.get(key, 0) + counter.value.nano
    return taken


def sets_of(device: Device) -> frozenset[str]:
    """The counter sets that the device takes from."""
    return frozenset(use.counterSet for use in device.consumesCounters or ())


def devices_of(pool: PoolSlices) -> Iterator[tuple[Device, Place, Sourced[ResourceSlice]]]:
    """The devices of the newest generation, each with its place and slice."""
    for each in pool.current:
        for number, device in enumerate(each.object.spec.devices or ()):
            yield device, each.place.at("spec", "devices", number), each
