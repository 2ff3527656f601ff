"""Which claims a pod uses, and what keeps it from being tried at all (scheduling.md §2, §3.1)."""

from typing import Final

from msgspec import Struct

from dractl.api.core import Pod, PodResourceClaim
from dractl.api.identities import ClaimRef, ObjectRef, PodRef
from dractl.api.resource import ResourceClaim
from dractl.cluster.cluster import Cluster
from dractl.cluster.state import ClusterState

GROUPS_GATE: Final = "GenericWorkload"
CLAIMS_GATE: Final = "DRAWorkloadResourceClaims"
GATES_PLUGIN: Final = "SchedulingGates"


def group_ref(cluster: Cluster, pod: Pod) -> ObjectRef | None:
    """The group that a pod names, as far as groups are scheduled together at all."""
    member = pod.spec.schedulingGroup
    if GROUPS_GATE not in cluster.gates or member is None or not member.podGroupName:
        return None
    return ObjectRef("PodGroup", pod.metadata.namespace, member.podGroupName)


class PodClaim(Struct, frozen=True):
    """An entry of `spec.resourceClaims`, the claim that it stands for, and for whom that is reserved."""

    entry: str
    claim: ClaimRef
    consumer: ObjectRef


class HeldBack(Struct, frozen=True):
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
            found.append(PodClaim(entry.name, claim, _consumer(state, pod, entry)))
    return tuple(found)


def scheduling_gates(pod: Pod) -> HeldBack | None:
    """Gates that somebody else has to take away before the pod is tried."""
    gates = [gate.name for gate in pod.spec.schedulingGates or ()]
    return HeldBack(f"waiting for scheduling gates: [{' '.join(gates)}]", GATES_PLUGIN) if gates else None


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
        group = claims_group(state, pod)
        owners = "Pod is not owner" if group is None else f"neither Pod nor PodGroup {group.name} is the owner"
        if group is None or not _is_owning_group(group, claim):
            return HeldBack(f"ResourceClaim {claim_ref} was not created for Pod {ref} ({owners})")
    return claim_ref


def claims_group(state: ClusterState, pod: Pod) -> ObjectRef | None:
    """The pod's group, where groups may own claims."""
    return group_ref(state.cluster, pod) if CLAIMS_GATE in state.cluster.gates else None


def _consumer(state: ClusterState, pod: Pod, entry: PodResourceClaim) -> ObjectRef:
    """The group for an entry that the group has as well, by all three names; else the pod."""
    group = claims_group(state, pod)
    known = state.cluster.groups.get(group) if group is not None else None
    if group is not None and known is not None and entry in (known.spec.resourceClaims or ()):
        return group
    return ObjectRef("Pod", pod.metadata.namespace, pod.metadata.name)


def _is_owning_group(group: ObjectRef, claim: ResourceClaim) -> bool:
    """A group owns by name."""
    controller = claim.metadata.controller
    if controller is None or not controller.apiVersion.startswith("scheduling.k8s.io/"):
        return False
    return (controller.kind, controller.name) == ("PodGroup", group.name)


def _is_owner(pod: Pod, ref: PodRef, claim: ResourceClaim) -> bool:
    """Whether the pod controls the claim, by UID; where one of them has none (trimmed dumps, manifests) by name."""
    controller = claim.metadata.controller
    if controller is None:
        return False
    if controller.uid and pod.metadata.uid:
        return controller.uid == pod.metadata.uid
    return (controller.kind, controller.name) == ("Pod", ref.name)
