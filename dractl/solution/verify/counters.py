"""Partitionable devices stay within the counters of their pool (dra.md §14)."""

from collections import Counter
from collections.abc import Iterator

from dractl.api.identities import PoolId
from dractl.api.quantity import Quantity
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

    Admin access pays as well (dra.md §18).
    """
    taken: Counter[CounterId] = Counter()
    touched: set[PoolId] = set()
    for take in attempt.payers():
        if take.device.device.consumesCounters:
            touched.add(take.id.pool_id)
            taken.update(consumption(take.device))
    for pool in sorted(touched & attempt.problem.budgets.keys()):
        for counter, available in attempt.problem.budgets[pool].available.items():
            if taken[counter] > available:
                wanted, left = Quantity(taken[counter]), Quantity(available)
                yield Breach(f"counter {counter} of pool {pool} has {left} left and {wanted} is taken")
