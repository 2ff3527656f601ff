"""Counters that devices share, and what a device consumes of them (validation.md §7)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dractl.api.resource import Counter, CounterSet, DeviceCounterConsumption
from dractl.validation.formats import label, missing
from dractl.validation.lists import repeated, too_many
from dractl.validation.violation import Violation, below, declared, of_key

_MOST_SETS: Final = 8
_MOST_CONSUMED_SETS: Final = 2
_MOST_COUNTERS: Final = 32
_MOST_GROUPS: Final = 2


def check_counter_sets(sets: Sequence[CounterSet]) -> Iterator[Violation]:
    """The counter sets of a slice; paths begin at the list."""
    excess = list(too_many(sets, _MOST_SETS))
    yield from declared(excess)
    if excess:
        return
    yield from declared(repeated((counters.name for counters in sets), "name"))
    for index, counters in enumerate(sets):
        yield from below(_required_label(counters.name), index, "name")
        yield from below(_check_counters(counters.counters), index, "counters")


def check_consumption(consumed: Sequence[DeviceCounterConsumption]) -> Iterator[Violation]:
    """What one device consumes; that the sets exist is not asked for. Paths begin at the list."""
    excess = list(too_many(consumed, _MOST_CONSUMED_SETS))
    yield from declared(excess)
    if excess:
        return
    yield from declared(repeated((consumption.counterSet for consumption in consumed), "counter set"))
    for index, consumption in enumerate(consumed):
        yield from below(_required_label(consumption.counterSet), index, "counterSet")
        yield from below(_check_counters(consumption.counters), index, "counters")
        yield from below(_check_groups(consumption.compatibilityGroups), index, "compatibilityGroups")


def _required_label(text: str) -> Iterator[Violation]:
    yield from declared(label(text) if text else [missing("the name of the counter set", "write `name: …`")])


def _check_counters(counters: Mapping[str, Counter] | None) -> Iterator[Violation]:
    if not counters:
        yield from declared([missing("a counter", "write `NAME: {value: …}`")])
        return
    yield from too_many(counters, _MOST_COUNTERS)
    for name in counters:
        yield from declared(of_key("counter", name, label(name)))


def _check_groups(groups: Sequence[str] | None) -> Iterator[Violation]:
    excess = list(too_many(groups, _MOST_GROUPS))
    yield from declared(excess)
    if excess or not groups:
        return
    yield from declared(repeated(groups, "group"))
    for index, group in enumerate(groups):
        yield from below(declared(label(group)), index)
