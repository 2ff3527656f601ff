"""The cluster after evictions: the pods that are evicted wait for a node again, and what they held is free."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import structs
from msgspec.structs import replace

from dractl.api.core import Pod, PodStatus
from dractl.api.identities import ClaimRef, ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.resource import (
    DeviceTaintRule,
    ResourceClaim,
    ResourceClaimConsumerReference,
    ResourceClaimStatus,
)
from dractl.api.uids import uid_of
from dractl.cluster.node_machine import NodeMachine
from dractl.observe.dry_run import NO_EFFECT, as_evicting
from dractl.workloads.reservations import FINALIZER


def after_evictions(objects: ObjectSet, pods: Collection[Sourced[Pod]]) -> ObjectSet:
    """The objects with these pods made anew, under the same names and with claims of the same content.

    A claim loses its devices with its last reservation (controllers.md §3): one that is reserved for a group keeps
    them, and so does a stored one without the scheduler's finalizer.
    """
    return ObjectSet(_changed(objects, _Evicted(pods)))


def with_dry_runs_evicting(objects: ObjectSet) -> ObjectSet:
    """The objects if rules with the effect None evicted from now on."""
    return ObjectSet(
        structs.replace(sourced, object=as_evicting(sourced.object))
        if isinstance(sourced.object, DeviceTaintRule) and sourced.object.spec.taint.effect == NO_EFFECT
        else sourced
        for sourced in objects
    )


def machines_after_evictions(
    machines: Mapping[str, NodeMachine], pods: Iterable[Sourced[Pod]]
) -> Mapping[str, NodeMachine]:
    """The machines without these pods: what they held of CPUs, memory and plugins' devices is free."""
    left: dict[str, set[str]] = {}
    for pod in pods:
        left.setdefault(pod.object.spec.nodeName or "", set()).add(uid_of(pod))
    return {name: replace(machine, gone=machine.gone | left.get(name, set())) for name, machine in machines.items()}


def _changed(objects: ObjectSet, evicted: "_Evicted") -> Iterator[Sourced[Any]]:
    for sourced in objects:
        value: Any = sourced.object
        if isinstance(value, Pod) and sourced.ref in evicted.refs:
            value = _pending(value)
        elif isinstance(value, ResourceClaim):
            if evicted.has_special(sourced.ref):
                continue
            value = evicted.released(value)
        yield sourced if value is sourced.object else structs.replace(sourced, object=value)


def _pending(pod: Pod) -> Pod:
    """The pod as its controller would make it again; it keeps the names of its claims."""
    status = PodStatus(resourceClaimStatuses=pod.status.resourceClaimStatuses)
    return replace(pod, spec=replace(pod.spec, nodeName=""), status=status)


class _Evicted:
    """The evicted pods, and what becomes of claims without them."""

    def __init__(self, pods: Collection[Sourced[Pod]]) -> None:
        self.refs: Final = {pod.ref for pod in pods}
        self._special: Final = {
            ObjectRef(
                "ResourceClaim", pod.ref.namespace, pod.object.status.extendedResourceClaimStatus.resourceClaimName
            )
            for pod in pods
            if pod.object.status.extendedResourceClaimStatus is not None
        }

    def has_special(self, claim: ObjectRef) -> bool:
        """Whether the scheduler made the claim for an evicted pod: it goes with the pod."""
        return claim in self._special

    def released(self, claim: ResourceClaim) -> ResourceClaim:
        before = claim.status.reservedFor or []
        ref = ClaimRef(claim.metadata.namespace, claim.metadata.name)
        kept = [each for each in before if not self._is_gone(each, ref)]
        if len(kept) == len(before):
            return claim
        is_made_anew = self._owns(claim)
        if not kept and (is_made_anew or not claim.metadata.is_dump or FINALIZER in (claim.metadata.finalizers or ())):
            return replace(claim, status=ResourceClaimStatus())
        return replace(claim, status=replace(claim.status, reservedFor=kept or None))

    def _is_gone(self, consumer: ResourceClaimConsumerReference, claim: ClaimRef) -> bool:
        is_pod = not consumer.apiGroup and consumer.resource == "pods"
        return is_pod and ObjectRef("Pod", claim.namespace, consumer.name) in self.refs

    def _owns(self, claim: ResourceClaim) -> bool:
        """Whether the claim is generated for an evicted pod: it is deleted with the pod, and made anew with it."""
        owner = claim.metadata.controller
        return (
            owner is not None
            and owner.kind == "Pod"
            and ObjectRef("Pod", claim.metadata.namespace, owner.name) in self.refs
        )
