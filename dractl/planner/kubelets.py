"""The kubelets while pods come to their nodes: one after the other, in the order in which they are bound."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from dractl.api.core import Pod
from dractl.api.identities import PodRef
from dractl.cluster.state import ClusterState
from dractl.kubelet import (
    Admission,
    Isolation,
    KubeletState,
    MissingFacts,
    Stopped,
    admit,
    removed,
    settled,
    sight,
    uid_of,
)
from dractl.kubelet.demand import Role
from dractl.kubelet.figures import Counts
from dractl.machine.idsets import NO_CPUS, NumaSet
from dractl.planner.deciding import decide
from dractl.planner.fitting import misfit, pods_that_name_their_node
from dractl.planner.node_start import StartedNode
from dractl.scheduler import Attempt, schedule_pod
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.solution.node_share import ContainerShare, KubeletRefusal, KubeletStop, NodeShare, Pool
from dractl.solution.outcomes import Placement, PodOutcome, Verdict

_STOPPED: Final = -1
"""The kind of all nodes whose kubelets have stopped."""
_REJECTED: Final = "Pod was rejected: "
_POOLS: Final = {Isolation.HOST: Pool.NODE, Isolation.POD: Pool.POD, Isolation.CONTAINER: Pool.OWN}


class Arrival(Struct, frozen=True, eq=False):
    """A pod that came to a node, and the kubelet's answer; `before` is the node as it found it."""

    pod: PodRef
    node: str
    before: KubeletState
    answer: Admission | Stopped


class NodeAfter(Struct, frozen=True, eq=False):
    """A node when all pods have come, and what each admission added to the kubelet's counters."""

    state: KubeletState
    counts: tuple[Counts, ...]


class _Running(Struct):
    """A node's kubelet at work: the UIDs of the pods that it has let in, and the pod that it stopped on."""

    start: StartedNode
    state: KubeletState
    uids: dict[PodRef, str] = field(default_factory=dict)
    stopped_by: Arrival | None = None


