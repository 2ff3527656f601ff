"""One pod's claims on one node, finished: whoever decides has nothing left to look up."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from dractl.api.core import Node
from dractl.api.identities import PoolId
from dractl.cluster.features import Features
from dractl.cluster.pools import Pool, PoolDevice, PoolState
from dractl.cluster.upstream import UpstreamFault
from dractl.cluster.usage import Usage
from dractl.problem.attributes import AttributeReader
from dractl.problem.candidates import Candidate, CandidateFinder, Unusable
from dractl.problem.capacity import CapacityShare
from dractl.problem.compatibility import CounterSetId, GroupState, initial_groups
from dractl.problem.counters import CounterBudget, counter_budget
from dractl.problem.demands import DEVICES_PER_CLAIM, ClaimDemand, Demand, RequestDemand
from dractl.problem.faults import AllocationFault


class Problem(Struct, frozen=True, eq=False):
    """Everything that decides which devices the claims get on this node.

    `devices` are those of complete pools in the device order (dra.md §4). `all_of` holds, for demands of "All" devices,
    what they have to take. `budgets` and `groups` are what usage leaves. `refusal` is an error that comes before any
    search (dra.md §5); then nothing else needs to be looked at.
    """

    node: Node
    features: Features
    pools: tuple[Pool, ...]
    usage: Usage
    claims: tuple[ClaimDemand, ...]
    devices: tuple[PoolDevice, ...]
    candidates: CandidateFinder
    attributes: AttributeReader
    all_of: Mapping[Demand, tuple[Candidate, ...]]
    budgets: Mapping[PoolId, CounterBudget]
    groups: Mapping[CounterSetId, GroupState]
    refusal: AllocationFault | None

    def needed(self, demand: Demand) -> int:
        """How many devices the demand takes on this node."""
        return len(self.all_of[demand]) if demand.count is None else demand.count

    @property
    def invalid_pools(self) -> tuple[Pool, ...]:
        """Pools that contradict themselves; they turn "nothing fits" into an error of this node (dra.md §12)."""
        return tuple(pool for pool in self.pools if pool.state is PoolState.INVALID)


def build_problem(
    node: Node, pools: Sequence[Pool], claims: Iterable[ClaimDemand], usage: Usage, features: Features
) -> Problem:
    """The problem of these claims on this node; `pools` are the node's, in the scheduler's order."""
    complete = [pool for pool in pools if pool.state is PoolState.COMPLETE]
    finder = CandidateFinder(node, features)
    gathering = _Gathering(tuple(pools), finder, UpstreamFault.ALL_TAKES_UNUSABLE in features.faults, {})
    demands = tuple(claims)
    refusal = next((AllocationFault(pool.because) for pool in pools if pool.state is PoolState.UNREADABLE), None)
    if refusal is None:
        refusal = next((fault for claim in demands if (fault := gathering.check(claim)) is not None), None)
    partitioned = features.partitionable_devices
    return Problem(
        node=node,
        features=features,
        pools=tuple(pools),
        usage=usage,
        claims=demands,
        devices=tuple(device for pool in complete for device in pool.devices),
        candidates=finder,
        attributes=AttributeReader(),
        all_of=MappingProxyType(gathering.all_of),
        budgets={pool.id: counter_budget(pool, usage) for pool in complete if partitioned and pool.counter_sets},
        groups=_groups(complete, usage) if features.compatibility_groups else {},
        refusal=refusal,
    )


def _groups(pools: Iterable[Pool], usage: Usage) -> dict[CounterSetId, GroupState]:
    return {counter_set: state for pool in pools for counter_set, state in initial_groups(pool, usage).items()}


class _Gathering(Struct, frozen=True):
    """The allocator's checks before the search, in its order (dra.md §5, §7)."""

    pools: tuple[Pool, ...]
    finder: CandidateFinder
    takes_unusable: bool
    all_of: dict[Demand, tuple[Candidate, ...]]

    def check(self, claim: ClaimDemand) -> AllocationFault | None:
        accounted = 0
        for request in claim.requests:
            if fault := request.fault or self._check_alternatives(request):
                return fault
            least = min((self._count(demand) for demand in request.alternatives), default=0)
            if accounted + least > DEVICES_PER_CLAIM:
                return _limit_fault(claim, request, least, accounted)
            accounted += least
        return next((constraint.fault for constraint in claim.constraints if constraint.fault), None)

    def _check_alternatives(self, request: RequestDemand) -> AllocationFault | None:
        for demand in request.alternatives:
            if demand.fault is not None:
                return demand.fault
            if demand.wants_all:
                gathered = self._gather(demand)
                if isinstance(gathered, AllocationFault):
                    return gathered
                self.all_of[demand] = gathered
        return None

    def _gather(self, demand: Demand) -> tuple[Candidate, ...] | AllocationFault:
        """Every selectable device of every pool, as long as its capacity could ever satisfy the demand.

        By the documented rules those that nobody can use on this node are left out (dra.md §18).
        """
        found: list[Candidate] = []
        for pool in self.pools:
            if pool.state is not PoolState.COMPLETE:
                return _pool_fault(demand, pool)
            for device in pool.devices:
                candidate = self.finder.look(demand, device)
                if candidate.fault is not None:
                    return candidate.fault
                if self._counts(candidate):
                    found.append(candidate)
        return tuple(found)

    def _counts(self, candidate: Candidate) -> bool:
        if candidate.selectable is not None or not isinstance(candidate.share, CapacityShare):
            return False
        return self.takes_unusable or not isinstance(candidate.refusal, Unusable)

    def _count(self, demand: Demand) -> int:
        return len(self.all_of[demand]) if demand.count is None else demand.count


def _limit_fault(claim: ClaimDemand, request: RequestDemand, least: int, accounted: int) -> AllocationFault:
    text = (
        f"claim {claim.ref}, request {request.name}: adding {least} devices exceeds the claim limit "
        f"of {DEVICES_PER_CLAIM}, with {accounted} already accounted for"
    )
    cause = f"a claim asks for more than {DEVICES_PER_CLAIM} devices"
    return AllocationFault(text, request=request.alternatives[0].ref, cause=cause)


def _pool_fault(demand: Demand, pool: Pool) -> AllocationFault:
    state = "being updated" if pool.state is PoolState.INCOMPLETE else "invalid"
    text = (
        f"claim {demand.ref.claim}, request {demand.spoken_name}: asks for all devices, "
        f"but resource pool {pool.id} is currently {state}"
    )
    cause = f"all devices are asked for, and pool {pool.id} is {pool.state}"
    return AllocationFault(text, request=demand.ref, pools=(pool.id,), cause=cause)
