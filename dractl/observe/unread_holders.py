"""Pods that hold devices which would be taken from them, and that the input lacks: what becomes of them is open."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from dractl.api.core import Pod
from dractl.api.identities import ClaimRef
from dractl.api.objects import Sourced
from dractl.api.resource import ResourceClaim, ResourceClaimConsumerReference
from dractl.api.times import time_text
from dractl.finding import Finding, Severity
from dractl.observe.device_taints import Origin, origin_text
from dractl.observe.dry_run import TaintWorld
from dractl.observe.eviction import AffectedClaim
from dractl.phrases import listed, verb

_POD_GROUPS = ("scheduling.k8s.io", "podgroups")


class UnreadHolders(Struct, frozen=True):
    """An affected claim and those who hold it without being in the input, as `pod a` or `group b`."""

    claim: Sourced[ResourceClaim]
    names: tuple[str, ...]
    affected: AffectedClaim
    is_supposed: bool
    """Whether only rules with the effect None affect the claim, if they had the effect NoExecute."""


def unread_holders(world: TaintWorld, claims: Sequence[Sourced[ResourceClaim]]) -> Iterator[UnreadHolders]:
    """By claim in input order. A pod that the input lacks is gone where it has the namespace's pods from a cluster."""
    supposed = world.supposed().affected
    for claim in claims:
        ref = ClaimRef(claim.ref.namespace, claim.ref.name)
        pods = [pod for pod in world.pods if pod.metadata.namespace == ref.namespace] if ref in supposed else []
        if ref not in supposed or any(pod.metadata.is_dump or pod.status.phase for pod in pods):
            continue
        names = tuple(
            name for each in claim.object.status.reservedFor or () if (name := _unread(each, pods)) is not None
        )
        if names:
            yield UnreadHolders(claim, names, world.affected.get(ref, supposed[ref]), ref not in world.affected)


def _unread(consumer: ResourceClaimConsumerReference, pods: Sequence[Pod]) -> str | None:
    if (consumer.apiGroup, consumer.resource) == _POD_GROUPS:
        groups = [pod.spec.schedulingGroup.podGroupName for pod in pods if pod.spec.schedulingGroup is not None]
        return None if consumer.name in groups else f"group {consumer.name}"
    if consumer.apiGroup or consumer.resource != "pods":
        return None
    return None if consumer.name in [pod.metadata.name for pod in pods] else f"pod {consumer.name}"


def unread_finding(holders: UnreadHolders, world: TaintWorld) -> Finding:
    """Who holds the claim, and what its allocation says of tolerations: that decides, if the pods run."""
    affected, number = holders.affected, len(holders.names)
    if affected.evict_at <= world.now:
        when, because = "at once", f"does not tolerate {_taints(affected.reasons)}"
    else:
        when, because = f"at {time_text(affected.evict_at)}", f"tolerates {_taints(affected.reasons)} until then only"
    they_run, is_, with_effect = verb(number, "it runs, it", "they run, they"), verb(number, "is", "are"), ""
    if holders.is_supposed:
        is_, with_effect = "would be", " with effect NoExecute"
    return Finding(
        "taints/unread-pods",
        Severity.WARNING,
        f"is reserved for {listed(holders.names)}, which the input lacks: if {they_run} {is_} evicted "
        f"{when}{with_effect}, for the allocation {because}",
        holders.claim.place.at("status", "reservedFor"),
        str(holders.claim.ref),
        f"add `kubectl get pods -n {holders.claim.ref.namespace} -o yaml` to the input",
    )


def _taints(reasons: Sequence[Origin]) -> str:
    sources = [origin_text(each) for each in reasons]
    return f"the {verb(len(sources), 'taint', 'taints')} of {listed(dict.fromkeys(sources))}"
