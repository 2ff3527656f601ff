"""What the system's default spreading counts: pods of the same Services and controllers (scheduling.md §8.3)."""

from dractl.api.base import LabelSelector, LabelSelectorRequirement
from dractl.api.core import Pod, Service
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet
from dractl.api.selectors import matches_labels
from dractl.api.workload import ReplicaSet, ReplicationController, StatefulSet


def spread_selector(pod: Pod, objects: ObjectSet) -> LabelSelector | None:
    """All labels that Services and the controller of the pod select by, or None if nothing selects it."""
    labels: dict[str, str] = {}
    expressions: list[LabelSelectorRequirement] = []
    space = pod.metadata.namespace
    for service in objects.of(Service):
        selector = service.object.spec.selector
        if service.ref.namespace == space and selector and _selects(selector, pod):
            labels |= selector
    own = _controller_selector(pod, objects)
    if own is not None:
        labels |= own.matchLabels or {}
        expressions += own.matchExpressions or ()
    if not labels and not expressions:
        return None
    return LabelSelector(matchLabels=labels or None, matchExpressions=expressions or None)


def _controller_selector(pod: Pod, objects: ObjectSet) -> LabelSelector | None:
    owner = pod.metadata.controller
    if owner is None:
        return None
    space = pod.metadata.namespace
    for replicas in objects.of(ReplicaSet):
        if replicas.ref == ObjectRef(owner.kind, space, owner.name):
            return replicas.object.spec.selector
    for stateful in objects.of(StatefulSet):
        if stateful.ref == ObjectRef(owner.kind, space, owner.name):
            return stateful.object.spec.selector
    for controller in objects.of(ReplicationController):
        if controller.ref == ObjectRef(owner.kind, space, owner.name):
            return LabelSelector(matchLabels=controller.object.spec.selector)
    return None


def _selects(selector: dict[str, str], pod: Pod) -> bool:
    return matches_labels(LabelSelector(matchLabels=selector), pod.metadata.labels)