class Kubelets:
    """The kubelets of one course of events. `arrivals` are all pods that came to a kubelet, in order."""

    def __init__(self, started: Mapping[str, StartedNode], pods: Mapping[PodRef, Pod]) -> None:
        self._started: Final = started
        self._nodes: Final = {
            name: _Running(node, node.kubelet, {ref: uid_of(pods[ref]) for ref in node.running if ref in pods})
            for name, node in started.items()
            if isinstance(node.kubelet, KubeletState)
        }
        self.arrivals: Final[list[Arrival]] = []
        self._failures: Final[dict[PodRef, Placement]] = {}
        self._kinds: Final[dict[Hashable, int]] = {}
        self._kind_of: Final[dict[str, int]] = {}
        for running in self._nodes.values():
            self._becomes(running, running.state)

    def knows(self, node: str) -> bool:
        """Whether the kubelet of the node can be asked."""
        return node in self._nodes

    @property
    def after(self) -> Mapping[str, NodeAfter]:
        """The nodes when they have come to rest, so that failed pods hold nothing any more; and what was counted."""
        counts: dict[str, list[Counts]] = {}
        for arrival in self.arrivals:
            if isinstance(arrival.answer, Admission):
                counts.setdefault(arrival.node, []).append(arrival.answer.counts)
        return {name: NodeAfter(settled(node.state), tuple(counts.get(name, ()))) for name, node in self._nodes.items()}

    @property
    def stopped(self) -> frozenset[str]:
        """The nodes whose kubelets hang or crash."""
        return frozenset(name for name, node in self._nodes.items() if node.stopped_by is not None)

    # --- asked by the scheduler's run ---------------------------------------------------------------------------------

    def weigh(self, state: ClusterState, ref: PodRef, attempt: Attempt) -> Attempt:
        """The attempt as it is, or marked: the cluster may choose between nodes whose kubelets answer differently, or
        what a failed pod held may not be free yet."""
        outcome = attempt.outcome
        if self._failures and not self._is_the_same_with_failed_pods(state, ref, attempt):
            failed = _some([str(each) for each in self._failures])
            outcome = _marked(outcome, f"{failed} failed before; when what failed pods held is free again is not fixed")
        if outcome.verdict is Verdict.PLACED and len(outcome.tied) > 1:
            outcome = self._weigh_ties(state.pods[ref], outcome)
        return attempt if outcome is attempt.outcome else replace(attempt, outcome=outcome)

    def arrive(self, state: ClusterState, outcome: PodOutcome) -> PodOutcome:
        """What becomes of a pod that was bound: with what it has of the node, or why it fails there."""
        placement = outcome.placement
        if placement is None:
            return outcome
        broken = self._started.get(placement.node)
        if placement.node not in self._nodes:
            if broken is None or isinstance(broken.kubelet, MissingFacts):
                return outcome
            waiting = f"the kubelet of {placement.node}, which does not start"
            return replace(outcome, verdict=Verdict.WAITING, waiting_for=waiting)
        node = self._nodes[placement.node]
        self._forget_gone(state, node)
        if node.stopped_by is not None:
            waiting = f"the kubelet of {placement.node}, which does not answer since {node.stopped_by.pod} came"
            return replace(outcome, verdict=Verdict.WAITING, waiting_for=waiting)
        return self._answered(node, outcome, placement, state.pods[outcome.pod])

    def come_first(self, state: ClusterState) -> dict[PodRef, PodOutcome]:
        """Pods that name their node and that its kubelet has not looked at yet, in the order of their creation.

        Of nodes whose machines are not known only the pods that do not fit there.
        """
        coming = [(ref, name) for name, node in self._started.items() for ref in node.pending if ref in state.pods]
        coming += pods_that_name_their_node(state, self._started)
        created = {ref: state.pods[ref].metadata.creationTimestamp for ref, _ in coming}
        coming.sort(key=lambda each: (created[each[0]] is None, created[each[0]] or ""))
        outcomes: dict[PodRef, PodOutcome] = {}
        not_there = {ref for ref, _ in coming}
        for ref, name in coming:
            outcome = self._comes(state, ref, name, not_there)
            if outcome.refusal is None:
                not_there.remove(ref)
            if outcome.refusal is not None or name in self._started:
                outcomes[ref] = outcome
        return outcomes

    def _comes(self, state: ClusterState, ref: PodRef, node: str, not_there: Collection[PodRef]) -> PodOutcome:
        place = state.cluster.place_of_pod(ref)
        outcome = self.arrive(state, PodOutcome(ref, Verdict.PLACED, place, placement=Placement(ref, node)))
        if outcome.verdict is not Verdict.PLACED:
            return outcome
        refusal = misfit(state, ref, node, not_there)
        if refusal is not None:
            self._leaves_at_once(ref, node)
            return PodOutcome(ref, Verdict.DOES_NOT_FIT, place, refusal=refusal)
        lacking = _without_devices(state, ref)
        return replace(outcome, verdict=Verdict.WAITING, waiting_for=lacking) if lacking else outcome

    def _leaves_at_once(self, ref: PodRef, name: str) -> None:
        """The managers had let the pod in; what they gave it comes back when the next pod comes (kubelet.md §1)."""
        self._failures[ref] = Placement(ref, name)
        node = self._nodes.get(name)
        if node is None:
            return
        uid = node.uids.pop(ref)
        active = {key: pod for key, pod in node.state.active.items() if key != uid}
        self._becomes(node, replace(node.state, active=active))
        self.arrivals.pop()

    # --- one pod ------------------------------------------------------------------------------------------------------

    def _answered(self, node: _Running, outcome: PodOutcome, placement: Placement, pod: Pod) -> PodOutcome:
        before, answer = node.state, admit(node.state, pod)
        arrival = Arrival(outcome.pod, placement.node, before, answer)
        self.arrivals.append(arrival)
        if isinstance(answer, Stopped):
            node.stopped_by = arrival
            self._kind_of[placement.node] = _STOPPED
            stop = KubeletStop(placement.node, str(answer.how), answer.fault.effect)
            return replace(outcome, verdict=Verdict.DOES_NOT_FIT, placement=None, refusal=stop)
        self._becomes(node, answer.state)
        if answer.refusal is not None:
            self._failures[outcome.pod] = placement
            refusal = KubeletRefusal(placement.node, str(answer.refusal.reason), answer.refusal.message)
            message = f"{_REJECTED}{answer.refusal.message}"
            return replace(
                outcome, verdict=Verdict.DOES_NOT_FIT, placement=None, refusal=refusal, message=message, rejections=()
            )
        node.uids[outcome.pod] = answer.uid
        placed = replace(outcome, placement=replace(placement, share=share_of(answer)))
        return _marked(placed, _open_choice(answer)) if answer.open_choices else placed

    def _forget_gone(self, state: ClusterState, node: _Running) -> None:
        """Pods that were deleted to make room have given back what they held."""
        there = state.nodes[node.start.name].pods
        for ref in [ref for ref in node.uids if ref not in there]:
            self._becomes(node, removed(node.state, node.uids.pop(ref)))

    def _becomes(self, node: _Running, state: KubeletState) -> None:
        """The node has changed."""
        node.state = state
        self._kind_of[node.start.name] = self._kinds.setdefault(sight(state), len(self._kinds))

    def _is_the_same_with_failed_pods(self, state: ClusterState, ref: PodRef, attempt: Attempt) -> bool:
        """Whether the scheduler would decide alike if failed pods still held CPU, memory and devices."""
        if any(placement.allocations for placement in self._failures.values()) and state.pods[ref].spec.resourceClaims:
            return False
        before = state
        for failed, placement in self._failures.items():
            node = before.nodes[placement.node].copy()
            node.add(failed, before.pods[failed], placement.extra)
            before = before.with_node(node)
        other, outcome = schedule_pod(before, ref, decide).outcome, attempt.outcome
        return other.verdict is outcome.verdict and other.placement == outcome.placement

    def _weigh_ties(self, pod: Pod, outcome: PodOutcome) -> PodOutcome:
        """Undecided where some of the nodes that the scheduler may take let the pod in and others do not."""
        one_of_each = dict(zip(map(self._kind_of.get, outcome.tied), outcome.tied, strict=True))
        answers = {kind: _answer_text(self._nodes.get(name), pod) for kind, name in one_of_each.items()}
        if len(set(answers.values())) == 1 or "" not in answers.values():
            return outcome
        texts: dict[str, list[str]] = {}
        for name in outcome.tied:
            texts.setdefault(answers[self._kind_of.get(name)], []).append(name)
        refusing = "; ".join(f"on {_some(names)} {text}" for text, names in texts.items() if text)
        why = f"{outcome.uncertain}, and {refusing}; on {_some(texts[''])} it may run"
        return replace(outcome, verdict=Verdict.UNDECIDED, placement=None, uncertain=why)


