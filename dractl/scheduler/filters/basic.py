"""Filters by the node alone: names, cordon, taints, labels (scheduling.md §4, 1 to 4)."""

from typing import Final

from dractl.api.base import Taint
from dractl.api.selectors import matches_node
from dractl.api.tolerations import tolerates, untolerated
from dractl.cluster.node_state import NodeState
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.refusal import Code, Plugin, Refused
from dractl.solution.outcomes import NodeNotSelected, NodeUnschedulable, UntoleratedNodeTaint

UNSCHEDULABLE_TAINT: Final = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")


def named_node(pod: PodInfo, node: NodeState) -> Refused | None:
    """Required affinity names other nodes: this one is not even looked at (scheduling.md §14)."""
    if pod.named_nodes is None or node.name in pod.named_nodes:
        return None
    text = "node(s) didn't satisfy plugin(s) [NodeAffinity]"
    return Refused(Plugin.NODE, Code.UNRESOLVABLE, (NodeNotSelected("spec.affinity.nodeAffinity"),), (text,))


def node_name(pod: PodInfo, node: NodeState) -> Refused | None:
    """`spec.nodeName` names another node."""
    if pod.pod.spec.nodeName in ("", node.name):
        return None
    text = "node(s) didn't match the requested node name"
    return Refused(Plugin.NODE, Code.UNRESOLVABLE, (NodeNotSelected("spec.nodeName"),), (text,))


def node_unschedulable(pod: PodInfo, node: NodeState) -> Refused | None:
    """The node is cordoned, and the pod does not tolerate that."""
    if not node.node.spec.unschedulable or any(tolerates(each, UNSCHEDULABLE_TAINT) for each in pod.tolerations):
        return None
    return Refused(Plugin.NODE, Code.UNRESOLVABLE, (NodeUnschedulable(),), ("node(s) were unschedulable",))


def taint_toleration(pod: PodInfo, node: NodeState) -> Refused | None:
    """A taint of the node repels the pod."""
    taint = untolerated(node.node.spec.taints or (), pod.tolerations)
    if taint is None:
        return None
    return Refused(
        Plugin.NODE, Code.UNRESOLVABLE, (UntoleratedNodeTaint(taint),), ("node(s) had untolerated taint(s)",)
    )


def node_affinity(pod: PodInfo, node: NodeState) -> Refused | None:
    """The pod's nodeSelector or required node affinity does not match."""
    field = ""
    if not pod.is_selected(node.node.metadata.labels or {}):
        field = "spec.nodeSelector"
    elif pod.required_nodes is not None and not matches_node(pod.required_nodes, node.node):
        field = "spec.affinity.nodeAffinity"
    if not field:
        return None
    text = "node(s) didn't match Pod's node affinity/selector"
    return Refused(Plugin.NODE, Code.UNRESOLVABLE, (NodeNotSelected(field),), (text,))
