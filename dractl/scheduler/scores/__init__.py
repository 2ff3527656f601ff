"""Which of several nodes is best (scheduling.md §8, §9)."""

from collections.abc import Callable, Mapping, Sequence

from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.scores.by_node import image_locality, node_affinity, taint_toleration
from dractl.scheduler.scores.by_pods import inter_pod_affinity, topology_spread
from dractl.scheduler.scores.by_resources import balanced_allocation, resources_fit
from dractl.scheduler.scores.normalizing import Scores, highest_is_best
from dractl.scheduler.scores.served import ServedResources


def plugin_scores(
    pod: PodInfo, nodes: Sequence[NodeState], state: ClusterState, prioritized: Scores, classes: Mapping[str, str]
) -> Mapping[str, Scores]:
    """What each plugin gives each node, 0 to 100, not weighted; a plugin that is skipped or disabled is not there.

    `prioritized` is the raw score that the pod's allocations on each node earn, `classes` those that serve its extended
    resources.
    """
    configuration = state.cluster.scheduler
    plugins: Mapping[str, Callable[[], Scores | None]] = {
        "TaintToleration": lambda: taint_toleration(pod, nodes),
        "NodeAffinity": lambda: node_affinity(pod, nodes),
        "PodTopologySpread": lambda: topology_spread(pod, nodes, state),
        "InterPodAffinity": lambda: inter_pod_affinity(pod, nodes, state),
        "DynamicResources": lambda: highest_is_best(prioritized),
        "NodeResourcesFit": lambda: resources_fit(pod, nodes, configuration.scoring, ServedResources(state, classes)),
        "NodeResourcesBalancedAllocation": lambda: balanced_allocation(pod, nodes, configuration.balanced_resources),
        "ImageLocality": lambda: image_locality(pod, nodes, state),
    }
    found = {plugin: score() for plugin, score in plugins.items() if plugin in configuration.weights}
    return {plugin: scores for plugin, scores in found.items() if scores is not None}


def best_nodes(scores: Mapping[str, Scores], nodes: Sequence[NodeState], weights: Mapping[str, int]) -> list[str]:
    """The nodes with the greatest total, by name: which of them is taken is not fixed (scheduling.md §9)."""
    totals = {
        node.name: sum(weights[plugin] * by_node[node.name] for plugin, by_node in scores.items()) for node in nodes
    }
    largest = max(totals.values())
    return sorted(name for name, total in totals.items() if total == largest)
