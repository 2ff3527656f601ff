"""Pods that are scheduled together: who belongs to a group, and what holds it back (scheduling.md §2, §13)."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from dractl.api.core import Pod
from dractl.api.identities import ObjectRef, PodRef
from dractl.api.scheduling import PodGroup
from dractl.cluster.cluster import Cluster
from dractl.scheduler.pod_claims import HeldBack, group_ref

CLAIM_OF_GROUP: Final = "deallocation of PodGroup ResourceClaim completed"
CLAIMS_OF_MEMBERS: Final = "deallocation and deletion of ResourceClaims completed"
_PLUGIN: Final = "GangScheduling"
_PREEMPTS: Final = "PreemptLowerPriority"


class Group(Struct, frozen=True, eq=False):
    """A PodGroup with its members that are to be placed, in the order in which they are tried."""

    ref: ObjectRef
    group: PodGroup
    members: tuple[PodRef, ...]

    @property
    def min_count(self) -> int:
        """How many members have to find a node, or none gets one; 1 without gang policy."""
        gang = self.group.spec.schedulingPolicy.gang
        return gang.minCount if gang is not None else 1


Entry = PodRef | Group
"""What the queue holds: a pod alone, or a whole group."""


def queue_entries(cluster: Cluster, ordered: Sequence[PodRef]) -> list[Entry]:
    """The pods in queue order, the members of a group together where the first of them stands."""
    group_of = {ref: group for group in groups_of(cluster, ordered) for ref in group.members}
    return list(dict.fromkeys(group_of.get(ref, ref) for ref in ordered))


def groups_of(cluster: Cluster, ordered: Sequence[PodRef]) -> list[Group]:
    """The groups that exist, with those of the pods that belong to them."""
    members: dict[ObjectRef, list[PodRef]] = {}
    for ref in ordered:
        name = group_ref(cluster, cluster.pods[ref])
        if name is not None and name in cluster.groups:
            members.setdefault(name, []).append(ref)
    return [Group(name, cluster.groups[name], tuple(found)) for name, found in members.items()]


def without_group(cluster: Cluster, pod: Pod) -> HeldBack | None:
    """A pod whose group does not exist waits for it."""
    name = group_ref(cluster, pod)
    if name is None or name in cluster.groups:
        return None
    return HeldBack(f'waiting for pods\'s pod group "{name.name}" to appear in scheduling queue', _PLUGIN)


def too_few(group: Group, running: int) -> HeldBack | None:
    """A gang waits until enough of its pods are there, those that run already included."""
    if len(group.members) + running >= group.min_count:
        return None
    return HeldBack("waiting for minCount pods from a gang to appear in scheduling queue", _PLUGIN)


def member_conflict(group: Group, pods: Sequence[Pod]) -> str:
    """All members must have the group's priority, and one preemption policy; the text names the first that differs."""
    wanted = group.group.spec.priority or 0
    for pod in pods:
        priority = pod.spec.priority or 0
        if priority != wanted:
            return (
                "all pods in a single pod group should have the same priority as the pod group's priority, "
                f"got {priority} and {wanted}"
            )
    policies = [pod.spec.preemptionPolicy or _PREEMPTS for pod in pods]
    other = next((policy for policy in policies if policy != policies[0]), None)
    if other is None:
        return ""
    return f"all pods in a single pod group should have the same preemption policy, got {other} and {policies[0]}"


def not_satisfied(group: Group, scheduled: int, remaining: int) -> str:
    """What members read that were not reached."""
    return f"minCount ({group.min_count}) cannot be satisfied: {scheduled} scheduled, {remaining} remaining"
