"""Topology spread constraints that must hold (scheduling.md §4, 11, and §8.3)."""

from collections.abc import Mapping

from dractl.api.selectors import matches_labels
from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.refusal import Code, Plugin, Refused
from dractl.scheduler.spreading import Spread, own_spreads, with_all_keys
from dractl.solution.outcomes import PodRule, TooUneven, TopologyLabelMissing

_TEXT = "node(s) didn't match pod topology spread constraints"


class TopologySpread:
    """How many pods there are for each value of each topology key; counted once for all nodes."""

    def __init__(self, pod: PodInfo, state: ClusterState) -> None:
        self._pod = pod
        self._spreads = own_spreads(pod.pod, "DoNotSchedule")
        nodes = with_all_keys(state.nodes.values(), self._spreads) if self._spreads else []
        self._counts = [(spread, self._count(spread, nodes)) for spread in self._spreads]

    def refuse(self, node: NodeState) -> Refused | None:
        """The node would get too many, or lacks a topology key."""
        labels = node.node.metadata.labels or {}
        for spread, counts in self._counts:
            value = labels.get(spread.topology_key)
            if value is None:
                text = f"{_TEXT} (missing required label)"
                missing = TopologyLabelMissing(PodRule.SPREAD, spread.topology_key)
                return Refused(Plugin.SPREAD, Code.UNRESOLVABLE, (missing,), (text,))
            own = matches_labels(spread.selector, self._pod.labels)
            number, least = counts.get(value, 0) + own, _least(spread, counts)
            if number - least > spread.max_skew:
                lacking = spread.min_domains if len(counts) < spread.min_domains else 0
                uneven = TooUneven(spread.topology_key, value, number, least, spread.max_skew, lacking)
                return Refused(Plugin.SPREAD, Code.UNSCHEDULABLE, (uneven,), (_TEXT,))
        return None

    def _count(self, spread: Spread, nodes: list[NodeState]) -> Mapping[str, int]:
        counts: dict[str, int] = {}
        for node in nodes:
            if spread.includes(self._pod, node):
                value = (node.node.metadata.labels or {})[spread.topology_key]
                counts[value] = counts.get(value, 0) + spread.count_on(node, self._pod.ref.namespace)
        return counts


def _least(spread: Spread, counts: Mapping[str, int]) -> int:
    """The smallest number of pods for any value; 0 where there are fewer values than there should be."""
    return 0 if len(counts) < spread.min_domains else min(counts.values(), default=0)
