"""The prediction: pods in queue order, each one that finds a node using up what it takes (DESIGN, data flow)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from dractl.api.identities import PodRef
from dractl.cluster.cluster import Cluster
from dractl.cluster.state import ClusterState
from dractl.explain.facts import NodeExplanation
from dractl.explain.shortfall import explain_rejections
from dractl.planner.certainty import OpenOrders
from dractl.planner.checking import check_plan, plan_start
from dractl.planner.deciding import decide
from dractl.planner.documented import AttemptOf, Retry, documented_fit
from dractl.planner.plan import Answer
from dractl.problem.upstream import Inventory
from dractl.scheduler import Group, Run, in_queue_order, queue_entries, schedule_pod
from dractl.scheduler.gang import try_group
from dractl.solution.outcomes import PodOutcome, Verdict


class Predictor:
    """Decides pod after pod. `waiting` and `after` come from the controllers (`dractl.workloads.Expansion`)."""

    def __init__(self, cluster: Cluster, waiting: Mapping[PodRef, str], after: Mapping[PodRef, PodRef]) -> None:
        self._cluster: Final = cluster
        self._waiting: Final = waiting
        self._after: Final = after
        self._run: Final = Run(ClusterState(cluster), decide, OpenOrders(cluster).weigh)
        self._inventory: Final = Inventory(cluster.slices)
        self.explanations: Final[dict[PodRef, tuple[NodeExplanation, ...]]] = {}

    def predict(self) -> Answer:
        """What becomes of every pod to be planned; raises InternalError if the checker refuses it."""
        queue = in_queue_order(self._cluster, self._cluster.pods_to_plan())
        for entry in queue_entries(self._cluster, queue):
            self._decide_entry(entry)
            while (again := self._run.next_to_retry()) is not None:
                self._decide(again)
        outcomes = tuple(self._run.outcomes[ref] for ref in queue)
        checked_by = self._check(outcomes)
        state = self._run.state
        return Answer(outcomes, state.claims, state.pods, tuple(self._run.preempted), checked_by)

    def _decide_entry(self, entry: PodRef | Group) -> None:
        if isinstance(entry, PodRef):
            self._decide(entry)
            return
        self._run.decide_group(entry)
        members = tuple(entry.members)
        nobody = not any(self._run.outcomes[ref].placement is not None for ref in members)
        for ref in members:
            if nobody:
                self._explain(ref, members, lambda state: try_group(state, entry, decide))
            else:
                self._explain_alone(ref)

    def _decide(self, ref: PodRef) -> None:
        if reason := self._not_there_yet(ref):
            place = self._cluster.place_of_pod(ref)
            self._run.outcomes[ref] = PodOutcome(ref, Verdict.WAITING, place, waiting_for=reason)
            return
        self._run.decide(ref)
        self._explain_alone(ref)

    def _explain_alone(self, ref: PodRef) -> None:
        self._explain(ref, (ref,), lambda state: {ref: schedule_pod(state, ref, decide).outcome})

    def _explain(self, ref: PodRef, together: tuple[PodRef, ...], attempt: AttemptOf) -> None:
        """Why the pod does not fit, and whether that is a fault of this version; `together` are those tried with it."""
        state, outcome = self._run.state, self._run.outcomes[ref]
        self.explanations.pop(ref, None)
        if outcome.verdict is Verdict.DOES_NOT_FIT:
            self.explanations[ref] = explain_rejections(state, outcome)
            fit = documented_fit(state, self._inventory, Retry(ref, together, attempt))
            self._run.outcomes[ref] = replace(outcome, documented=fit)

    def _not_there_yet(self, ref: PodRef) -> str:
        """Why controllers have not finished with the pod: a claim that cannot be made, or an earlier pod of its set."""
        before = self._after.get(ref)
        if before is not None and before in self._run.outcomes:
            verdict = self._run.outcomes[before].verdict
            if verdict is not Verdict.PLACED:
                return f"its StatefulSet makes it once {before} runs, which {_BUT[verdict]}"
        return self._waiting.get(ref, "")

    def _check(self, outcomes: tuple[PodOutcome, ...]) -> str:
        """Replay the placements on the cluster without the pods and allocations that had to go; by which rules."""
        start = ClusterState(self._cluster)
        for victim in self._run.preempted:
            start.delete(victim)
        for claim in self._run.deallocated:
            start.deallocate(claim)
        placements = [outcome.placement for outcome in outcomes if outcome.placement is not None]
        return check_plan(plan_start(start, [outcome.pod for outcome in outcomes], placements), placements)


_BUT: Final = {
    Verdict.WAITING: "waits",
    Verdict.DOES_NOT_FIT: "does not fit",
    Verdict.UNDECIDED: "is undecided",
}
