"""From the state of the cluster to the joint problem of all pods that are to be placed."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from dractl.api.core import Node
from dractl.api.identities import ClaimRef, PodRef
from dractl.cluster.availability import is_available
from dractl.cluster.requests import pod_requests
from dractl.cluster.state import ClusterState
from dractl.cluster.usage import devices_of
from dractl.problem.demands import ClaimDemand, demands_of
from dractl.problem.joint import ClaimOnNode, Consumers, Gang, JointProblem, PodDemand
from dractl.problem.problem import Problem, build_problem
from dractl.scheduler.extended import ExtendedResources
from dractl.scheduler.filters import permits
from dractl.scheduler.filters.resources import node_ports
from dractl.scheduler.gang import running, stopped
from dractl.scheduler.groups import Group, groups_of, without_group
from dractl.scheduler.pod_claims import HeldBack, pod_claims, scheduling_gates
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.schedule import CONSUMERS_PER_CLAIM


def joint_problem(state: ClusterState, pods: Iterable[PodRef], after: Mapping[PodRef, PodRef]) -> JointProblem:
    """The pods that can be placed at all, in the given order; those that are held back are left out.

    `after` maps pods to the one that has to run before they are made. Pods that `kept_pods` names are not for it.
    """
    queue = list(pods)
    groups = groups_of(state.cluster, queue)
    held_back = {ref for group in groups if stopped(state, group) is not None for ref in group.members}
    builder = _Builder(state, after, {}, {})
    demands = tuple(demand for ref in queue if ref not in held_back and (demand := builder.pod(ref)) is not None)
    nodes = state.cluster.nodes
    return JointProblem(
        pods=demands,
        nodes=nodes,
        free={name: _free(state, node, demands) for name, node in nodes.items()},
        claims=builder.claims,
        problems=builder.problems,
        usage=state.usage,
        features=state.cluster.features,
        gangs=tuple(_gang(state, group) for group in groups if not held_back.intersection(group.members)),
        consumers=tuple(_consumers(state, demands)),
    )


def _gang(state: ClusterState, group: Group) -> Gang:
    """Members that run already count."""
    return Gang(group.ref, group.members, max(group.min_count - running(state, group), 0))


def _consumers(state: ClusterState, demands: Iterable[PodDemand]) -> Iterator[Consumers]:
    """Claims that more consumers want than can be recorded; who has reserved one already needs no room."""
    wanting: dict[ClaimRef, dict[str, list[PodRef]]] = {}
    for demand in demands:
        found = pod_claims(state, demand.ref)
        for each in () if isinstance(found, HeldBack) else found:
            uid = state.reference_to(each.consumer).uid
            wanting.setdefault(each.claim, {}).setdefault(uid, []).append(demand.ref)
    for claim, by_consumer in wanting.items():
        there = {each.uid for each in state.claims[claim].status.reservedFor or ()}
        new = tuple(tuple(pods) for uid, pods in by_consumer.items() if uid not in there)
        room = CONSUMERS_PER_CLAIM - len(there)
        if len(new) > room:
            yield Consumers(claim, new, max(room, 0))


def _free(state: ClusterState, node: Node, demands: Iterable[PodDemand]) -> Mapping[str, int]:
    """What the node has left; of a resource that it does not name, none, unless it names no resources at all."""
    free = state.nodes[node.metadata.name].free()
    return {**{name: 0 for demand in demands for name in demand.takes}, **free} if free else free


class _Builder(Struct, frozen=True):
    state: ClusterState
    after: Mapping[PodRef, PodRef]
    claims: dict[ClaimRef, ClaimDemand]
    problems: dict[ClaimOnNode, Problem]

    def pod(self, ref: PodRef) -> PodDemand | None:
        pod = self.state.pods[ref]
        found = scheduling_gates(pod) or without_group(self.state.cluster, pod) or pod_claims(self.state, ref)
        if isinstance(found, HeldBack):
            return None
        refs = list(dict.fromkeys(claim.claim for claim in found))
        unallocated = tuple(claim for claim in refs if self.state.claims[claim].status.allocation is None)
        allocated = [claim for claim in refs if claim not in unallocated]
        info = PodInfo(ref, pod)
        extended = ExtendedResources.of(pod, self.state.cluster)
        nodes = tuple(
            name
            for name, node in self.state.cluster.nodes.items()
            if permits(info, self.state.nodes[name], self.state.cluster.scheduler)
            and node_ports(info, self.state.nodes[name]) is None
            and extended.refuse(self.state.nodes[name]) is None
            and self._usable(allocated, node)
        )
        for claim in unallocated:
            for name in nodes:
                self._add_problem(claim, self.state.cluster.nodes[name])
        before = self.after.get(ref)
        holds = tuple(device for claim in allocated for device in devices_of(self.state.claims[claim]))
        return PodDemand(ref, pod.spec.priority or 0, pod_requests(pod), unallocated, nodes, before, info.ports, holds)

    def _usable(self, allocated: Iterable[ClaimRef], node: Node) -> bool:
        cluster = self.state.cluster
        return all(is_available(self.state.claims[claim], node, cluster.features, cluster.now) for claim in allocated)

    def _add_problem(self, claim: ClaimRef, node: Node) -> None:
        cluster = self.state.cluster
        key = ClaimOnNode(claim, node.metadata.name)
        if key in self.problems:
            return
        if claim not in self.claims:
            self.claims[claim] = demands_of(self.state.claims[claim], cluster.classes, cluster.features)
        pools = self.state.pools_of(node)
        self.problems[key] = build_problem(node, pools, [self.claims[claim]], self.state.usage, cluster.features)
