"""Which claims a pod uses, and what keeps it from being tried at all (scheduling.md §2, §3.1)."""

from dataclasses import dataclass

from dractl.api.core import Pod, PodResourceClaim
from dractl.api.identities import ClaimRef, PodRef
from dractl.api.resource import ResourceClaim
from dractl.cluster.state import ClusterState


@dataclass(frozen=True, slots=True)
class PodClaim:
    """An entry of `spec.resourceClaims` and the claim that it stands for."""

    entry: str
    claim: ClaimRef


@dataclass(frozen=True, slots=True)
class HeldBack:
    """Why a pod is not even tried, in the scheduler's words; it gets neither a condition nor an event."""

    text: str
    plugin: str = "DynamicResources"


def pod_claims(state: ClusterState, ref: PodRef) -> tuple[PodClaim, ...] | HeldBack:
    """The pod's claims in the order of its spec, or the first problem with one of them."""
    pod = state.pods[ref]
    found: list[PodClaim] = []
    for entry in pod.spec.resourceClaims or ():
        claim = _claim_of(state, ref, pod, entry)
        if isinstance(claim, HeldBack):
            return claim
        if claim is not None:
            found.append(PodClaim(entry.name, claim))
    return tuple(found)


def scheduling_gates(pod: Pod) -> HeldBack | None:
    """Gates that somebody else has to take away before the pod is tried."""
    gates = [gate.name for gate in pod.spec.schedulingGates or ()]
    return HeldBack(f"waiting for scheduling gates: [{' '.join(gates)}]", "SchedulingGates") if gates else None


def _claim_of(state: ClusterState, ref: PodRef, pod: Pod, entry: PodResourceClaim) -> ClaimRef | HeldBack | None:
    name = entry.resourceClaimName
    if name is None:
        if entry.resourceClaimTemplateName is None:
            return HeldBack(f'pod "{ref}", spec.resourceClaim "{entry.name}": none of the supported fields are set')
        statuses = {status.name: status for status in pod.status.resourceClaimStatuses or ()}
        if entry.name not in statuses:
            return HeldBack(f'pod "{ref}": ResourceClaim not created yet')
        name = statuses[entry.name].resourceClaimName
        if name is None:
            return None
    claim_ref = ClaimRef(ref.namespace, name)
    claim = state.claims.get(claim_ref)
    if claim is None:
        return HeldBack(f'could not find ResourceClaim "{claim_ref}"')
    if claim.metadata.deletionTimestamp is not None:
        return HeldBack(f'resourceclaim "{name}" is being deleted')
    if entry.resourceClaimTemplateName is not None and not _is_owner(pod, ref, claim):
        return HeldBack(f"ResourceClaim {claim_ref} was not created for Pod {ref} (Pod is not owner)")
    return claim_ref


def _is_owner(pod: Pod, ref: PodRef, claim: ResourceClaim) -> bool:
    """Whether the pod controls the claim, by UID; where one of them has none (trimmed dumps, manifests) by name."""
    controller = claim.metadata.controller
    if controller is None:
        return False
    if controller.uid and pod.metadata.uid:
        return controller.uid == pod.metadata.uid
    return (controller.kind, controller.name) == ("Pod", ref.name)
