"""Pods that were created with `spec.nodeName`: what is missing for the kubelet to start them (controllers.md §4).

Nobody allocates devices for such a pod. The controller reserves what is allocated already, up to the first claim that
is absent, and the kubelet starts the pod when every claim is allocated and reserved.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from dractl.api.core import Pod
from dractl.api.identities import ClaimRef, ObjectRef, PodRef
from dractl.api.objects import Sourced, written
from dractl.api.pods import is_active
from dractl.api.quantity import Quantity, QuantityFormat
from dractl.api.resource import ResourceClaim
from dractl.api.selectors import matches_node
from dractl.api.uids import derived_uid
from dractl.cluster.cluster import Cluster
from dractl.cluster.requests import CPU, MEMORY, container_requests, pod_requests
from dractl.finding import Finding, Severity
from dractl.observe.references import CLAIM, meant_instead
from dractl.observe.sharing import CONSUMERS_PER_CLAIM, GROUPS_GATE

HOSTNAME: Final = "kubernetes.io/hostname"
_REASON: Final = "Failed to prepare dynamic resources: prepare dynamic resources: "


class Missing(Struct, frozen=True):
    """One claim of a pod that keeps it from starting: in words, and what the kubelet says of it, if it gets there."""

    entry: str
    because: str
    kubelet: str


def prescheduled_findings(cluster: Cluster, claims: Mapping[ClaimRef, ResourceClaim]) -> Iterator[Finding]:
    """Pods with a node that do not start, or start without devices; `claims` are all claims, as they are in the end."""
    by_ref = {sourced.ref: sourced for sourced in cluster.objects}
    for sourced in cluster.objects.of(Pod):
        ref = PodRef(sourced.ref.namespace, sourced.ref.name)
        pod = cluster.pods[ref]
        if not pod.spec.nodeName or not is_active(pod) or pod.status.phase not in ("", "Pending"):
            continue
        source = written(sourced, by_ref)
        missing = list(missing_claims(cluster, claims, ref))
        if missing:
            yield _never_starts(cluster, source, pod, missing)
        yield from _elsewhere(cluster, claims, source, ref)
        yield from _without_devices(cluster, source, pod)


def missing_claims(cluster: Cluster, claims: Mapping[ClaimRef, ResourceClaim], ref: PodRef) -> Iterator[Missing]:
    """The claims that keep the pod from starting, in the order of its spec."""
    pod = cluster.pods[ref]
    uid = pod.metadata.uid or derived_uid(ObjectRef("Pod", ref.namespace, ref.name))
    names = {each.name: each.resourceClaimName for each in pod.status.resourceClaimStatuses or ()}
    is_reserving = True
    for entry in pod.spec.resourceClaims or ():
        if entry.resourceClaimName is None and entry.name not in names:
            yield Missing(entry.name, "its claim is not made yet", f'pod "{ref}": ResourceClaim not created yet')
            continue
        name = entry.resourceClaimName or names[entry.name]
        if name is None:
            continue
        claim = claims.get(ClaimRef(ref.namespace, name))
        if claim is None:
            is_reserving = False
            text = f'fetch ResourceClaim {name}: resourceclaims.resource.k8s.io "{name}" not found'
            hint = meant_instead(CLAIM, ClaimRef(ref.namespace, name), claims, cluster.templates)
            because = f"claim {name} does not exist{f'; {hint}' if hint else ''}"
            yield Missing(entry.name, because, text)
            continue
        because = _why_not_reserved(cluster, claim, ref, uid, is_reserving=is_reserving)
        if because:
            claim_uid = claim.metadata.uid or derived_uid(ObjectRef("ResourceClaim", ref.namespace, name))
            text = f"pod {ref.name} ({uid}) is not allowed to use ResourceClaim {name} ({claim_uid})"
            yield Missing(entry.name, because, text)


def _why_not_reserved(cluster: Cluster, claim: ResourceClaim, ref: PodRef, uid: str, *, is_reserving: bool) -> str:
    """Why neither the pod nor its group is reserved, nor will be, or nothing."""
    reserved = claim.status.reservedFor or []
    member = cluster.pods[ref].spec.schedulingGroup
    group = member.podGroupName if member is not None and GROUPS_GATE in cluster.gates else None
    if any(each.uid == uid or (group and (each.resource, each.name) == ("podgroups", group)) for each in reserved):
        return ""
    name = claim.metadata.name
    if claim.status.allocation is None:
        controller = claim.metadata.controller
        if controller is not None and (controller.kind, controller.name) == ("Pod", ref.name):
            return f"claim {name} is its own and nobody allocates it"
        return f"claim {name} is not allocated: that happens when the scheduler places another pod that uses it"
    if len(reserved) >= CONSUMERS_PER_CLAIM:
        return f"claim {name} is reserved for {CONSUMERS_PER_CLAIM} others already"
    return (
        "" if is_reserving else f"claim {name} is not reserved: an earlier claim is absent, where the controller stops"
    )


def _never_starts(cluster: Cluster, source: Sourced[Pod], pod: Pod, missing: list[Missing]) -> Finding:
    listed = "; ".join(f"{each.entry}: {each.because}" for each in missing)
    return Finding(
        "pods/never-starts",
        Severity.WARNING if source.metadata.is_dump else Severity.ERROR,
        f"the pod has its node by spec.nodeName, so nobody allocates devices for it, and it stays Pending ({listed}); "
        f"meanwhile it blocks {_blocked(pod)} of {pod.spec.nodeName}. "
        f"The kubelet: {_REASON}{missing[0].kubelet}",
        source.place.at("spec", "nodeName"),
        str(source.ref),
        _remedy(cluster, pod.spec.nodeName),
    )


def _elsewhere(
    cluster: Cluster, claims: Mapping[ClaimRef, ResourceClaim], source: Sourced[Pod], ref: PodRef
) -> Iterator[Finding]:
    """Nobody checks that an allocation is for the node."""
    pod = cluster.pods[ref]
    node = cluster.nodes.get(pod.spec.nodeName)
    names = {each.name: each.resourceClaimName for each in pod.status.resourceClaimStatuses or ()}
    for entry in pod.spec.resourceClaims or ():
        claim = claims.get(ClaimRef(ref.namespace, entry.resourceClaimName or names.get(entry.name) or ""))
        allocation = claim.status.allocation if claim is not None else None
        if node is None or claim is None or allocation is None or allocation.nodeSelector is None:
            continue
        if not matches_node(allocation.nodeSelector, node):
            yield Finding(
                "pods/devices-elsewhere",
                Severity.WARNING,
                f"claim {claim.metadata.name} holds devices that cannot be reached from {pod.spec.nodeName}, where "
                "spec.nodeName puts the pod; nobody checks that",
                source.place.at("spec", "nodeName"),
                str(source.ref),
                _remedy(cluster, pod.spec.nodeName),
            )


def _without_devices(cluster: Cluster, source: Sourced[Pod], pod: Pod) -> Iterator[Finding]:
    """Extended resources that the node does not list are ignored by the kubelet."""
    if pod.status.extendedResourceClaimStatus is not None:
        return
    node = cluster.nodes.get(pod.spec.nodeName)
    listed = (node.status.allocatable or node.status.capacity or {}) if node is not None else {}
    served = {each.spec.extendedResourceName for each in cluster.classes.values()}
    for name, amount in container_requests(pod).items():
        is_served = name in served or name.startswith("deviceclass.resource.kubernetes.io/")
        if amount and is_served and name not in listed:
            yield Finding(
                "pods/starts-without-devices",
                Severity.WARNING if source.metadata.is_dump else Severity.ERROR,
                f"the pod has its node by spec.nodeName and asks for {name}, which devices serve and the node does not "
                "list: the kubelet ignores it and starts the pod without a device",
                source.place.at("spec", "nodeName"),
                str(source.ref),
                _remedy(cluster, pod.spec.nodeName),
            )


def _remedy(cluster: Cluster, node: str) -> str:
    found = cluster.nodes.get(node)
    host = (found.metadata.labels or {}).get(HOSTNAME, node) if found is not None else node
    return f"write `nodeSelector: {{{HOSTNAME}: {host}}}` instead of nodeName: then the scheduler allocates"


def _blocked(pod: Pod) -> str:
    requests = pod_requests(pod)
    cpu = Quantity(requests.get(CPU, 0)).with_format(QuantityFormat.DECIMAL_SI)
    memory = Quantity(requests.get(MEMORY, 0)).with_format(QuantityFormat.BINARY_SI)
    return f"{cpu} cpu and {memory} memory"
