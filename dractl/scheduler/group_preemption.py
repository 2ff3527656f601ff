"""Which pods of lower priority would make room for a group that does not fit (scheduling.md §12, §13).

All pods of lower priority are taken away in thought; if the group then fits, they are put back from the most important
on, as long as the members keep the nodes that they found. Devices do not count: what a victim holds is freed later.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from dractl.api.identities import PodRef
from dractl.cluster.state import ClusterState
from dractl.scheduler.extended import ExtendedResources
from dractl.scheduler.filters import Filters
from dractl.scheduler.groups import Group, not_satisfied
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.preemption import importance, priority_of

NO_VICTIMS: Final = "No preemption victims found for incoming preemptor"
NEVER: Final = "not eligible due to preemptionPolicy=Never."


class Dry(Struct, frozen=True):
    """The group in a state without some pods: whether it fits, the nodes of its members, and how many are left.

    `state` is the one with the members on their nodes. `tied` are those members that might as well take other nodes.
    """

    state: ClusterState
    fits: bool
    nodes: Mapping[PodRef, str]
    tied: Mapping[PodRef, tuple[str, ...]]
    scheduled: int
    remaining: int


class GroupPreemption(Struct, frozen=True):
    """What preemption for a group comes to: in the scheduler's words, whom it deletes, and where members may start.

    `looked_further` says that it was tried at all: then claims that are in the way are given up as well. `tied` are the
    members that might as well start elsewhere, each with all of its nodes.
    """

    text: str
    victims: tuple[PodRef, ...] = ()
    nominated: Mapping[PodRef, str] = field(default_factory=dict)
    tied: Mapping[PodRef, tuple[str, ...]] = field(default_factory=dict)
    looked_further: bool = True


def preempt_for_group(state: ClusterState, group: Group, dry_run: Callable[[ClusterState], Dry]) -> GroupPreemption:
    """Look for pods whose deletion lets the group in; the state is not changed."""
    if any(state.pods[ref].spec.preemptionPolicy == "Never" for ref in group.members):
        return GroupPreemption(NEVER)
    lower = _lower(state, group.group.spec.priority or 0)
    if not lower:
        return GroupPreemption(NO_VICTIMS, looked_further=False)
    best = dry_run(_without(state, lower))
    if not best.fits:
        return GroupPreemption(not_satisfied(group, best.scheduled, best.remaining))
    victims = tuple(_in_the_way(best, lower))
    if not victims:
        return GroupPreemption(NO_VICTIMS, looked_further=False)
    text = f"found a placement for podgroup, preempting {len(victims)} victims"
    return GroupPreemption(text, victims, best.nodes, best.tied)


def _lower(state: ClusterState, priority: int) -> dict[PodRef, str]:
    """The pods of lower priority, each with its node."""
    return {
        ref: node.name for node in state.nodes.values() for ref, pod in node.pods.items() if priority_of(pod) < priority
    }


def _in_the_way(dry: Dry, lower: Mapping[PodRef, str]) -> Iterator[PodRef]:
    """Of the pods taken away, with their nodes, those that cannot come back while the members stay where they are."""
    state = dry.state.snapshot()
    for ref in sorted(lower, key=lambda ref: importance(state.pods[ref])):
        node = state.nodes[lower[ref]]
        node.add(ref, state.pods[ref])
        if not all(_keeps_its_node(state, member, name) for member, name in dry.nodes.items()):
            node.remove(ref)
            yield ref


def _keeps_its_node(state: ClusterState, member: PodRef, name: str) -> bool:
    """Whether every filter but the one for devices would let the member in again."""
    node = state.nodes[name].copy()
    node.remove(member)
    pod = state.pods[member]
    served = ExtendedResources.of(pod, state.cluster).classes
    return Filters(PodInfo(member, pod), state.with_node(node), served).refuse(node) is None


def _without(state: ClusterState, victims: Mapping[PodRef, str]) -> ClusterState:
    trial = state.snapshot()
    for ref, node in victims.items():
        trial.nodes[node].remove(ref)
    return trial
