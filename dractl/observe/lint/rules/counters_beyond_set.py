"""A device consumes more of a counter than there is.

`consumesCounters` of one device asks for more than the value of the counter in `sharedCounters`.

Why: the device can never be allocated, not even alone, and nothing says so.

Example:

    sharedCounters: [{name: gpu-0, counters: {memory: {value: 40Gi}}}]
    …
    consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 80Gi}}}]

Instead: amounts that fit; the whole device consumes all of its set.
"""

from collections.abc import Iterator

from dractl.api.quantity import Quantity
from dractl.api.resource import Device
from dractl.errors import Place
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.partitions import budget, consumed, counter_sets, devices_of
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """Devices that do not fit into an untouched pool."""
    for pool in context.pools.values():
        held = budget(pool)
        for device, place, slice_ in devices_of(pool):
            taken = consumed(device)
            over = next((key for key, amount in taken.items() if key in held and amount > held[key]), None)
            if over is not None:
                there = (counter_sets(pool)[over[0]].counters or {})[over[1]].value
                asked = Quantity(taken[over], there.format)
                yield Remark(
                    f"device {device.name} consumes {asked} of {over[0]}/{over[1]}, "
                    f"and the pool has {there}: it is never allocated",
                    _place(device, place, over),
                    str(slice_.ref),
                    f"write {there} or less, or the true amount into sharedCounters",
                )


def _place(device: Device, place: Place, over: tuple[str, str]) -> Place:
    """The amount, which may be the sum of several entries: then the last."""
    counter_set, counter = over
    uses = [
        number
        for number, use in enumerate(device.consumesCounters or ())
        if use.counterSet == counter_set and counter in (use.counters or {})
    ]
    return place.at("consumesCounters", uses[-1], "counters", counter)


RULE = Rule("DRA308", "counters-beyond-set", Severity.ERROR, __doc__, check)
