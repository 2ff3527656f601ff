"""Claims that belong to a PodGroup instead of one pod (controllers.md §2)."""

from collections.abc import Collection
from typing import Final, TypeAlias

from msgspec import structs

from dractl.api.core import Pod, PodResourceClaim, PodResourceClaimStatus
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.scheduling import PodGroup

GROUPS_GATE: Final = "GenericWorkload"
CLAIMS_GATE: Final = "DRAWorkloadResourceClaims"

Owner: TypeAlias = Sourced[Pod] | Sourced[PodGroup]
"""Whose claim is made from a template."""


class GroupClaims:
    """Which entries of pods are claims of their groups, and the names of those that were made."""

    def __init__(self, objects: ObjectSet, gates: Collection[str]) -> None:
        self._gates = gates
        self._groups = {group.ref: group for group in objects.of(PodGroup)}
        self._made: dict[ObjectRef, dict[str, str]] = {}

    def owner_of(self, pod: Sourced[Pod], entry: PodResourceClaim) -> Owner | str:
        """Who owns the claim of an entry with a template, or why no claim is made for it.

        A group's entry has to agree with the pod's by all three names. While the gate is off, new groups have lost the
        field, so the pod gets a claim of its own; groups that were stored with it get none.
        """
        group = self._group_of(pod)
        if group is None or entry not in (group.object.spec.resourceClaims or ()):
            return pod
        if CLAIMS_GATE in self._gates:
            return group
        if not group.metadata.is_dump:
            return pod
        return f"claim {entry.name} is a PodGroup claim but the {CLAIMS_GATE} feature is disabled"

    def recorded(self, group: ObjectRef, entry: str) -> str | None:
        """The name of the claim that the group has for an entry, if it has one."""
        found = self._made.get(group, {}).get(entry)
        statuses = self._groups[group].object.status.resourceClaimStatuses or ()
        return found or next((each.resourceClaimName for each in statuses if each.name == entry), None)

    def record(self, group: ObjectRef, entry: str, claim: str) -> None:
        """Remember a claim that was made for the group."""
        self._made.setdefault(group, {})[entry] = claim

    def with_status(self) -> dict[ObjectRef, Sourced[PodGroup]]:
        """The groups for which claims were made, with their names in the status."""
        return {ref: _with_statuses(self._groups[ref], made) for ref, made in self._made.items()}

    def _group_of(self, pod: Sourced[Pod]) -> Sourced[PodGroup] | None:
        member = pod.object.spec.schedulingGroup
        if GROUPS_GATE not in self._gates or member is None or not member.podGroupName:
            return None
        return self._groups.get(ObjectRef("PodGroup", pod.ref.namespace, member.podGroupName))


def _with_statuses(group: Sourced[PodGroup], made: dict[str, str]) -> Sourced[PodGroup]:
    known = {each.name: each for each in group.object.status.resourceClaimStatuses or ()}
    known |= {entry: PodResourceClaimStatus(name=entry, resourceClaimName=name) for entry, name in made.items()}
    status = structs.replace(group.object.status, resourceClaimStatuses=[known[entry] for entry in sorted(known)])
    return Sourced(
        structs.replace(group.object, status=status), group.ref, group.place, group.version, made_by=group.made_by
    )