def _without_devices(state: ClusterState, ref: PodRef) -> str:
    """What a pod that names its node waits for: nobody allocates claims for it (controllers.md §4)."""
    claims = pod_claims(state, ref)
    if isinstance(claims, HeldBack):
        return claims.text
    lacking = [each.claim.name for each in claims if state.claims[each.claim].status.allocation is None]
    return f"devices of claim {lacking[0]}: nobody allocates for a pod that names its node" if lacking else ""


def _answer_text(node: _Running | None, pod: Pod) -> str:
    """How a node would refuse the pod, or nothing."""
    if node is None:
        return ""
    if node.stopped_by is not None:
        return "the kubelet does not answer"
    answer = admit(node.state, pod)
    if isinstance(answer, Stopped):
        return f"the kubelet would {answer.how}"
    return f"the kubelet refuses it ({answer.refusal.reason})" if answer.refusal is not None else ""


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def _marked(outcome: PodOutcome, because: str) -> PodOutcome:
    return replace(outcome, uncertain="; ".join(filter(None, (outcome.uncertain, because))))


def _open_choice(answer: Admission) -> str:
    resources = sorted({resource for _, resource in answer.open_choices})
    return f"which devices of {', '.join(resources)} the kubelet takes is not fixed"


# --- what a pod has --------------------------------------------------------------------------------------------------


def share_of(answer: Admission) -> NodeShare:
    """What an admitted pod has while it works."""
    machine = answer.state.kubelet.machine
    containers = tuple(_containers(answer))
    working = [each for each in containers if not each.runs_first]
    own = answer.pod_cpus
    for each in working:
        own |= each.cpus
    memory = [*answer.pod_memory, *(block for each in working for block in each.memory)]
    nodes = machine.numa_nodes_of(own) if own else NumaSet(node for block in memory for node in block.nodes)
    return NodeShare(containers, answer.pod_cpus, answer.pod_memory, own, nodes)


def _containers(answer: Admission) -> Iterator[ContainerShare]:
    kubelet = answer.state.kubelet
    known = kubelet.inventory.devices
    for container in answer.demand.containers:
        grant = answer.containers[container.name]
        pool = _POOLS[grant.cpu_isolation]
        cpus = grant.cpus if pool is not Pool.NODE else NO_CPUS
        held = (grant.devices or {}).items()
        yield ContainerShare(
            container.name,
            cpus,
            pool,
            kubelet.machine.numa_nodes_of(cpus),
            grant.memory,
            tuple(known[resource][each] for resource, names in sorted(held) for each in sorted(names)),
            runs_first=container.role is Role.INIT,
        )
