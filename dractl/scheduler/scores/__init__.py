"""Which of several nodes is best (scheduling.md §8, §9)."""

from collections.abc import Mapping, Sequence
from typing import Final

from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.scores.by_node import image_locality, node_affinity, taint_toleration
from dractl.scheduler.scores.by_pods import inter_pod_affinity, topology_spread
from dractl.scheduler.scores.by_resources import balanced_allocation, least_allocated
from dractl.scheduler.scores.normalizing import Scores, highest_is_best

WEIGHTS: Final[Mapping[str, int]] = {
    "TaintToleration": 3,
    "NodeAffinity": 2,
    "PodTopologySpread": 2,
    "InterPodAffinity": 2,
    "DynamicResources": 2,
    "NodeResourcesFit": 1,
    "NodeResourcesBalancedAllocation": 1,
    "ImageLocality": 1,
}
"""The default profile's weights by plugin."""


def plugin_scores(
    pod: PodInfo, nodes: Sequence[NodeState], state: ClusterState, prioritized: Scores
) -> Mapping[str, Scores]:
    """What each plugin gives each node, 0 to 100, not weighted; a plugin that is skipped is not there.

    `prioritized` is the raw score that the pod's allocations on each node earn.
    """
    found: dict[str, Scores | None] = {
        "TaintToleration": taint_toleration(pod, nodes),
        "NodeAffinity": node_affinity(pod, nodes),
        "PodTopologySpread": topology_spread(pod, nodes, state),
        "InterPodAffinity": inter_pod_affinity(pod, nodes, state),
        "DynamicResources": highest_is_best(prioritized),
        "NodeResourcesFit": least_allocated(pod, nodes),
        "NodeResourcesBalancedAllocation": balanced_allocation(pod, nodes),
        "ImageLocality": image_locality(pod, nodes, state),
    }
    return {plugin: scores for plugin, scores in found.items() if scores is not None}


def best_nodes(scores: Mapping[str, Scores], nodes: Sequence[NodeState]) -> list[str]:
    """The nodes with the greatest total, by name: which of them is taken is not fixed (scheduling.md §9)."""
    totals = {
        node.name: sum(WEIGHTS[plugin] * by_node[node.name] for plugin, by_node in scores.items()) for node in nodes
    }
    largest = max(totals.values())
    return sorted(name for name, total in totals.items() if total == largest)
