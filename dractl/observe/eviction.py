"""Which pods the device taint eviction controller deletes, when and why (taints.md §2, §3)."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from dractl.api.base import OwnerReference, Toleration
from dractl.api.core import Pod
from dractl.api.identities import ClaimRef, DeviceId, PodRef
from dractl.api.quantity import NANO
from dractl.api.resource import ResourceClaim
from dractl.api.tolerations import tolerates
from dractl.observe.device_taints import EVICTING, EvictingTaint, EvictingTaints, Origin, origin_order

_GROUPS = "scheduling.k8s.io"
_LATEST = datetime.max.replace(tzinfo=UTC)
_EARLIEST = datetime.min.replace(tzinfo=UTC)


class Cause(Struct, frozen=True):
    """One device of a claim with one taint that is not tolerated for good, and until when it is tolerated.

    `is_half_tolerated` says that a toleration would answer the taint if it named the effect: the scheduler is content
    with it, the eviction controller is not.
    """

    claim: ClaimRef
    device: DeviceId
    taint: EvictingTaint
    deadline: datetime
    is_half_tolerated: bool = False


class AffectedClaim(Struct, frozen=True):
    """A claim whose users are to be evicted; it has at least one cause."""

    claim: ClaimRef
    causes: tuple[Cause, ...]

    @property
    def evict_at(self) -> datetime:
        """The earliest deadline."""
        return min(cause.deadline for cause in self.causes)

    @property
    def reasons(self) -> tuple[Origin, ...]:
        """All taints that are not tolerated for good, each once, in the controller's order."""
        return _reasons(self.causes)


class Eviction(Struct, frozen=True):
    """A pod that is to be evicted. One that `is_terminating` is only counted, for it is being deleted already."""

    pod: PodRef
    causes: tuple[Cause, ...]
    is_terminating: bool

    @property
    def evict_at(self) -> datetime:
        """The planned time, which may lie in the past: then it happens at once."""
        return min(cause.deadline for cause in self.causes)

    @property
    def reasons(self) -> tuple[Origin, ...]:
        """All taints that are not tolerated for good, each once, in the controller's order."""
        return _reasons(self.causes)

    def is_because_of(self, origin: Origin) -> bool:
        """Whether the taint is one of the reasons."""
        return any(cause.taint.origin == origin for cause in self.causes)


def _reasons(causes: Iterable[Cause]) -> tuple[Origin, ...]:
    return tuple(sorted({cause.taint.origin for cause in causes}, key=origin_order))


def affected_claims(claims: Iterable[ResourceClaim], taints: EvictingTaints) -> dict[ClaimRef, AffectedClaim]:
    """The affected ones of these claims, by namespace and name (taints.md §2)."""
    found = {}
    for claim in sorted(claims, key=lambda each: (each.metadata.namespace, each.metadata.name)):
        ref = ClaimRef(claim.metadata.namespace, claim.metadata.name)
        if causes := tuple(_causes(ref, claim, taints)):
            found[ref] = AffectedClaim(ref, causes)
    return found


def _causes(ref: ClaimRef, claim: ResourceClaim, taints: EvictingTaints) -> Iterator[Cause]:
    """What the allocation says of tolerations counts, not the claim's spec."""
    allocation = claim.status.allocation
    for result in (allocation.devices.results if allocation is not None else None) or ():
        device = DeviceId(result.driver, result.pool, result.device)
        for taint in taints.on(device):
            tolerations = result.tolerations or ()
            deadline = _deadline(taint, tolerations)
            if deadline is not None:
                half = any(not each.effect and tolerates(each, taint.taint) for each in tolerations)
                yield Cause(ref, device, taint, deadline, half)


def _deadline(taint: EvictingTaint, tolerations: Iterable[Toleration]) -> datetime | None:
    """Until when the taint is tolerated, None for ever; only tolerations that name the effect protect."""
    counting = [each for each in tolerations if each.effect == EVICTING and tolerates(each, taint.taint)]
    seconds = [each.tolerationSeconds for each in counting if each.tolerationSeconds is not None]
    if len(seconds) < len(counting):
        return None
    return _after(taint.added, max(0, min(seconds, default=0)))


