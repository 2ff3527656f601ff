"""The filters of the default profile before devices, in the scheduler's order (scheduling.md §4)."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Final, cast

from dractl.api.scheduler_configuration import SchedulerConfiguration
from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.scheduler.filters.basic import named_node, node_affinity, node_name, node_unschedulable, taint_toleration
from dractl.scheduler.filters.inter_pod import InterPodAffinity
from dractl.scheduler.filters.resources import node_ports, node_resources_fit, shortage
from dractl.scheduler.filters.spread import TopologySpread
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.refusal import Refused

__all__ = ["Filters", "permits", "shortage"]

Filter = Callable[[NodeState], Refused | None]

NODE_FILTERS: Final[tuple[tuple[str, Callable[[PodInfo, NodeState], Refused | None]], ...]] = (
    ("NodeAffinity", named_node),
    ("NodeName", node_name),
    ("NodeUnschedulable", node_unschedulable),
    ("TaintToleration", taint_toleration),
    ("NodeAffinity", node_affinity),
)
"""Those that ask about the node alone, not about what other pods do there, with their plugins."""


def permits(pod: PodInfo, node: NodeState, configuration: SchedulerConfiguration) -> bool:
    """Whether the node would take the pod if nothing else were there and devices did not matter."""
    return all(plugin in configuration.disabled_filters or each(pod, node) is None for plugin, each in NODE_FILTERS)


class Filters:
    """The filters for one pod in one state; what concerns all nodes is counted once.

    `left_to_devices` are extended resources that devices may serve (scheduling.md §6). Affinity between pods is left
    out where `without_affinity` says so, or where no rule between pods is about this one: `is_without_affinity`.
    """

    def __init__(
        self,
        pod: PodInfo,
        state: ClusterState,
        left_to_devices: Collection[str] = (),
        *,
        without_affinity: bool = False,
    ) -> None:
        self._pod: Final = pod
        affinity = None if without_affinity else _affinity(pod, state)
        self.is_without_affinity: Final = affinity is None
        self._filters: Final = [*_enabled(pod, state, left_to_devices), *([affinity.refuse] if affinity else [])]

    def refuse(self, node: NodeState) -> Refused | None:
        """What the first filter that refuses the node says."""
        for each in self._filters:
            if (refused := each(node)) is not None:
                return refused
        return None


def _enabled(pod: PodInfo, state: ClusterState, left_to_devices: Collection[str]) -> Iterator[Filter]:
    """The filters in order up to affinity between pods, without those that the configuration takes away."""
    configuration = state.cluster.scheduler
    disabled = configuration.disabled_filters
    yield _by_node_alone(pod, state)
    if "NodePorts" not in disabled and pod.ports:
        yield partial(node_ports, pod)
    if "NodeResourcesFit" not in disabled:
        asked = _asked(pod, configuration)
        yield lambda node: node_resources_fit(asked, node, left_to_devices)
    if "PodTopologySpread" not in disabled and pod.pod.spec.topologySpreadConstraints:
        yield TopologySpread(pod, state).refuse


def _affinity(pod: PodInfo, state: ClusterState) -> InterPodAffinity | None:
    """The rules between pods, if any is about this one."""
    if "InterPodAffinity" in state.cluster.scheduler.disabled_filters:
        return None
    affinity = InterPodAffinity(pod, state)
    return None if affinity.permits_everything else affinity


def _by_node_alone(pod: PodInfo, state: ClusterState) -> Filter:
    """The filters that ask about the node alone; pods with equal wishes hear the same from it each time."""
    disabled = state.cluster.scheduler.disabled_filters
    filters = [each for plugin, each in NODE_FILTERS if plugin not in disabled]
    known = cast("dict[str, Refused | None]", state.answers.setdefault(("the node alone", pod.wishes), {}))

    def refuse(node: NodeState) -> Refused | None:
        if node.name not in known:
            known[node.name] = next((said for each in filters if (said := each(pod, node)) is not None), None)
        return known[node.name]

    return refuse


def _asked(pod: PodInfo, configuration: SchedulerConfiguration) -> Mapping[str, int]:
    """What the pod asks for, without extended resources that are not to be looked at."""
    names, groups = configuration.ignored_resources, configuration.ignored_groups
    if not names and not groups:
        return pod.requests
    return {
        name: amount
        for name, amount in pod.requests.items()
        if name not in names and name.partition("/")[0] not in groups
    }
