"""A pod that is being tried, with what its filters and scores want to know of it."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from msgspec import Struct

from dractl.api.base import NodeSelector, NodeSelectorTerm, Toleration
from dractl.api.codec import fingerprint
from dractl.api.core import Affinity, Pod, PodAffinity, PreferredSchedulingTerm
from dractl.api.identities import PodRef
from dractl.cluster.node_state import HostPort, host_ports
from dractl.cluster.requests import pod_requests, score_requests

_NAME: Final = "metadata.name"


class PodInfo(Struct, frozen=True, dict=True):
    """The pod and what follows from its spec alone, each computed once."""

    ref: PodRef
    pod: Pod

    @cached_property
    def requests(self) -> Mapping[str, int]:
        """What a node must have free, in nano-units."""
        return pod_requests(self.pod)

    @cached_property
    def score_requests(self) -> Mapping[str, int]:
        """CPU and memory as the least-allocated score sees them, in nano-units."""
        return score_requests(self.pod)

    @cached_property
    def ports(self) -> frozenset[HostPort]:
        """Host ports that the pod needs."""
        return host_ports(self.pod)

    @cached_property
    def wishes(self) -> bytes:
        """Equal for pods that ask for the same of a node as such."""
        spec, affinity = self.pod.spec, self._affinity.nodeAffinity
        return fingerprint((spec.nodeName, spec.nodeSelector, spec.tolerations, affinity))

    @cached_property
    def amounts(self) -> tuple[tuple[str, int], ...]:
        """Equal for pods that ask for the same amounts, for filters as well as for scores."""
        return (*sorted(self.requests.items()), *self.score_requests.items())

    @property
    def tolerations(self) -> list[Toleration]:
        """The pod's tolerations of node taints."""
        return self.pod.spec.tolerations or []

    @property
    def labels(self) -> Mapping[str, str]:
        """The pod's labels."""
        return self.pod.metadata.labels or {}

    @property
    def required_nodes(self) -> NodeSelector | None:
        """Required node affinity."""
        node = self._affinity.nodeAffinity
        return node.requiredDuringSchedulingIgnoredDuringExecution if node is not None else None

    @cached_property
    def named_nodes(self) -> frozenset[str] | None:
        """The nodes that required node affinity names, if each of its terms names some; empty if they contradict."""
        terms = (self.required_nodes.nodeSelectorTerms if self.required_nodes is not None else None) or []
        named = [_names(term) for term in terms]
        if not named or any(names is None for names in named):
            return None
        return frozenset().union(*(names for names in named if names is not None))

    @property
    def preferred_nodes(self) -> list[PreferredSchedulingTerm]:
        """Preferred node affinity."""
        node = self._affinity.nodeAffinity
        return (node.preferredDuringSchedulingIgnoredDuringExecution if node is not None else None) or []

    @property
    def affinity(self) -> PodAffinity:
        """Affinity to other pods."""
        return self._affinity.podAffinity or PodAffinity()

    @property
    def anti_affinity(self) -> PodAffinity:
        """Anti-affinity to other pods."""
        return self._affinity.podAntiAffinity or PodAffinity()

    @property
    def _affinity(self) -> Affinity:
        return self.pod.spec.affinity or Affinity()

    def is_selected(self, node_labels: Mapping[str, str]) -> bool:
        """Whether the pod's nodeSelector matches."""
        return all(node_labels.get(key) == value for key, value in (self.pod.spec.nodeSelector or {}).items())


def _names(term: NodeSelectorTerm) -> frozenset[str] | None:
    """The node names that a term allows, or None if it names none."""
    named = [
        frozenset(each.values or ()) for each in term.matchFields or () if (each.key, each.operator) == (_NAME, "In")
    ]
    return frozenset.intersection(*named) if named else None
