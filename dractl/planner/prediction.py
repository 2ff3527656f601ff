"""The prediction: pods in queue order, each one that finds a node using up what it takes (DESIGN, data flow)."""

from collections.abc import Mapping
from typing import Final

from dractl.api.identities import PodRef
from dractl.cluster.cluster import Cluster
from dractl.cluster.state import ClusterState
from dractl.explain.facts import NodeExplanation
from dractl.explain.shortfall import explain_rejections
from dractl.planner.certainty import CacheOrders
from dractl.planner.checking import check_plan, plan_start
from dractl.planner.deciding import decide
from dractl.planner.plan import Answer
from dractl.scheduler import in_queue_order, schedule_pod
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.solution.outcomes import Placement, PodOutcome, Verdict


class Predictor:
    """Decides pod after pod. `waiting` and `after` come from the controllers (`dractl.workloads.Expansion`)."""

    def __init__(self, cluster: Cluster, waiting: Mapping[PodRef, str], after: Mapping[PodRef, PodRef]) -> None:
        self._cluster: Final = cluster
        self._waiting: Final = waiting
        self._after: Final = after
        self._state: Final = ClusterState(cluster)
        self._orders: Final = CacheOrders(cluster)
        self._outcomes: Final[dict[PodRef, PodOutcome]] = {}
        self.explanations: Final[dict[PodRef, tuple[NodeExplanation, ...]]] = {}

    def predict(self) -> Answer:
        """What becomes of every pod to be planned; raises InternalError if the checker refuses it."""
        queue = in_queue_order(self._cluster, self._cluster.pods_to_plan())
        start = plan_start(self._state, queue)
        for ref in queue:
            self._outcomes[ref] = self._decide(ref)
        outcomes = tuple(self._outcomes.values())
        check_plan(start, [outcome.placement for outcome in outcomes if outcome.placement is not None])
        return Answer(outcomes, self._state.claims, self._state.pods)

    def _decide(self, ref: PodRef) -> PodOutcome:
        if reason := self._not_there_yet(ref):
            return PodOutcome(ref, Verdict.WAITING, self._cluster.place_of_pod(ref), waiting_for=reason)
        outcome = self._orders.weigh(self._state, ref, schedule_pod(self._state, ref, decide))
        if outcome.placement is not None:
            carry_out(self._state, outcome.placement, is_bound=outcome.verdict is Verdict.PLACED)
        elif outcome.verdict is Verdict.DOES_NOT_FIT:
            self.explanations[ref] = explain_rejections(self._state, outcome)
        return outcome

    def _not_there_yet(self, ref: PodRef) -> str:
        """Why controllers have not finished with the pod: a claim that cannot be made, or an earlier pod of its set."""
        before = self._after.get(ref)
        if before is not None and before in self._outcomes:
            verdict = self._outcomes[before].verdict
            if verdict is not Verdict.PLACED:
                return f"its StatefulSet makes it once {before} runs, which {_BUT[verdict]}"
        return self._waiting.get(ref, "")


_BUT: Final = {
    Verdict.WAITING: "waits",
    Verdict.DOES_NOT_FIT: "does not fit",
    Verdict.UNDECIDED: "is undecided",
}


def carry_out(state: ClusterState, placement: Placement, *, is_bound: bool) -> None:
    """Change the state as the cluster would: allocations, reservations, and the pod on its node if it is bound."""
    for claim, allocation in placement.allocations.items():
        state.allocate(claim, allocation)
    claims = pod_claims(state, placement.pod)
    if not isinstance(claims, HeldBack):
        for each in claims:
            state.reserve(each.claim, placement.pod)
    if is_bound:
        state.bind(placement.pod, placement.node)
    else:
        state.assume(placement.pod, placement.node)
