"""A pod that is being tried, with what its filters and scores want to know of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from dractl.api.base import NodeSelector, Toleration
from dractl.api.core import Affinity, Pod, PodAffinity, PreferredSchedulingTerm
from dractl.api.identities import PodRef
from dractl.cluster.node_state import HostPort, host_ports
from dractl.cluster.requests import pod_requests, score_requests


@dataclass(frozen=True)
class PodInfo:
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
