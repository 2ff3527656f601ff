"""The filters that come before devices, each with the scheduler's own words (scheduling.md §4)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from dractl.api.base import NodeSelector, Taint, Toleration
from dractl.api.core import Node, Pod
from dractl.api.quantity import Quantity
from dractl.api.selectors import matches_node
from dractl.api.tolerations import tolerates, untolerated
from dractl.cluster.requests import PODS, pod_requests
from dractl.solution.outcomes import (
    NodeNotSelected,
    NodeUnschedulable,
    NotEnough,
    Rejection,
    UntoleratedNodeTaint,
)

UNSCHEDULABLE_TAINT: Final = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")


@dataclass(frozen=True, slots=True)
class Refused:
    """A node that a filter refuses: what dractl says, and the reasons as the scheduler words them.

    `tried` is how many devices the scheduler tries before it knows.
    """

    reasons: tuple[Rejection, ...]
    texts: tuple[str, ...]
    tried: int = 0


Filter = Callable[[Pod, Node, Mapping[str, int]], Refused | None]
"""A filter sees the pod, the node, and what is free there of countable resources in nano-units."""


def node_name(pod: Pod, node: Node, free: Mapping[str, int]) -> Refused | None:  # noqa: ARG001
    """`spec.nodeName` names another node."""
    if pod.spec.nodeName in ("", node.metadata.name):
        return None
    return Refused((NodeNotSelected("spec.nodeName"),), ("node(s) didn't match the requested node name",))


def node_unschedulable(pod: Pod, node: Node, free: Mapping[str, int]) -> Refused | None:  # noqa: ARG001
    """The node is cordoned, and the pod does not tolerate that."""
    if not node.spec.unschedulable or _tolerates(pod.spec.tolerations, UNSCHEDULABLE_TAINT):
        return None
    return Refused((NodeUnschedulable(),), ("node(s) were unschedulable",))


def taint_toleration(pod: Pod, node: Node, free: Mapping[str, int]) -> Refused | None:  # noqa: ARG001
    """A taint of the node repels the pod."""
    taint = untolerated(node.spec.taints or (), pod.spec.tolerations or ())
    if taint is None:
        return None
    return Refused((UntoleratedNodeTaint(taint),), ("node(s) had untolerated taint(s)",))


def node_affinity(pod: Pod, node: Node, free: Mapping[str, int]) -> Refused | None:  # noqa: ARG001
    """The pod's nodeSelector or required node affinity does not match."""
    labels = node.metadata.labels or {}
    field = ""
    if any(labels.get(key) != value for key, value in (pod.spec.nodeSelector or {}).items()):
        field = "spec.nodeSelector"
    elif (required := _required_affinity(pod)) is not None and not matches_node(required, node):
        field = "spec.affinity.nodeAffinity"
    if not field:
        return None
    return Refused((NodeNotSelected(field),), ("node(s) didn't match Pod's node affinity/selector",))


def node_resources_fit(pod: Pod, node: Node, free: Mapping[str, int]) -> Refused | None:
    """Every countable resource that does not suffice; nodes that name no resources are not checked."""
    if node.status.allocatable is None:
        return None
    short = {name: amount for name, amount in pod_requests(pod).items() if amount > free.get(name, 0)}
    if not short:
        return None
    reasons = tuple(NotEnough(name, Quantity(amount), Quantity(free.get(name, 0))) for name, amount in short.items())
    texts = tuple("Too many pods" if name == PODS else f"Insufficient {name}" for name in short)
    return Refused(reasons, texts)


NODE_FILTERS: Final[tuple[Filter, ...]] = (node_name, node_unschedulable, taint_toleration, node_affinity)
"""Those that do not depend on what other pods take."""

FILTERS: Final[tuple[Filter, ...]] = (*NODE_FILTERS, node_resources_fit)
"""In the scheduler's order; the first that refuses decides."""


def first_refusal(pod: Pod, node: Node, free: Mapping[str, int]) -> Refused | None:
    """What the first filter that refuses the node says."""
    return next((refused for each in FILTERS if (refused := each(pod, node, free)) is not None), None)


def _tolerates(tolerations: list[Toleration] | None, taint: Taint) -> bool:
    return any(tolerates(toleration, taint) for toleration in tolerations or ())


def _required_affinity(pod: Pod) -> NodeSelector | None:
    affinity = pod.spec.affinity.nodeAffinity if pod.spec.affinity is not None else None
    return affinity.requiredDuringSchedulingIgnoredDuringExecution if affinity is not None else None
