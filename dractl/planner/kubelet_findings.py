"""What is to be said about the kubelets after the pods have come: faults, and what happens when they start again."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from dractl.api.identities import PodRef
from dractl.cluster.cluster import Cluster
from dractl.finding import Finding, Severity
from dractl.gates import Gates
from dractl.kubelet import Admission, KubeletFault, KubeletState, Restart, StartFailure, Stopped, restart, sight, uid_of
from dractl.kubelet.ownership import owned_twice
from dractl.machine.idsets import CpuSet, NumaSet
from dractl.planner.kubelets import Arrival, Kubelets, share_of
from dractl.solution.node_share import NodeShare, Pool

_NAMED: Final = 4


class _Course(Struct, frozen=True):
    """What happened on one node."""

    node: str
    arrivals: Sequence[Arrival]
    start: KubeletState
    end: KubeletState
    names: Mapping[str, str]

    def name(self, uid: str) -> str:
        """The pod with this UID, as people know it."""
        return self.names.get(uid, f"pod {uid}")


class KubeletFindings:
    """Looks back on what the kubelets did in one course of events."""

    def __init__(self, cluster: Cluster, gates: Gates, kubelets: Kubelets) -> None:
        self._cluster: Final = cluster
        self._gates: Final = gates
        self._kubelets: Final = kubelets
        self._sound: Final[set[Hashable]] = set()

    def all(self) -> Iterator[Finding]:
        """Everything that there is to say, node by node."""
        for course in self._courses():
            for arrival in course.arrivals:
                if isinstance(arrival.answer, Admission):
                    yield from self._of_arrival(arrival, arrival.answer)
            yield from self._of_owners(course)
            yield from self._of_next_start(course)

    def _courses(self) -> Iterator[_Course]:
        by_node: dict[str, list[Arrival]] = {}
        for arrival in self._kubelets.arrivals:
            by_node.setdefault(arrival.node, []).append(arrival)
        names = {uid_of(pod): str(ref) for ref, pod in self._cluster.pods.items()} if by_node else {}
        for node, after in self._kubelets.after.items():
            if node in by_node:
                arrivals = by_node[node]
                yield _Course(node, arrivals, arrivals[0].before, after.state, names)

    # --- as a pod comes -----------------------------------------------------------------------------------------------

    def _of_arrival(self, arrival: Arrival, answer: Admission) -> Iterator[Finding]:
        share = share_of(answer)
        yield from self._of_faults(arrival, answer, share)
        if not answer.admitted:
            return
        if answer.state.kubelet.cpu is not None and not answer.state.cpus.default:
            yield from self._of_empty_pool(arrival, share)
        groups = [block for block in share.memory if len(block.nodes) > 1]
        if groups:
            nodes = NumaSet.of_mask(_union(block.nodes.mask for block in groups))
            yield self._finding(
                "kubelet/memory-group",
                Severity.INFO,
                f"its memory comes from NUMA nodes {nodes} of {arrival.node} as one group: while it runs, "
                "no later pod gets memory of one of them alone",
                arrival.pod,
            )

    def _of_empty_pool(self, arrival: Arrival, share: NodeShare) -> Iterator[Finding]:
        """Said where the pool becomes empty, and at every pod that would need it."""
        remedy = "leave at least one CPU that no container has for itself"
        if arrival.before.cpus.default:
            message = (
                f"it takes the last CPUs of the shared pool of {arrival.node}: from then on pods without CPUs of their "
                "own get no CPU set there, and may run on its CPUs"
            )
            yield self._finding("kubelet/shared-pool-emptied", Severity.WARNING, message, arrival.pod, remedy)
        if any(each.pool is Pool.NODE for each in share.containers):
            message = (
                f"the shared pool of {arrival.node} is empty: the pod gets no CPU set, and may run on others' CPUs"
            )
            yield self._finding("kubelet/empty-shared-pool", Severity.WARNING, message, arrival.pod, remedy)

    def _of_faults(self, arrival: Arrival, answer: Admission, share: NodeShare) -> Iterator[Finding]:
        for fault in sorted(answer.faults):
            message = f"on {arrival.node}: {fault.effect}"
            if fault is KubeletFault.TAKES_RESERVED and answer.state.kubelet.cpu is not None:
                taken = CpuSet.of_mask(answer.state.kubelet.cpu.reserved & _all_cpus(share).mask)
                message = f"CPU {taken} of reservedSystemCPUs is handed out {message}" if taken else message
            yield self._finding(
                f"kubelet/{fault}", Severity.WARNING, message, arrival.pod, "a fault of Kubernetes v1.37.2"
            )

    # --- when all have come -------------------------------------------------------------------------------------------

    def _of_owners(self, course: _Course) -> Iterator[Finding]:
        for owned in owned_twice(course.end.cpus):
            first, second = course.name(owned.first), course.name(owned.second)
            yield Finding(
                "kubelet/owned-twice",
                Severity.ERROR,
                f"{first} and {second} both have CPU {owned.cpus} for themselves",
                None,
                f"node {course.node}",
                "a fault of Kubernetes v1.37.2: give the second pod another node, or another number of CPUs",
            )

    def _of_next_start(self, course: _Course) -> Iterator[Finding]:
        known = _without_names(course.end)
        if known in self._sound:
            return
        again = self._restarted(course.end)
        if isinstance(again, StartFailure):
            yield from self._of_failing_start(course)
        elif isinstance(again, Stopped):
            message = f"when its kubelet starts again it will {again.how}: {again.fault.effect}"
            yield Finding("kubelet/next-start", Severity.WARNING, message, None, f"node {course.node}")
        elif isinstance(again, Restart):
            refused = [str(each.pod) for each in again.readmitted if not each.admitted]
            if refused:
                yield Finding(
                    "kubelet/next-start",
                    Severity.WARNING,
                    f"when its kubelet starts again it refuses {_some(refused)}, although they run",
                    None,
                    f"node {course.node}",
                    "a fault of Kubernetes v1.37.2",
                )
            else:
                self._sound.add(known)

    def _of_failing_start(self, course: _Course) -> Iterator[Finding]:
        """Say it at the pod after which it fails; nothing where it would have failed before as well."""
        if isinstance(self._restarted(course.start), StartFailure):
            return
        for arrival in course.arrivals:
            if isinstance(arrival.answer, Admission):
                found = self._restarted(arrival.answer.state)
                if isinstance(found, StartFailure):
                    pool = "leave at least one CPU in the shared pool" if not arrival.answer.state.cpus.default else ""
                    yield self._finding(
                        "kubelet/next-start",
                        Severity.WARNING,
                        f"from then on the kubelet of {course.node} does not start again: {found.message}",
                        arrival.pod,
                        pool or "before the next start, drain the node and delete the state file",
                    )
                    return

    def _restarted(self, state: KubeletState) -> object:
        return restart(state, None, self._gates)

    def _finding(self, rule: str, severity: Severity, message: str, pod: PodRef, remedy: str = "") -> Finding:
        return Finding(rule, severity, message, self._cluster.place_of_pod(pod), f"Pod {pod}", remedy)


def _without_names(state: KubeletState) -> Hashable:
    """A node with what each of its pods asks for and holds; two that are equal start again in the same way."""
    held = []
    for uid, pod in state.active.items():
        cpus, memory = state.cpus.pods.get(uid), state.memory.pods.get(uid)
        held.append(
            (
                state.kubelet.demand_of(pod),
                (cpus.pod, *cpus.containers.items()) if cpus is not None else (),
                (memory.pod, *memory.containers.items()) if memory is not None else (),
            )
        )
    return sight(state), tuple(held)


def _all_cpus(share: NodeShare) -> CpuSet:
    """The CPUs that the pod has for itself at any time, those of its init containers too."""
    return CpuSet.of_mask(_union([share.cpus.mask, *(each.cpus.mask for each in share.containers)]))


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"
