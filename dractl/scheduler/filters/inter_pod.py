"""Required affinity and anti-affinity between pods (scheduling.md §4, 12)."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from dractl.api.core import Pod
from dractl.api.identities import PodRef
from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.pod_terms import Namespaces, PodTerm, finish
from dractl.scheduler.refusal import Code, Plugin, Refused
from dractl.solution.outcomes import NoCompany, PodRule, PodsInTheWay, TopologyLabelMissing

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
        self._disliked: defaultdict[Domain, list[PodRef]] = defaultdict(list)
        self._claimed: defaultdict[Domain, list[PodRef]] = defaultdict(list)
        counts_all = bool(self._wanted or self._unwanted)
        for node in state.nodes.values():
            if counts_all or node.pods_with_affinity:
                for ref, other in node.pods.items():
                    self._count(ref, other, node)

    @property
    def permits_everything(self) -> bool:
        """Whether no rule between pods is about this one."""
        return not (self._wanted or self._unwanted or self._claimed)

    def refuse(self, node: NodeState) -> Refused | None:
        """What the node's topology rules out."""
        labels = node.node.metadata.labels or {}
        if not self._has_company(labels):
            text = "node(s) didn't match pod affinity rules"
            return Refused(Plugin.AFFINITY, Code.UNRESOLVABLE, (self._lacking(labels),), (text,))
        for key, value in _domains(self._unwanted, labels):
            if pods := self._disliked.get((key, value)):
                text = "node(s) didn't match pod anti-affinity rules"
                reason = PodsInTheWay(key, value, tuple(dict.fromkeys(pods)), theirs=False)
                return Refused(Plugin.AFFINITY, Code.UNSCHEDULABLE, (reason,), (text,))
        for key, value in labels.items():
            if pods := self._claimed.get((key, value)):
                text = "node(s) didn't satisfy existing pods anti-affinity rules"
                reason = PodsInTheWay(key, value, tuple(dict.fromkeys(pods)), theirs=True)
                return Refused(Plugin.AFFINITY, Code.UNSCHEDULABLE, (reason,), (text,))
        return None

    def _lacking(self, labels: dict[str, str]) -> TopologyLabelMissing | NoCompany:
        """What the node has not that the pod's required affinity asks for."""
        for term in self._wanted:
            if term.topology_key not in labels:
                return TopologyLabelMissing(PodRule.AFFINITY, term.topology_key)
        key, value = next(domain for domain in _domains(self._wanted, labels) if not self._liked[domain])
        elsewhere = any(count for (liked_key, _), count in self._liked.items() if liked_key == key)
        return NoCompany(key, value, is_anywhere=elsewhere)

    def _count(self, ref: PodRef, other: Pod, node: NodeState) -> None:
        labels = node.node.metadata.labels or {}
        if self._wanted and all(term.means(other, self._namespaces) for term in self._wanted):
            self._liked.update(_domains(self._wanted, labels))
        for term in _present(self._unwanted, labels):
            if term.means(other, self._namespaces):
                self._disliked[term.topology_key, labels[term.topology_key]].append(ref)
        for term in _present(required_terms(other, anti=True), labels):
            if term.means(self._pod.pod, self._namespaces):
                self._claimed[term.topology_key, labels[term.topology_key]].append(ref)

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
