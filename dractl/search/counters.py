"""Shared counters that this attempt has taken (dra.md §14)."""

from collections.abc import Mapping

from dractl.api.identities import PoolId
from dractl.cluster.features import Features
from dractl.cluster.upstream import UpstreamFault
from dractl.problem.candidates import Candidate
from dractl.problem.counters import CounterBudget, CounterId, consumption
from dractl.problem.demands import Demand


class CounterLedger:
    """A device is refused if any counter of its pool would be overdrawn.

    The allocator compares every counter of the pool. Those that the device does not use cannot become overdrawn by
    taking it, so it is enough to ask whether one is overdrawn from the beginning: in any counter set, or by the
    documented rules in those from which the device consumes (dra.md §18).
    """

    def __init__(self, budgets: Mapping[PoolId, CounterBudget], features: Features) -> None:
        self._budgets = budgets
        self._whole_pool = UpstreamFault.OVERDRAWN_SET_BLOCKS_POOL in features.faults
        self._taken: dict[CounterId, int] = {}

    def take(self, demand: Demand, candidate: Candidate) -> bool:  # noqa: ARG002
        """Take what the device consumes, if every counter of the pool allows it."""
        if not candidate.device.device.consumesCounters:
            return True
        consumed = consumption(candidate.device)
        budget = self._budgets.get(candidate.device.id.pool_id)
        if budget is None or self._is_blocked(candidate, budget):
            return False
        if any(self._taken.get(key, 0) + amount > budget.available.get(key, 0) for key, amount in consumed.items()):
            return False
        for key, amount in consumed.items():
            self._taken[key] = self._taken.get(key, 0) + amount
        return True

    def _is_blocked(self, candidate: Candidate, budget: CounterBudget) -> bool:
        if not budget.overdrawn:
            return False
        own = {use.counterSet for use in candidate.device.device.consumesCounters or ()}
        return self._whole_pool or any(counter.counter_set in own for counter in budget.overdrawn)

    def release(self, demand: Demand, candidate: Candidate) -> None:  # noqa: ARG002
        """Give the counters back."""
        if not candidate.device.device.consumesCounters:
            return
        for key, amount in consumption(candidate.device).items():
            self._taken[key] -= amount
