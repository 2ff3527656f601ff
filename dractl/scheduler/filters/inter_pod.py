"""Required affinity and anti-affinity between pods (scheduling.md §4, 12)."""

from collections import Counter
from collections.abc import Iterable

from dractl.api.core import Pod
from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.pod_terms import Namespaces, PodTerm, finish
from dractl.scheduler.refusal import Code, Plugin, Refused
from dractl.solution.outcomes import PodsInTheWay

Domain = tuple[str, str]
"""A topology key and a value."""


class InterPodAffinity:
    """What the pods that are there mean for the one that comes; counted once for all nodes."""

    def __init__(self, pod: PodInfo, state: ClusterState) -> None:
        self._pod = pod
        self._namespaces: Namespaces = state.cluster.namespaces
        self._wanted = required_terms(pod.pod, anti=False)
        self._unwanted = required_terms(pod.pod, anti=True)
        self._liked: Counter[Domain] = Counter()
        self._disliked: Counter[Domain] = Counter()
        self._claimed: Counter[Domain] = Counter()
        for node in state.nodes.values():
            for other in node.pods.values():
                self._count(other, node)

    def refuse(self, node: NodeState) -> Refused | None:
        """What the node's topology rules out."""
        labels = node.node.metadata.labels or {}
        if not self._has_company(labels):
            text = "node(s) didn't match pod affinity rules"
            return Refused(Plugin.AFFINITY, Code.UNRESOLVABLE, (PodsInTheWay("affinity"),), (text,))
        if any(self._disliked[domain] for domain in _domains(self._unwanted, labels)):
            text = "node(s) didn't match pod anti-affinity rules"
            return Refused(Plugin.AFFINITY, Code.UNSCHEDULABLE, (PodsInTheWay("anti-affinity"),), (text,))
        if any(self._claimed[domain] for domain in labels.items()):
            text = "node(s) didn't satisfy existing pods anti-affinity rules"
            return Refused(Plugin.AFFINITY, Code.UNSCHEDULABLE, (PodsInTheWay("anti-affinity of pods there"),), (text,))
        return None

    def _count(self, other: Pod, node: NodeState) -> None:
        labels = node.node.metadata.labels or {}
        if self._wanted and all(term.means(other, self._namespaces) for term in self._wanted):
            self._liked.update(_domains(self._wanted, labels))
        for term in _present(self._unwanted, labels):
            if term.means(other, self._namespaces):
                self._disliked[term.topology_key, labels[term.topology_key]] += 1
        for term in _present(required_terms(other, anti=True), labels):
            if term.means(self._pod.pod, self._namespaces):
                self._claimed[term.topology_key, labels[term.topology_key]] += 1

    def _has_company(self, labels: dict[str, str]) -> bool:
        """All terms are met in the node's topology; the first pod that wants its own kind may go anywhere."""
        if any(term.topology_key not in labels for term in self._wanted):
            return False
        if all(self._liked[domain] for domain in _domains(self._wanted, labels)):
            return True
        return not self._liked and all(term.means(self._pod.pod, self._namespaces) for term in self._wanted)


def required_terms(pod: Pod, *, anti: bool) -> list[PodTerm]:
    """The pod's required terms, finished."""
    affinity = pod.spec.affinity
    part = (affinity.podAntiAffinity if anti else affinity.podAffinity) if affinity is not None else None
    terms = (part.requiredDuringSchedulingIgnoredDuringExecution if part is not None else None) or []
    return [finish(term, pod) for term in terms]


def _domains(terms: Iterable[PodTerm], labels: dict[str, str]) -> Iterable[Domain]:
    return ((term.topology_key, labels[term.topology_key]) for term in _present(terms, labels))


def _present(terms: Iterable[PodTerm], labels: dict[str, str]) -> Iterable[PodTerm]:
    return (term for term in terms if term.topology_key in labels)
