"""The prediction: pods in queue order, each one that finds a node using up what it takes (DESIGN, data flow)."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from dractl.api.identities import PodRef
from dractl.api.pause import collector_paused
from dractl.cluster.cluster import Cluster
from dractl.cluster.state import ClusterState
from dractl.explain.facts import NodeExplanation
from dractl.explain.shortfall import explain_rejections
from dractl.planner.certainty import OpenOrders
from dractl.planner.checking import check_plan, plan_start
from dractl.planner.deciding import decide
from dractl.planner.documented import AttemptOf, Retry, documented_fit
from dractl.planner.kubelets import Kubelets
from dractl.planner.plan import Answer, Victim
from dractl.problem.upstream import Inventory
from dractl.scheduler import Attempt, Group, Run, in_queue_order, queue_entries, schedule_pod
from dractl.scheduler.gang import try_group
from dractl.solution.outcomes import Placement, PodOutcome, Verdict


class Predictor:
    """Decides pod after pod. `waiting` and `after` come from the controllers (`dractl.workloads.Expansion`).

    `preferred` names the node to take where several are equally good for a pod. With `explains` it finds out why pods
    do not fit, each in the state of its last attempt.
    """

    def __init__(
        self,
        cluster: Cluster,
        waiting: Mapping[PodRef, str],
        after: Mapping[PodRef, PodRef],
        kubelets: Kubelets | None = None,
        preferred: Mapping[PodRef, str] = MappingProxyType({}),
        *,
        explains: bool = True,
    ) -> None:
        kubelets = kubelets or Kubelets({}, {})
        self._cluster: Final = cluster
        self._waiting: Final = waiting
        self._after: Final = after
        self._kubelets: Final = kubelets
        self._explains: Final = explains
        self._orders: Final = OpenOrders(cluster)
        self._run: Final = Run(ClusterState(cluster), decide, self._weigh, kubelets.arrive, preferred)
        self._inventory: Final = Inventory(cluster.slices)
        self.explanations: Final[dict[PodRef, tuple[NodeExplanation, ...]]] = {}

    @property
    def state(self) -> ClusterState:
        """The cluster as it is by now: after `predict`, as it is in the end."""
        return self._run.state

    def predict(self) -> Answer:
        """What becomes of every pod to be planned; raises InternalError if the checker refuses it."""
        with collector_paused():
            return self._predict()

    def _predict(self) -> Answer:
        first = self._kubelets.come_first(self._run.state)
        for outcome in first.values():
            self._run.arrived(outcome)
        queue = in_queue_order(self._cluster, self._cluster.pods_to_plan())
        for entry in queue_entries(self._cluster, queue):
            self._decide_entry(entry)
            while (again := self._run.next_to_retry()) is not None:
                self._decide(again)
        outcomes = tuple(self._run.outcomes[ref] for ref in queue)
        checked_by = self._check(outcomes)
        state = self._run.state
        everyone = (*first.values(), *outcomes)
        # Pods of the plan that were deleted again are shown, as they were before.
        pods = {**state.pods, **{ref: self._cluster.pods[ref] for ref in queue if ref not in state.pods}}
        victims = {ref: Victim(preemptor) for ref, preemptor in self._run.preempted.items()}
        return Answer(everyone, state.claims, pods, victims, self._run.rooms, checked_by, self._kubelets.after)

    def _weigh(self, state: ClusterState, ref: PodRef, attempt: Attempt) -> Attempt:
        return self._kubelets.weigh(state, ref, self._orders.weigh(state, ref, attempt))

    def _decide_entry(self, entry: PodRef | Group) -> None:
        if isinstance(entry, PodRef):
            self._decide(entry)
            return
        self._run.decide_group(entry)
        members = tuple(entry.members)
        nobody = not any(self._run.outcomes[ref].placement is not None for ref in members)
        for ref in members:
            if nobody:
                self._explain(ref, members, lambda state: try_group(state, entry, decide).outcomes)
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
        if self._explains and outcome.verdict is Verdict.DOES_NOT_FIT and outcome.refusal is None:
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
        """Replay the placements on the cluster without what had to go or has failed; by which rules."""
        start = ClusterState(self._cluster)
        for victim in self._run.preempted:
            start.delete(victim)
        for claim in self._run.deallocated:
            start.deallocate(claim)
        for ref, failed in self._run.failed.items():
            if ref in start.nodes[failed.node].pods:
                start.nodes[failed.node].remove(ref)
        turn = {ref: number for number, ref in enumerate(self._run.placed)}
        placements = [outcome.placement for outcome in outcomes if outcome.placement is not None]
        placements.sort(key=lambda placement: turn[placement.pod])
        self._keep_what_failed_pods_share(start, placements)
        return check_plan(
            plan_start(start, [ref for outcome in outcomes if (ref := outcome.pod) in start.pods], placements),
            placements,
        )

    def _keep_what_failed_pods_share(self, start: ClusterState, placements: Sequence[Placement]) -> None:
        """Claims that a failed pod allocated and that others still reserve are allocated when the others come."""
        given = {claim for placement in placements for claim in placement.allocations}
        for failed in self._run.failed.values():
            for claim, allocation in failed.allocations.items():
                after = self._run.state.claims[claim].status.allocation
                if claim in start.claims and claim not in given and after is not None:
                    start.allocate(claim, allocation)


_BUT: Final = {
    Verdict.WAITING: "waits",
    Verdict.DOES_NOT_FIT: "does not fit",
    Verdict.UNDECIDED: "is undecided",
}
