"""Whether an outcome would be another one if a choice fell differently that nothing fixes (DESIGN, decision 11)."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.core import Node
from dractl.api.identities import PodRef
from dractl.api.resource import ResourceClaim, ResourceSlice
from dractl.cluster.cluster import Cluster
from dractl.cluster.contradictions import contradictions
from dractl.cluster.features import GATES, Implementation
from dractl.cluster.pools import PoolIndex, PoolState
from dractl.cluster.state import ClusterState
from dractl.planner.deciding import decide
from dractl.problem.candidates import CandidateFinder
from dractl.problem.demands import Demand, alternatives_of, demands_of
from dractl.scheduler import Attempt, schedule_pod
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.solution.outcomes import PodOutcome, Verdict


class _Order(Struct, frozen=True):
    """Another order that the cluster may have: why nothing fixes it, what is ordered, and the pools in it."""

    because: str
    kind: str
    pools: PoolIndex


class OpenOrders:
    """The orders of pools and slices that a cluster does not fix."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster: Final = cluster
        self._of_the_cache: Final = [
            _Order(str(contradiction), "order of the scheduler's cache", PoolIndex(order, cluster.features))
            for contradiction in contradictions(cluster.slices)
            for order in contradiction.orders(cluster.slices)
        ]

    def weigh(self, state: ClusterState, ref: PodRef, attempt: Attempt) -> Attempt:
        """The attempt as it is, or marked: undecided if another order changes whether the pod fits."""
        outcome = attempt.outcome
        doubts: dict[str, None] = {}
        for order in (*self._of_the_cache, *self._of_the_allocator(state, attempt.outcome)):
            other = schedule_pod(state.seen_through(order.pools), ref, decide).outcome
            if other.verdict is not outcome.verdict:
                why = f"{order.because}: {_listed(outcome)} or {_listed(other)}, by the {order.kind}"
                undecided = replace(outcome, verdict=Verdict.UNDECIDED, placement=None, message="", uncertain=why)
                return Attempt(undecided)
            if other.placement != outcome.placement:
                doubts[f"{order.because}: in another {order.kind} it gets other devices"] = None
        if not doubts:
            return attempt
        known = [outcome.uncertain] if outcome.uncertain else []
        return replace(attempt, outcome=replace(outcome, uncertain="; ".join([*known, *doubts])))

    def _of_the_allocator(self, state: ClusterState, outcome: PodOutcome) -> Iterator[_Order]:
        """With the stable allocator: each slice first that the pod could be served from, or fail at."""
        features = self._cluster.features
        if features.implementation is not Implementation.STABLE:
            return
        off = [GATES[field] for field in ("consumable_capacity", "binding_conditions")]
        because = f"the stable allocator answers while {' and '.join(off)} are off, and its order of pools is not fixed"
        for node in _nodes_in_question(state, outcome):
            for slice_ in _could_serve(state, node, outcome):
                yield _Order(because, "order of pools", self._cluster.pools.trying_first(slice_))


def _nodes_in_question(state: ClusterState, outcome: PodOutcome) -> Iterator[Node]:
    """The node that the pod gets, or those of the device that an error is about."""
    nodes = state.cluster.nodes
    if outcome.placement is not None:
        yield nodes[outcome.placement.node]
    elif outcome.aborted is not None and outcome.aborted.device is not None:
        for node in nodes.values():
            if any(pool.id == outcome.aborted.device.pool_id for pool in state.pools_of(node)):
                yield node


def _could_serve(state: ClusterState, node: Node, outcome: PodOutcome) -> list[ResourceSlice]:
    """The slices with a device that a request for a number of devices may take, or whose look at it is an error."""
    demands = [demand for demand in _demands(state, outcome) if not demand.wants_all]
    finder = CandidateFinder(node, state.cluster.features)
    slices: dict[int, ResourceSlice] = {}
    for pool in state.pools_of(node):
        for device in pool.devices if pool.state is PoolState.COMPLETE else ():
            looks = (finder.look(demand, device) for demand in demands)
            if id(device.slice) not in slices and any(look.is_usable or look.fault is not None for look in looks):
                slices[id(device.slice)] = device.slice
    return list(slices.values())


def _demands(state: ClusterState, outcome: PodOutcome) -> Iterator[Demand]:
    for claim in _unallocated(state, outcome):
        yield from alternatives_of(demands_of(claim, state.cluster.classes, state.cluster.features).requests)


def _unallocated(state: ClusterState, outcome: PodOutcome) -> Iterator[ResourceClaim]:
    claims = pod_claims(state, outcome.pod)
    for each in () if isinstance(claims, HeldBack) else claims:
        claim = state.claims[each.claim]
        if claim.status.allocation is None:
            yield claim
    if outcome.placement is not None and outcome.placement.special is not None:
        yield outcome.placement.special.claim


def _listed(outcome: PodOutcome) -> str:
    return "the pod is placed" if outcome.verdict is Verdict.PLACED else f"the pod {_VERBS[outcome.verdict]}"


_VERBS: Final = {
    Verdict.WAITING: "waits",
    Verdict.DOES_NOT_FIT: "does not fit",
    Verdict.UNDECIDED: "is undecided",
}
