"""Nodes that nothing describes, but that slices, allocations or pods name."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias, cast

from dractl.api.base import ObjectMeta
from dractl.api.core import Node, Pod, PodTemplateSpec
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pods import is_terminal
from dractl.api.resource import AllocationResult, ResourceClaim, ResourceSlice
from dractl.api.workload import CronJob, DaemonSet, Deployment, Job, ReplicaSet, ReplicationController, StatefulSet
from dractl.errors import Place
from dractl.finding import Finding, Severity
from dractl.phrases import counted
from dractl.workloads.steps import Step

HOSTNAME: Final = "kubernetes.io/hostname"
ASSUMED: Final = "workloads/assumed-nodes"
"""The id of what is said about them."""
_NAMED_AT_MOST: Final = 5
_WORKLOADS: Final = (ReplicationController, ReplicaSet, Deployment, StatefulSet, DaemonSet, Job)

_Mention: TypeAlias = tuple[str, Place, Sourced[Any]]
"""A node's name, the field that has it, and the object that the field belongs to."""


def assume_nodes(objects: ObjectSet) -> Step:
    """Add a node, with its hostname label and nothing else, for every name without a Node object.

    An assumed node is known by `made_by`: the slice, claim or pod that names it first.
    """
    known = {node.ref.name for node in objects.of(Node)}
    described = bool(known)
    assumed: list[Sourced[Node]] = []
    for name, place, source in _mentions(objects):
        if name not in known:
            known.add(name)
            assumed.append(_node(name, place, source))
    return Step(objects.with_more(assumed), remarks_on(assumed, described=described)) if assumed else Step(objects)


def named_nodes(objects: ObjectSet) -> list[str]:
    """The names of all nodes: those of Node objects, and those that other objects mention."""
    described = [node.ref.name for node in objects.of(Node)]
    return list(dict.fromkeys([*described, *(name for name, _, _ in _mentions(objects))]))


def _mentions(objects: ObjectSet) -> Iterator[_Mention]:
    for piece in objects.of(ResourceSlice):
        yield from _of_slice(piece)
    for claim in objects.of(ResourceClaim):
        allocation = claim.object.status.allocation
        for name in _allocated_to(allocation) if allocation else ():
            yield name, claim.place.at("status", "allocation", "nodeSelector"), claim
    for pod in objects.of(Pod):
        if pod.object.spec.nodeName and not is_terminal(pod.object):
            yield pod.object.spec.nodeName, pod.place.at("spec", "nodeName"), pod
    for owner, template, place in _templates(objects):
        if template.spec.nodeName:
            yield template.spec.nodeName, place.at("spec", "nodeName"), owner


def _of_slice(piece: Sourced[ResourceSlice]) -> Iterator[_Mention]:
    if piece.object.spec.nodeName:
        yield piece.object.spec.nodeName, piece.place.at("spec", "nodeName"), piece
    for index, device in enumerate(piece.object.spec.devices or ()):
        if device.nodeName:
            yield device.nodeName, piece.place.at("spec", "devices", index, "nodeName"), piece


def _templates(objects: ObjectSet) -> Iterator[tuple[Sourced[Any], PodTemplateSpec, Place]]:
    """The pods that workloads would make, by their templates."""
    for kind in _WORKLOADS:
        for owner in objects.of(kind):
            yield owner, cast("Any", owner.object).spec.template, owner.place.at("spec", "template")
    for cron_job in objects.of(CronJob):
        template = cron_job.object.spec.jobTemplate.spec.template
        yield cron_job, template, cron_job.place.at("spec", "jobTemplate", "spec", "template")


def _allocated_to(allocation: AllocationResult) -> Iterator[str]:
    """The nodes that an allocation names, as it does for devices of a single node."""
    terms = allocation.nodeSelector.nodeSelectorTerms if allocation.nodeSelector else None
    for term in terms or ():
        for requirement in term.matchFields or ():
            if requirement.key == "metadata.name" and requirement.operator == "In":
                yield from requirement.values or ()


def _node(name: str, place: Place, source: Sourced[Any]) -> Sourced[Node]:
    node = Node(metadata=ObjectMeta(name=name, labels={HOSTNAME: name}))
    return Sourced(node, ObjectRef("Node", "", name), place, "v1", made_by=source.ref)


def remarks_on(assumed: Sequence[Sourced[Node]], *, described: bool) -> tuple[Finding, ...]:
    """A guess where there are no nodes at all; where some are described, the others may be gone."""
    if not assumed:
        return ()
    names = [node.ref.name for node in assumed]
    shown = ", ".join(names[:_NAMED_AT_MOST])
    if len(names) > _NAMED_AT_MOST:
        shown += f" and {len(names) - _NAMED_AT_MOST} more"
    message = (
        f"{counted(len(names), 'node')} assumed, named but not described: {shown}; "
        "without taints, without labels but the hostname, CPU and memory not checked"
    )
    severity = Severity.WARNING if described else Severity.INFO
    remedy = "add `kubectl get nodes -o yaml` to the input"
    return (Finding(ASSUMED, severity, message, assumed[0].place, remedy=remedy),)
