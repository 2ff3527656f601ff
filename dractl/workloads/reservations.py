"""Reservations that the resourceclaim controller takes back, and the devices that become free with the last one."""

from collections.abc import Sequence
from typing import Final

from msgspec import structs

from dractl.api.base import OwnerReference
from dractl.api.core import Pod
from dractl.api.identities import ObjectRef, PodRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pods import is_done
from dractl.api.resource import ResourceClaim, ResourceClaimConsumerReference
from dractl.finding import Finding, Severity
from dractl.workloads.owners import refers_to_kind
from dractl.workloads.steps import Step, changed, note

FINALIZER: Final = "resource.kubernetes.io/delete-protection"
"""What the scheduler sets with every allocation; without it the controller frees no devices."""


def release_reservations(objects: ObjectSet) -> Step:
    """Do to all claims what the controller and the garbage collector would do (controllers.md §3).

    Pods that finished, were replaced, or were deleted before they got a node lose their reservation. A pod that the
    input lacks counts as gone only where the input holds pods of that namespace as a cluster had them: a dump of claims
    alone frees nothing.
    """
    pods = _Pods(objects)
    replaced: dict[ObjectRef, Sourced[ResourceClaim]] = {}
    removed: set[ObjectRef] = set()
    findings: list[Finding] = []
    for claim in objects.of(ResourceClaim):
        after = _released(claim, pods)
        findings += _remarks(claim, after, pods)
        if _is_gone(after, pods):
            removed.add(claim.ref)
        elif after is not claim:
            replaced[claim.ref] = after
    return Step(changed(objects, replaced=replaced, without=removed), tuple(findings))


class _Pods:
    """What became of the pods that claims name."""

    def __init__(self, objects: ObjectSet) -> None:
        self._pods = {PodRef(pod.ref.namespace, pod.ref.name): pod.object for pod in objects.of(Pod)}
        self._dumped = {pod.ref.namespace for pod in objects.of(Pod) if _is_from_a_cluster(pod)}

    def is_unknown(self, ref: PodRef) -> bool:
        """Whether the input cannot say if the pod still exists."""
        return ref not in self._pods and ref.namespace not in self._dumped

    def has_ended(self, ref: PodRef, uid: str) -> bool:
        """Whether the pod that a claim names by name and uid will never use it again: gone, replaced or done."""
        pod = self._pods.get(ref)
        if pod is None:
            return ref.namespace in self._dumped
        is_replaced = bool(uid and pod.metadata.uid and uid != pod.metadata.uid)
        return is_replaced or is_done(pod)


def _is_from_a_cluster(pod: Sourced[Pod]) -> bool:
    return pod.made_by is None and (pod.metadata.is_dump or bool(pod.object.status.phase))


def _released(claim: Sourced[ResourceClaim], pods: _Pods) -> Sourced[ResourceClaim]:
    status = claim.object.status
    before = status.reservedFor or []
    kept = [each for each in before if not _has_ended(each, claim.ref.namespace, pods)]
    if len(kept) == len(before):
        return claim
    metadata, status = claim.object.metadata, structs.replace(status, reservedFor=kept or None)
    finalizers = metadata.finalizers or []
    if not kept and FINALIZER in finalizers:
        status = structs.replace(status, allocation=None, devices=None)
        others = [each for each in finalizers if each != FINALIZER]
        metadata = structs.replace(metadata, finalizers=others or None)
    return structs.replace(claim, object=structs.replace(claim.object, metadata=metadata, status=status))


def _has_ended(consumer: ResourceClaimConsumerReference, namespace: str, pods: _Pods) -> bool:
    return _is_pod(consumer) and pods.has_ended(PodRef(namespace, consumer.name), consumer.uid)


def _is_pod(consumer: ResourceClaimConsumerReference) -> bool:
    return not consumer.apiGroup and consumer.resource == "pods"


def _is_gone(claim: Sourced[ResourceClaim], pods: _Pods) -> bool:
    """Whether the claim object disappears: deleted and held by nothing, or made for a pod that has ended."""
    if claim.object.status.reservedFor:
        return False
    if claim.metadata.deletionTimestamp is not None and not claim.metadata.finalizers:
        return True
    owner = _owning_pod(claim)
    return owner is not None and pods.has_ended(PodRef(claim.ref.namespace, owner.name), owner.uid)


def _owning_pod(claim: Sourced[ResourceClaim]) -> OwnerReference | None:
    owner = claim.metadata.controller
    return owner if owner is not None and refers_to_kind(owner, "Pod") else None


def _remarks(before: Sourced[ResourceClaim], after: Sourced[ResourceClaim], pods: _Pods) -> Sequence[Finding]:
    if before.object.status.allocation is None:
        return ()
    if after is not before and not after.object.status.reservedFor:
        return (_freed(before, after, pods),)
    unknown = [
        each.name
        for each in before.object.status.reservedFor or ()
        if _is_pod(each) and pods.is_unknown(PodRef(before.ref.namespace, each.name))
    ]
    if not unknown:
        return ()
    return (
        Finding(
            "workloads/reserved-for-unread-pod",
            Severity.INFO,
            f"is reserved for {', '.join(unknown)}, which the input lacks: taken as running, so its devices stay taken",
            before.place.at("status", "reservedFor"),
            str(before.ref),
            f"add `kubectl get pods -n {before.ref.namespace} -o yaml` to the input",
        ),
    )


def _freed(before: Sourced[ResourceClaim], after: Sourced[ResourceClaim], pods: _Pods) -> Finding:
    users = ", ".join(each.name for each in before.object.status.reservedFor or ())
    if after.object.status.allocation is not None and not _is_gone(after, pods):
        message = f"is used by no pod any more ({users}), but lacks the finalizer {FINALIZER}: its devices stay taken"
    else:
        message = f"is used by no pod any more ({users}): the controller frees its devices"
    return note("workloads/reservation-ended", before, message, "status", "reservedFor")
