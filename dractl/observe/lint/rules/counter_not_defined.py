"""A device consumes a counter that its pool does not define.

`consumesCounters` names a counter set, or a counter of a set, that no slice of the pool defines in `sharedCounters`.

Why: the pool is invalid, and nothing is allocated from it.

Example:

    consumesCounters:
    - counterSet: gpu-0
      counters: {memroy: {value: 10Gi}}        # the set has memory

Instead: the names as in `sharedCounters`, in a slice of the same pool and generation.
"""

from collections.abc import Iterator, Mapping

from dractl.api.resource import CounterSet, DeviceCounterConsumption
from dractl.cluster.pools import PoolState
from dractl.errors import Place
from dractl.finding import Severity
from dractl.near_misses import did_you_mean
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.partitions import counter_sets, has_set_twice
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """Every such use, in pools that are invalid for a node: of others the definition may be still to come.

    A set that is defined twice may be meant to be the one that is missing.
    """
    for pool in context.pools.values():
        if context.nodes_with(pool.id, PoolState.INVALID) is None:
            continue
        sets = counter_sets(pool)
        if has_set_twice(pool):
            continue
        for each in pool.current:
            for number, device in enumerate(each.object.spec.devices or ()):
                for index, use in enumerate(device.consumesCounters or ()):
                    place = each.place.at("spec", "devices", number, "consumesCounters", index)
                    yield from _of_use(f"device {device.name}", use, sets, place, str(each.ref))


def _of_use(
    device: str, use: DeviceCounterConsumption, sets: Mapping[str, CounterSet], place: Place, subject: str
) -> Iterator[Remark]:
    known = sets.get(use.counterSet)
    if known is None:
        message = f"{device}: the pool has no counter set {use.counterSet}, so that it is invalid"
        yield Remark(message, place.at("counterSet"), subject, did_you_mean(use.counterSet, list(sets)))
        return
    for name in use.counters or ():
        if name not in (known.counters or {}):
            message = f"{device}: counter set {use.counterSet} has no counter {name}, so that the pool is invalid"
            yield Remark(message, place.at("counters", name), subject, did_you_mean(name, list(known.counters or ())))


RULE = Rule("DRA306", "counter-not-defined", Severity.ERROR, __doc__, check, needs_all=("ResourceSlice",))
