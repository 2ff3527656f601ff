"""Partitionable devices stay within the counters of their pool (dra.md §14)."""

from collections import Counter
from collections.abc import Iterator

from dractl.api.identities import PoolId
from dractl.api.quantity import Quantity
from dractl.cluster.upstream import UpstreamFault
from dractl.problem.compatibility import CounterSetId, groups_of
from dractl.problem.counters import CounterId, consumption
from dractl.solution.verify.attempt import Attempt
from dractl.solution.verify.violations import Breach


def counters_have_their_gate(attempt: Attempt) -> Iterator[Breach]:
    """With the gate off a device that consumes counters is refused (dra.md §11.3)."""
    if attempt.problem.features.partitionable_devices:
        return
    for take in attempt.takes():
        if take.device.device.consumesCounters:
            yield Breach("the device consumes counters, and their gate is off", take.claim, take.id)


def no_counter_is_overdrawn(attempt: Attempt) -> Iterator[Breach]:
    """Taking a consuming device needs every counter of its pool to suffice, also those that it does not use.

    By the documented rules only the counter sets count from which it consumes (dra.md §18).
    """
    whole_pool = UpstreamFault.OVERDRAWN_SET_BLOCKS_POOL in attempt.problem.features.faults
    taken: Counter[CounterId] = Counter()
    touched: set[PoolId] = set()
    sets: set[CounterSetId] = set()
    for take in attempt.payers():
        if take.device.device.consumesCounters:
            touched.add(take.id.pool_id)
            sets.update(groups_of(take.device))
            taken.update(consumption(take.device))
    for pool in sorted(touched & attempt.problem.budgets.keys()):
        for counter, available in attempt.problem.budgets[pool].available.items():
            is_looked_at = whole_pool or CounterSetId(pool, counter.counter_set) in sets
            if is_looked_at and taken[counter] > available:
                wanted, left = Quantity(taken[counter]), Quantity(available)
                yield Breach(f"counter {counter} of pool {pool} has {left} left and {wanted} is taken")
