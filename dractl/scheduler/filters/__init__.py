"""The filters of the default profile before devices, in the scheduler's order (scheduling.md §4)."""

from collections.abc import Callable, Collection
from typing import Final

from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.scheduler.filters.basic import named_node, node_affinity, node_name, node_unschedulable, taint_toleration
from dractl.scheduler.filters.inter_pod import InterPodAffinity
from dractl.scheduler.filters.resources import node_ports, node_resources_fit, shortage
from dractl.scheduler.filters.spread import TopologySpread
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.refusal import Refused

__all__ = ["Filters", "permits", "shortage"]

NODE_FILTERS: Final[tuple[Callable[[PodInfo, NodeState], Refused | None], ...]] = (
    named_node,
    node_name,
    node_unschedulable,
    taint_toleration,
    node_affinity,
)
"""Those that ask about the node alone, not about what other pods do there."""


def permits(pod: PodInfo, node: NodeState) -> bool:
    """Whether the node would take the pod if nothing else were there and devices did not matter."""
    return all(each(pod, node) is None for each in NODE_FILTERS)


class Filters:
    """The filters for one pod in one state; what concerns all nodes is counted once.

    `left_to_devices` are extended resources that devices may serve (scheduling.md §6).
    """

    def __init__(self, pod: PodInfo, state: ClusterState, left_to_devices: Collection[str] = ()) -> None:
        self._pod: Final = pod
        self._left_to_devices: Final = left_to_devices
        self._spread: Final = TopologySpread(pod, state)
        self._inter_pod: Final = InterPodAffinity(pod, state)

    def refuse(self, node: NodeState) -> Refused | None:
        """What the first filter that refuses the node says."""
        for each in NODE_FILTERS:
            if (refused := each(self._pod, node)) is not None:
                return refused
        return (
            node_ports(self._pod, node)
            or node_resources_fit(self._pod, node, self._left_to_devices)
            or self._spread.refuse(node)
            or self._inter_pod.refuse(node)
        )
