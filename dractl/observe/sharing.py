"""Claims that more pods want than may reserve them (scheduling.md §3.3, controllers.md §3)."""

from collections.abc import Collection, Iterator
from typing import Final

from dractl.api.core import Pod
from dractl.api.identities import ClaimRef, ObjectRef
from dractl.api.objects import ObjectSet, Sourced, written
from dractl.api.pods import claims_by_entry, is_active
from dractl.api.resource import ResourceClaim
from dractl.api.scheduling import PodGroup
from dractl.finding import Finding, Severity

CONSUMERS_PER_CLAIM: Final = 256
GROUPS_GATE: Final = "DRAWorkloadResourceClaims"


def sharing_findings(objects: ObjectSet, gates: Collection[str]) -> Iterator[Finding]:
    """Claims with too many consumers, those that are recorded and those to come; `gates` are the ones that are on."""
    groups = {sourced.ref: sourced.object for sourced in objects.of(PodGroup)} if GROUPS_GATE in gates else {}
    users: dict[ClaimRef, dict[ObjectRef, None]] = {}
    for pod in objects.of(Pod):
        if is_active(pod.object):
            for entry, name in claims_by_entry(pod.object).items():
                if name is not None:
                    consumer = _consumer(pod, entry, groups)
                    users.setdefault(ClaimRef(pod.ref.namespace, name), {})[consumer] = None
    by_ref = {sourced.ref: sourced for sourced in objects}
    for claim in objects.of(ResourceClaim):
        wanted = users.get(ClaimRef(claim.ref.namespace, claim.ref.name), {})
        number = len({*wanted, *_recorded(claim.object)})
        if wanted and number > CONSUMERS_PER_CLAIM:
            yield _finding(written(claim, by_ref), claim, number)


def _finding(source: Sourced[ResourceClaim], claim: Sourced[ResourceClaim], number: int) -> Finding:
    return Finding(
        "claims/too-many-consumers",
        Severity.ERROR,
        f"{number} pods and groups want the claim, and at most {CONSUMERS_PER_CLAIM} may reserve it: the others stay "
        "pending with a scheduler error, or Pending on their nodes",
        source.place,
        str(claim.ref),
        "let pods have claims of their own from a ResourceClaimTemplate, or make several claims",
    )


def _consumer(pod: Sourced[Pod], entry: str, groups: dict[ObjectRef, PodGroup]) -> ObjectRef:
    """The pod's group for an entry that the group has as well; a group counts once."""
    member = pod.object.spec.schedulingGroup
    ref = ObjectRef("PodGroup", pod.ref.namespace, member.podGroupName or "") if member is not None else None
    group = groups.get(ref) if ref is not None else None
    wanted = next(each for each in pod.object.spec.resourceClaims or () if each.name == entry)
    return ref if ref is not None and group is not None and wanted in (group.spec.resourceClaims or ()) else pod.ref


def _recorded(claim: ResourceClaim) -> Iterator[ObjectRef]:
    kinds = {"pods": "Pod", "podgroups": "PodGroup"}
    for each in claim.status.reservedFor or ():
        yield ObjectRef(kinds.get(each.resource, each.resource), claim.metadata.namespace, each.name)