def _after(moment: datetime, seconds: int) -> datetime:
    """So much later as the controller reckons: in nanoseconds of 64 bits, of which 292 years are the end."""
    nanoseconds = (seconds * NANO + 2**63) % 2**64 - 2**63
    try:
        return moment + timedelta(microseconds=nanoseconds // 1000)
    except OverflowError:
        return _LATEST if nanoseconds > 0 else _EARLIEST


# --- pods ------------------------------------------------------------------------------------------------------------


def evictions(
    pods: Iterable[Pod], claims: Mapping[ClaimRef, ResourceClaim], affected: Mapping[ClaimRef, AffectedClaim]
) -> list[Eviction]:
    """The pods to be evicted, by namespace and name (taints.md §3). Phase, priority and owner do not matter."""
    found = []
    for pod in sorted(pods, key=lambda each: (each.metadata.namespace, each.metadata.name)):
        refs = [ref for ref in _claims_in_use(pod, claims) if ref in affected] if pod.spec.nodeName else []
        if refs:
            found.append(
                Eviction(
                    PodRef(pod.metadata.namespace, pod.metadata.name),
                    tuple(cause for ref in refs for cause in affected[ref].causes),
                    pod.metadata.deletionTimestamp is not None,
                )
            )
    return found


def _claims_in_use(pod: Pod, claims: Mapping[ClaimRef, ResourceClaim]) -> list[ClaimRef]:
    """The pod's claims that are made for it and reserved for it, each once."""
    refs: dict[ClaimRef, None] = {}
    for name, is_generated in _named_claims(pod):
        ref = ClaimRef(pod.metadata.namespace, name)
        claim = claims.get(ref)
        if claim is None or (is_generated and not _is_made_for(claim, pod)):
            continue
        if _is_reserved_for(claim, pod):
            refs[ref] = None
    return list(refs)


def _named_claims(pod: Pod) -> Iterator[tuple[str, bool]]:
    """The names of the pod's claims, and whether each is made from a template or for extended resources."""
    made = {status.name: status.resourceClaimName for status in pod.status.resourceClaimStatuses or ()}
    for entry in pod.spec.resourceClaims or ():
        if entry.resourceClaimName is not None:
            yield entry.resourceClaimName, False
        elif (name := made.get(entry.name)) is not None:
            yield name, True
    special = pod.status.extendedResourceClaimStatus
    if special is not None:
        yield special.resourceClaimName, True


def _is_made_for(claim: ResourceClaim, pod: Pod) -> bool:
    """Whether the pod controls the claim, or its group owns it."""
    controller = claim.metadata.controller
    if controller is not None and _names(pod, controller.uid, controller.name):
        return True
    return any(_is_group_of(owner, pod) for owner in claim.metadata.ownerReferences or ())


def _is_group_of(owner: OwnerReference, pod: Pod) -> bool:
    group = owner.apiVersion.rpartition("/")[0]
    return owner.kind == "PodGroup" and group == _GROUPS and owner.name == _group_name(pod)


def _is_reserved_for(claim: ResourceClaim, pod: Pod) -> bool:
    group = _group_name(pod)
    for consumer in claim.status.reservedFor or ():
        if _names(pod, consumer.uid, consumer.name):
            return True
        if (consumer.apiGroup, consumer.resource) == (_GROUPS, "podgroups") and consumer.name == group:
            return True
    return False


def _names(pod: Pod, uid: str, name: str) -> bool:
    """Whether a reference means the pod: by uid, or by name where one side has no uid because it is a manifest."""
    own = pod.metadata.uid
    return uid == own if uid and own else name == pod.metadata.name


def _group_name(pod: Pod) -> str | None:
    return pod.spec.schedulingGroup.podGroupName if pod.spec.schedulingGroup is not None else None
