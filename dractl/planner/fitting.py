"""Whether a pod that names its node fits there: what the kubelet looks at behind its resource managers (kubelet.md §1).

The scheduler has not looked at such a pod. The kubelet compares it with the pods that it has let in by then, not with
all that name the node, and heeds only taints that would evict the pod.
"""

from collections.abc import Collection, Iterator
from typing import Final

from dractl.api.identities import PodRef
from dractl.api.pods import is_active
from dractl.api.quantity import Quantity, QuantityFormat
from dractl.api.tolerations import untolerated
from dractl.cluster.node_state import NodeState
from dractl.cluster.requests import PODS, pod_requests
from dractl.cluster.state import ClusterState
from dractl.scheduler.filters.basic import node_affinity
from dractl.scheduler.filters.resources import shortage
from dractl.scheduler.pod_info import PodInfo
from dractl.solution.node_share import KubeletRefusal
from dractl.solution.outcomes import NodeNotSelected, NotEnough

CRITICAL: Final = 2_000_000_000
"""For pods of this priority or a higher one a kubelet makes room; nothing is said of what they lack."""

_NO_EXECUTE: Final = "NoExecute"
_IN_BYTES: Final = ("memory", "ephemeral-storage", "hugepages-")


def pods_that_name_their_node(state: ClusterState, without: Collection[str]) -> Iterator[tuple[PodRef, str]]:
    """Pods that their kubelet has not looked at yet, and their nodes: of those that are described, but for some.

    A manifest has no phase before it is created; a dump that has none was trimmed, and such pods are taken to run.
    """
    for name, node in state.nodes.items():
        if name in without or name in state.cluster.assumed_nodes:
            continue
        for ref, pod in node.pods.items():
            phase = pod.status.phase or ("" if pod.metadata.is_dump else "Pending")
            if is_active(pod) and phase == "Pending" and not pod.status.startTime:
                yield ref, name


def misfit(state: ClusterState, ref: PodRef, node: str, not_there: Collection[PodRef]) -> KubeletRefusal | None:
    """Why the kubelet refuses the pod; `not_there` are pods that the state has on the node, and the kubelet has not."""
    there = state.nodes[node].copy()
    for other in {*not_there, ref}:
        if other in there.pods:
            there.remove(other)
    info = PodInfo(ref, state.pods[ref])
    return _too_large(info, there) or _unselected(info, there) or _evicted(info, there)


def _too_large(info: PodInfo, node: NodeState) -> KubeletRefusal | None:
    """Resources that the node does not list are ignored (controllers.md §4)."""
    listed = node.allocatable
    if listed is None or (info.pod.spec.priority or 0) >= CRITICAL:
        return None
    asked = {name: amount for name, amount in pod_requests(info.pod).items() if name in listed}
    refused = shortage(asked, node)
    lacking = next((each for each in refused.reasons if isinstance(each, NotEnough)), None) if refused else None
    return KubeletRefusal(node.name, f"OutOf{lacking.resource}", _shortage(lacking)) if lacking is not None else None


def _shortage(lacking: NotEnough) -> str:
    if lacking.resource == PODS:
        return "the node has as many pods as it may have"
    in_bytes = lacking.resource.startswith(_IN_BYTES)
    family = QuantityFormat.BINARY_SI if in_bytes else QuantityFormat.DECIMAL_SI
    free = lacking.free if lacking.free.nano > 0 else Quantity(0)
    return f"{lacking.wanted.with_format(family)} of {lacking.resource} is needed, {free.with_format(family)} is free"


def _unselected(info: PodInfo, node: NodeState) -> KubeletRefusal | None:
    refused = node_affinity(info, node)
    field = next((each.field for each in refused.reasons if isinstance(each, NodeNotSelected)), "") if refused else ""
    return KubeletRefusal(node.name, "", f"the labels of the node do not match {field}") if field else None


def _evicted(info: PodInfo, node: NodeState) -> KubeletRefusal | None:
    taints = [taint for taint in node.node.spec.taints or () if taint.effect == _NO_EXECUTE]
    taint = untolerated(taints, info.tolerations)
    if taint is None:
        return None
    value = f"={taint.value}" if taint.value else ""
    text = f"it does not tolerate the node's taint {taint.key}{value}:{taint.effect}"
    return KubeletRefusal(node.name, "", text)
