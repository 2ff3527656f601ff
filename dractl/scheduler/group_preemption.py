"""Which pods of lower priority would make room for a group that does not fit (scheduling.md §12, §13).

All pods of lower priority are taken away in thought; if the group then fits, they are put back from the most important
on, as long as the members keep the nodes that they found. Devices do not count: what a victim holds is freed later.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from dractl.api.identities import PodRef
from dractl.cluster.node_state import NodeState
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

    Members may start somewhere even if nobody is deleted for them (see `_Seat`). `looked_further` says that it was
    tried at all: then claims that are in the way are given up as well. `tied` are the members that might as well start
    elsewhere, each with all of its nodes.
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
    victims = tuple(_in_the_way(state, best, lower))
    text = f"found a placement for podgroup, preempting {len(victims)} victims"
    return GroupPreemption(text, victims, best.nodes, best.tied)


def _lower(state: ClusterState, priority: int) -> dict[PodRef, str]:
    """The pods of lower priority, each with its node."""
    return {
        ref: node.name for node in state.nodes.values() for ref, pod in node.pods.items() if priority_of(pod) < priority
    }


class _Seat(Struct, frozen=True):
    """A member and its node, which does not have it: to ask whether it would get there again.

    `without_affinity`: rules between pods that had nothing to say when the member was tried, without the pods that were
    taken away, are not asked any more (v1.37.2). So a pod may come back whose anti-affinity is against the member.
    """

    member: PodInfo
    node: NodeState
    without_affinity: bool

    def is_kept(self, state: ClusterState) -> bool:
        """Whether every filter but the one for devices would let the member in."""
        served = ExtendedResources.of(self.member.pod, state.cluster).classes
        changed = state.with_node(self.node)
        filters = Filters(self.member, changed, served, without_affinity=self.without_affinity)
        return filters.refuse(self.node) is None


def _seats(dry: Dry) -> Iterator[_Seat]:
    """One for each member, in the order in which they were tried."""
    earlier = _without(dry.state, dry.nodes)
    for ref, name in dry.nodes.items():
        member = PodInfo(ref, dry.state.pods[ref])
        without_affinity = Filters(member, earlier).is_without_affinity
        earlier.nodes[name].add(ref, member.pod)
        node = dry.state.nodes[name].copy()
        node.remove(ref)
        yield _Seat(member, node, without_affinity)


def _in_the_way(before: ClusterState, dry: Dry, lower: Mapping[PodRef, str]) -> Iterator[PodRef]:
    """Of the pods taken away, with their nodes, those that cannot come back while the members stay where they are."""
    state, seats = dry.state.snapshot(), tuple(_seats(dry))
    for ref in sorted(lower, key=lambda ref: importance(state.pods[ref])):
        name = lower[ref]
        nodes = [state.nodes[name], *(seat.node for seat in seats if seat.node.name == name)]
        for node in nodes:
            node.add(ref, state.pods[ref], before.nodes[name].extra.get(ref))
        if not all(seat.is_kept(state) for seat in seats):
            for node in nodes:
                node.remove(ref)
            yield ref


def _without(state: ClusterState, pods: Mapping[PodRef, str]) -> ClusterState:
    trial = state.snapshot()
    for ref, node in pods.items():
        trial.nodes[node].remove(ref)
    return trial
