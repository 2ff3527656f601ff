"""Topology spread constraints of a pod, finished for filter and score (scheduling.md §8.3)."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from dractl.api.base import LabelSelector
from dractl.api.core import Pod, TopologySpreadConstraint
from dractl.api.pods import is_terminating
from dractl.api.scheduler_configuration import ConfiguredSpread
from dractl.api.selectors import matches_labels, matches_node
from dractl.api.tolerations import untolerated
from dractl.cluster.node_state import NodeState
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.pod_terms import with_label_keys

HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"


class Spread(Struct, frozen=True):
    """One constraint: pods that `selector` means are spread over the values of a topology key."""

    topology_key: str
    max_skew: int
    selector: LabelSelector | None
    min_domains: int
    honors_affinity: bool
    honors_taints: bool

    def includes(self, pod: PodInfo, node: NodeState) -> bool:
        """Whether the node takes part, by the constraint's inclusion policies."""
        if self.honors_affinity:
            if not pod.is_selected(node.node.metadata.labels or {}):
                return False
            if pod.required_nodes is not None and not matches_node(pod.required_nodes, node.node):
                return False
        return not self.honors_taints or untolerated(node.node.spec.taints or (), pod.tolerations) is None

    def count_on(self, node: NodeState, namespace: str) -> int:
        """How many pods of the namespace on the node are meant; terminating ones do not count.

        A selector that would mean every pod counts none, as in v1.37.2.
        """
        if self._means_all:
            return 0
        return sum(self._means(pod, namespace) for pod in node.pods.values())

    @property
    def _means_all(self) -> bool:
        return self.selector is not None and not self.selector.matchLabels and not self.selector.matchExpressions

    def _means(self, pod: Pod, namespace: str) -> bool:
        if pod.metadata.namespace != namespace or is_terminating(pod):
            return False
        return matches_labels(self.selector, pod.metadata.labels)


def own_spreads(pod: Pod, when_unsatisfiable: str) -> list[Spread]:
    """The pod's own constraints of one kind, `DoNotSchedule` or `ScheduleAnyway`."""
    constraints = pod.spec.topologySpreadConstraints or ()
    return [_finish(each, pod) for each in constraints if each.whenUnsatisfiable == when_unsatisfiable]


def default_spreads(selector: LabelSelector, configured: tuple[ConfiguredSpread, ...] | None = None) -> list[Spread]:
    """What the scheduler spreads by where a pod has no constraints: hosts, then zones, both soft, unless configured."""
    wanted = (ConfiguredSpread(HOSTNAME, 3), ConfiguredSpread(ZONE, 5)) if configured is None else configured
    return [
        Spread(each.topology_key, each.max_skew, selector, 1, honors_affinity=True, honors_taints=False)
        for each in wanted
    ]


def _finish(constraint: TopologySpreadConstraint, pod: Pod) -> Spread:
    return Spread(
        constraint.topologyKey,
        constraint.maxSkew,
        with_label_keys(constraint.labelSelector, pod, constraint.matchLabelKeys, "In"),
        constraint.minDomains if constraint.minDomains is not None else 1,
        (constraint.nodeAffinityPolicy or "Honor") == "Honor",
        (constraint.nodeTaintsPolicy or "Ignore") == "Honor",
    )


def with_all_keys(nodes: Iterable[NodeState], spreads: Sequence[Spread]) -> list[NodeState]:
    """The nodes that have a value for every topology key."""
    keys = [spread.topology_key for spread in spreads]
    return [node for node in nodes if all(key in (node.node.metadata.labels or {}) for key in keys)]
