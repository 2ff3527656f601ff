"""DaemonSets: one pod for each node that they may run on, whether there is room or not (controllers.md §6)."""

from collections.abc import Sequence
from typing import Final

from msgspec import structs

from dractl.api.base import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, Toleration
from dractl.api.core import Affinity, Node, NodeAffinity, Pod, PodSpec
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pods import is_active
from dractl.api.selectors import matches_node
from dractl.api.tolerations import untolerated
from dractl.api.workload import DaemonSet
from dractl.phrases import counted
from dractl.workloads.naming import Names, generate_name
from dractl.workloads.pod_templates import pod_from_template
from dractl.workloads.steps import Made, Step, bad_field, make_pods, note

_NODE_NAME: Final = "metadata.name"
_ADDED: Final = (
    ("node.kubernetes.io/not-ready", "NoExecute"),
    ("node.kubernetes.io/unreachable", "NoExecute"),
    ("node.kubernetes.io/disk-pressure", "NoSchedule"),
    ("node.kubernetes.io/memory-pressure", "NoSchedule"),
    ("node.kubernetes.io/pid-pressure", "NoSchedule"),
    ("node.kubernetes.io/unschedulable", "NoSchedule"),
)
_ADDED_ON_HOST_NETWORK: Final = ("node.kubernetes.io/network-unavailable", "NoSchedule")
_REQUIRED_PATH: Final = (
    *("spec", "template", "spec", "affinity", "nodeAffinity"),
    *("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"),
)


def expand_daemon_sets(objects: ObjectSet) -> Step:
    """Add the pods that DaemonSets lack, on the nodes in order of name."""
    nodes = sorted((node.object for node in objects.of(Node)), key=lambda node: node.metadata.name)

    def missing(owner: Sourced[DaemonSet], owned: Sequence[Sourced[Pod]], names: Names) -> Made:
        return missing_pods(owner, owned, names, nodes)

    return make_pods(objects, DaemonSet, missing)


def missing_pods(owner: Sourced[DaemonSet], owned: Sequence[Sourced[Pod]], names: Names, nodes: Sequence[Node]) -> Made:
    """The pods that one DaemonSet would create now."""
    spec = _with_tolerations(owner.object.spec.template.spec)
    wanted = [node for node in nodes if _may_run(owner, spec, node)]
    if not wanted:
        reason = f"it may run on none of {counted(len(nodes), 'node')}" if nodes else "there are no nodes"
        message = f"makes no pods: {reason}"
        return Made(findings=(note("workloads/no-node", owner, message, "spec", "template"),))
    served = {_target(pod.object) for pod in owned if is_active(pod.object)}
    base = generate_name(owner.ref.name)
    pods = [
        pod_from_template(
            owner,
            names.numbered("Pod", owner.ref.namespace, base),
            generate_name=base,
            spec=_bound_to(spec, node.metadata.name),
        )
        for node in wanted
        if node.metadata.name not in served
    ]
    return Made(tuple(pods))


def _may_run(owner: Sourced[DaemonSet], spec: PodSpec, node: Node) -> bool:
    if spec.nodeName not in ("", node.metadata.name):
        return False
    labels = node.metadata.labels or {}
    if any(labels.get(key) != value for key, value in (spec.nodeSelector or {}).items()):
        return False
    required = _required(spec)
    try:
        if required is not None and not matches_node(required, node):
            return False
    except ValueError as error:
        raise bad_field(owner, _REQUIRED_PATH, str(error), "use In, NotIn, Exists, DoesNotExist, Gt or Lt") from error
    return untolerated(node.spec.taints or (), spec.tolerations or ()) is None


def _required(spec: PodSpec) -> NodeSelector | None:
    affinity = spec.affinity.nodeAffinity if spec.affinity else None
    return affinity.requiredDuringSchedulingIgnoredDuringExecution if affinity else None


def _with_tolerations(spec: PodSpec) -> PodSpec:
    own = spec.tolerations or []
    taints = (*_ADDED, _ADDED_ON_HOST_NETWORK) if spec.hostNetwork else _ADDED
    added = [Toleration(key=key, operator="Exists", effect=effect) for key, effect in taints]
    return structs.replace(spec, tolerations=[*own, *(each for each in added if each not in own)])


def _bound_to(spec: PodSpec, node: str) -> PodSpec:
    """The spec with all required node terms replaced by the node's name."""
    by_name = NodeSelectorRequirement(key=_NODE_NAME, operator="In", values=[node])
    required = NodeSelector(nodeSelectorTerms=[NodeSelectorTerm(matchFields=[by_name])])
    affinity = spec.affinity or Affinity()
    node_affinity = structs.replace(
        affinity.nodeAffinity or NodeAffinity(), requiredDuringSchedulingIgnoredDuringExecution=required
    )
    return structs.replace(spec, affinity=structs.replace(affinity, nodeAffinity=node_affinity))


def _target(pod: Pod) -> str | None:
    """The node that a pod of a DaemonSet is on or meant for."""
    if pod.spec.nodeName:
        return pod.spec.nodeName
    required = _required(pod.spec)
    for term in (required.nodeSelectorTerms if required else None) or ():
        for requirement in term.matchFields or ():
            if requirement.key == _NODE_NAME and requirement.operator == "In" and len(requirement.values or ()) == 1:
                return (requirement.values or [""])[0]
    return None
