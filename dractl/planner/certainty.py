"""Whether an outcome would be another one if a choice fell differently that nothing fixes (DESIGN, decision 11)."""

from dataclasses import replace
from typing import Final

from dractl.api.identities import PodRef
from dractl.cluster.cluster import Cluster
from dractl.cluster.contradictions import Contradiction, contradictions
from dractl.cluster.pools import PoolIndex
from dractl.cluster.state import ClusterState
from dractl.planner.deciding import decide
from dractl.scheduler import Attempt, schedule_pod
from dractl.solution.outcomes import PodOutcome, Verdict


class CacheOrders:
    """The orders in which the scheduler's cache may list the slices of contradictory pools."""

    def __init__(self, cluster: Cluster) -> None:
        self._others: Final[list[tuple[Contradiction, PoolIndex]]] = [
            (contradiction, PoolIndex(order, cluster.features))
            for contradiction in contradictions(cluster.slices)
            for order in contradiction.orders(cluster.slices)
        ]

    def weigh(self, state: ClusterState, ref: PodRef, attempt: Attempt) -> Attempt:
        """The attempt as it is, or marked: undecided if another order changes whether the pod fits."""
        for contradiction, pools in self._others:
            outcome = attempt.outcome
            other = schedule_pod(state.seen_through(pools), ref, decide).outcome
            if other.verdict is not outcome.verdict:
                why = f"{contradiction}: {_listed(outcome)} or {_listed(other)}, by the order of the scheduler's cache"
                undecided = replace(outcome, verdict=Verdict.UNDECIDED, placement=None, message="", uncertain=why)
                return Attempt(undecided)
            if other.placement != outcome.placement:
                why = f"{contradiction}: in another order of the scheduler's cache it gets other devices"
                attempt = replace(attempt, outcome=replace(outcome, uncertain=why))
        return attempt


def _listed(outcome: PodOutcome) -> str:
    return "the pod is placed" if outcome.verdict is Verdict.PLACED else f"the pod {_VERBS[outcome.verdict]}"


_VERBS: Final = {
    Verdict.WAITING: "waits",
    Verdict.DOES_NOT_FIT: "does not fit",
    Verdict.UNDECIDED: "is undecided",
}
