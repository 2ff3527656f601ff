"""The prediction: pods in queue order, each one that finds a node using up what it takes (DESIGN, data flow)."""

from collections.abc import Mapping
from typing import Final

from dractl.api.identities import PodRef
from dractl.cluster.cluster import Cluster
from dractl.cluster.state import ClusterState
from dractl.explain.facts import NodeExplanation
from dractl.explain.shortfall import explain_rejections
from dractl.planner.checking import check_attempt
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
        self._outcomes: Final[dict[PodRef, PodOutcome]] = {}
        self.explanations: Final[dict[PodRef, tuple[NodeExplanation, ...]]] = {}

    def predict(self) -> Answer:
        """What becomes of every pod to be planned."""
        for ref in in_queue_order(self._cluster, self._cluster.pods_to_plan()):
            self._outcomes[ref] = self._decide(ref)
        return Answer(tuple(self._outcomes.values()), self._state.claims, self._state.pods)

    def _decide(self, ref: PodRef) -> PodOutcome:
        if reason := self._not_there_yet(ref):
            return PodOutcome(ref, Verdict.WAITING, self._cluster.place_of_pod(ref), waiting_for=reason)
        attempt = schedule_pod(self._state, ref)
        check_attempt(attempt)
        if attempt.outcome.placement is not None:
            carry_out(self._state, attempt.outcome.placement, is_bound=attempt.outcome.verdict is Verdict.PLACED)
        elif attempt.outcome.verdict is Verdict.DOES_NOT_FIT:
            self.explanations[ref] = explain_rejections(self._state, attempt.outcome)
        return attempt.outcome

    def _not_there_yet(self, ref: PodRef) -> str:
        """Why controllers have not finished with the pod: a claim that cannot be made, or an earlier pod of its set."""
        before = self._after.get(ref)
        if before is not None and before in self._outcomes:
            verdict = self._outcomes[before].verdict
            if verdict is not Verdict.PLACED:
                return f"its StatefulSet makes it once {before} runs, which {_is_not(verdict)}"
        return self._waiting.get(ref, "")


def _is_not(verdict: Verdict) -> str:
    return {Verdict.WAITING: "waits", Verdict.DOES_NOT_FIT: "does not fit"}.get(verdict, "is undecided")


def carry_out(state: ClusterState, placement: Placement, *, is_bound: bool) -> None:
    """Change the state as the cluster would: allocations, reservations, and the pod on its node if it is bound."""
    for claim, allocation in placement.allocations.items():
        state.allocate(claim, allocation)
    claims = pod_claims(state, placement.pod)
    if not isinstance(claims, HeldBack):
        for claim in claims:
            state.reserve(claim.claim, placement.pod)
    if is_bound:
        state.bind(placement.pod, placement.node)
    else:
        state.assume(placement.pod, placement.node)
