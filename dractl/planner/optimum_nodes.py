"""The kubelets beside the joint model: who is on the nodes before its pods come, and the nodes afterwards."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from dractl.api.identities import PodRef
from dractl.cluster.state import ClusterState
from dractl.kubelet import KubeletState, MissingFacts
from dractl.planner.admitting import Admitted
from dractl.planner.kubelets import Kubelets, NodeAfter
from dractl.planner.node_start import StartedNode
from dractl.scheduler.failing import fail
from dractl.solution.node_share import KubeletRefusal
from dractl.solution.outcomes import Placement, PodOutcome, Verdict


class OptimumNodes:
    """The nodes of one optimum. `first` are pods that name their node: they come to it before all others."""

    def __init__(self, state: ClusterState, started: Mapping[str, StartedNode]) -> None:
        self._state: Final = state
        self._started: Final = started
        self._kubelets: Final = Kubelets(started, state.cluster.pods)
        self.first: Final = self._kubelets.come_first(state)
        for outcome in self.first.values():
            self._let_fail(outcome)

    def keep(self, outcomes: Iterable[PodOutcome]) -> dict[PodRef, PodOutcome]:
        """Pods that stay as predicted come next; a kubelet may answer otherwise than in the prediction."""
        kept: dict[PodRef, PodOutcome] = {}
        for outcome in outcomes:
            if outcome.placement is not None and outcome.verdict is Verdict.PLACED:
                arrived = self._kubelets.arrive(self._state, outcome)
                self._let_fail(arrived)
                kept[outcome.pod] = arrived
            else:
                kept[outcome.pod] = outcome
        return kept

    @property
    def open(self) -> Mapping[str, KubeletState]:
        """The nodes whose kubelets answer, as they are now."""
        closed = self.closed
        return {name: after.state for name, after in self._kubelets.after.items() if name not in closed}

    @property
    def closed(self) -> frozenset[str]:
        """Nodes on which no further pod can run: their kubelet does not start, or has stopped."""
        broken = {
            name for name, node in self._started.items() if not isinstance(node.kubelet, KubeletState | MissingFacts)
        }
        return frozenset(broken | self._kubelets.stopped)

    def after(self, nodes: Mapping[str, Admitted]) -> Mapping[str, NodeAfter]:
        """All nodes when the model's pods have come."""
        after = dict(self._kubelets.after)
        for name, admitted in nodes.items():
            counts = (*after[name].counts, *(answer.counts for answer in admitted.answers))
            after[name] = replace(after[name], state=admitted.state, counts=counts)
        return after

    def _let_fail(self, outcome: PodOutcome) -> None:
        if isinstance(outcome.refusal, KubeletRefusal):
            fail(self._state, Placement(outcome.pod, outcome.refusal.node), outcome.refusal.reason, outcome.message)


def orders_that_matter(nodes: Mapping[str, Admitted], queue: Sequence[PodRef]) -> Mapping[str, tuple[PodRef, ...]]:
    """The nodes to which pods have to come in another order than that of the queue."""
    turn = {ref: number for number, ref in enumerate(queue)}
    return {
        name: admitted.order
        for name, admitted in sorted(nodes.items())
        if list(admitted.order) != sorted(admitted.order, key=lambda ref: turn[ref])
    }
