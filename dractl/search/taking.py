"""Taking one device for one demand: every rule in the allocator's order, and undoing all of them (dra.md §11)."""

from collections.abc import Hashable
from enum import Enum
from typing import Final

from dractl.cluster.pools import PoolDevice
from dractl.cluster.upstream import UpstreamFault
from dractl.problem.candidates import Candidate
from dractl.problem.demands import ClaimDemand, Demand
from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem
from dractl.search.capacity import CapacityLedger
from dractl.search.compatibility import GroupStates
from dractl.search.constraints import ConstraintRule, constraint_rules
from dractl.search.counters import CounterLedger
from dractl.search.occupancy import Occupancy
from dractl.search.rules import Rule


class Taking(Enum):
    """What became of taking a device."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    REFUSED_BY_CONSTRAINT = "refused by a constraint of the claim"


class Attempt:
    """What one attempt has taken so far. `take` changes nothing when it refuses; `release` undoes the latest take."""

    def __init__(self, problem: Problem) -> None:
        features = problem.features
        self._occupancy: Final = Occupancy(problem.usage, features)
        self._capacity: Final = CapacityLedger(problem.usage)
        self._admin_pays: Final = UpstreamFault.ADMIN_PAYS_COUNTERS in features.faults
        self._of_device: Final[list[Rule]] = []
        if features.compatibility_groups:
            self._of_device.append(GroupStates(problem.groups))
        if features.partitionable_devices:
            self._of_device.append(CounterLedger(problem.budgets, features))
        self._constraints: Final[dict[ClaimDemand, list[ConstraintRule]]] = {
            claim: constraint_rules(claim.constraints, problem.attributes, features.list_type_attributes)
            for claim in problem.claims
        }
        self._unpaid: Final[dict[ClaimDemand, list[Rule]]] = {
            claim: [*rules, self._occupancy, self._capacity] for claim, rules in self._constraints.items()
        }
        self._paying: Final[dict[ClaimDemand, list[Rule]]] = {
            claim: [*self._of_device, *rules] for claim, rules in self._unpaid.items()
        }
        self._applied: Final[list[list[Rule]]] = []

    def is_in_use(self, demand: Demand, device: PoolDevice) -> bool:
        """Whether somebody has the device, so that the demand is not even evaluated on it."""
        return self._occupancy.is_in_use(demand, device)

    def has_capacity(self, candidate: Candidate) -> bool:
        """Whether what is left of the device's capacity suffices."""
        return self._capacity.suffices(candidate)

    def standing(self, device: PoolDevice) -> tuple[Hashable, ...]:
        """What this attempt has done to the device so far: with its kind, all that tells it from others."""
        return (*self._occupancy.standing(device), *self._capacity.standing(device))

    def standing_of_constraints(self, claim: ClaimDemand) -> tuple[Hashable, ...]:
        """What the claim's constraints have seen so far."""
        return tuple(rule.standing() for rule in self._constraints[claim])

    def take(self, claim: ClaimDemand, demand: Demand, candidate: Candidate) -> Taking | AllocationFault:
        """Take the device if every rule accepts it."""
        if self._occupancy.is_in_use(demand, candidate.device) or candidate.refusal is not None:
            return Taking.REFUSED
        rules = self._rules(claim, demand, candidate)
        for number, rule in enumerate(rules):
            accepted = rule.take(demand, candidate)
            if accepted is True:
                continue
            _undo(rules[:number], demand, candidate)
            if isinstance(accepted, AllocationFault):
                return accepted
            return Taking.REFUSED_BY_CONSTRAINT if isinstance(rule, ConstraintRule) else Taking.REFUSED
        self._applied.append(rules)
        return Taking.ACCEPTED

    def release(self, demand: Demand, candidate: Candidate) -> None:
        """Undo the latest take."""
        _undo(self._applied.pop(), demand, candidate)

    def _rules(self, claim: ClaimDemand, demand: Demand, candidate: Candidate) -> list[Rule]:
        """The first share of a device pays its counters and settles its groups for all further ones.

        By the documented rules admin access does neither (dra.md §18).
        """
        pays = self._admin_pays or not demand.admin_access
        is_first = pays and not self._occupancy.is_shared(candidate)
        return self._paying[claim] if is_first else self._unpaid[claim]


def _undo(rules: list[Rule], demand: Demand, candidate: Candidate) -> None:
    for rule in reversed(rules):
        rule.release(demand, candidate)
