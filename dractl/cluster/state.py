"""The cluster while pods are being placed: what is allocated, reserved and requested by now."""

from collections.abc import Hashable, Iterable
from copy import copy
from itertools import count
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from dractl.api.core import Node, Pod
from dractl.api.identities import ClaimRef, ObjectRef, PodRef, PoolId
from dractl.api.pods import is_terminal
from dractl.api.resource import (
    AllocationResult,
    ResourceClaim,
    ResourceClaimConsumerReference,
    ResourceSlice,
)
from dractl.api.uids import derived_uid
from dractl.cluster.cluster import Cluster
from dractl.cluster.features import Features
from dractl.cluster.node_state import NodeState
from dractl.cluster.pools import Pool, PoolIndex
from dractl.cluster.requests import Amounts, device_amounts
from dractl.cluster.usage import Usage

_STAMPS: Final = count(1)
"""No two states that differ have a version in common."""


class ClusterState:
    """Changes with every pod that is placed; `cluster` stays as it was read.

    `decided` are pods that have a node but wait for their devices before they are bound to it; `nominated` are pods for
    which others were deleted on a node, now or before, where they may start once they are tried again. `in_flight` are
    the new allocations of pods that wait, whose consumed capacity v1.37.2 counts twice.

    `answers` is where the scheduler keeps what it has found out; it is emptied with everything that the answers rest on
    but `versions_of` does not show.
    """

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.claims: dict[ClaimRef, ResourceClaim] = dict(cluster.claims)
        self.pods: dict[PodRef, Pod] = dict(cluster.pods)
        self.usage: Usage = Usage.of(cluster.claims.values(), cluster.features)
        self.nodes: dict[str, NodeState] = {name: NodeState.of(node) for name, node in cluster.nodes.items()}
        self.decided: dict[PodRef, str] = {}
        self.nominated: dict[PodRef, str] = cluster.nominations()
        self.in_flight: dict[PodRef, tuple[AllocationResult, ...]] = {}
        self.answers: dict[Hashable, object] = {}
        self._versions: dict[PoolId, int] = {}
        self._epoch = next(_STAMPS)
        self._pools: dict[str, tuple[Pool, ...]] = {}
        self._slices: dict[str, tuple[ResourceSlice, ...]] = {}
        for ref, pod in sorted(cluster.pods.items(), key=lambda item: item[0]):
            if pod.spec.nodeName in self.nodes and not is_terminal(pod):
                self.nodes[pod.spec.nodeName].add(ref, pod, device_amounts(pod))

    def pools_of(self, node: Node) -> tuple[Pool, ...]:
        """The node's pools; they do not change while pods are placed."""
        name = node.metadata.name
        if name not in self._pools:
            self._pools[name] = self.cluster.pools.for_node(node)
        return self._pools[name]

    def versions_of(self, node: Node) -> tuple[int, ...]:
        """Changes whenever devices of the node's pools are given away or freed."""
        return self._epoch, *(self._versions.get(pool.id, 0) for pool in self.pools_of(node))

    def slices_on(self, node: Node) -> tuple[ResourceSlice, ...]:
        """The slices that apply to the node, of every generation; they do not change either."""
        name = node.metadata.name
        if name not in self._slices:
            self._slices[name] = self.cluster.pools.slices_on(node)
        return self._slices[name]

    # --- to try things on ---------------------------------------------------------------------------------------------

    def seen_through(self, pools: PoolIndex) -> "ClusterState":
        """The same state with other pools: to ask, not to change."""
        other = copy(self)
        other.cluster = replace(self.cluster, pools=pools)
        other._pools, other.answers = {}, {}
        return other

    def by_rules_of(self, features: Features) -> "ClusterState":
        """The same state with other rules for the allocator: to ask, not to change."""
        other = copy(self)
        other.cluster, other.answers = replace(self.cluster, features=features), {}
        return other

    def counting_once(self) -> "ClusterState":
        """The same state where capacity that pods in flight consume counts once: to ask, not to change."""
        other = copy(self)
        other.in_flight, other.answers = {}, {}
        other.usage = Usage.of(self.claims.values(), self.cluster.features)
        return other

    def with_node(self, node: NodeState) -> "ClusterState":
        """The same state with another one of a node: to ask, not to change."""
        other = copy(self)
        other.nodes = {**self.nodes, node.name: node}
        return other

    def snapshot(self) -> "ClusterState":
        """A state of its own; what happens to it does not happen to this one."""
        other = copy(self)
        other.claims, other.pods = dict(self.claims), dict(self.pods)
        other.decided, other.nominated, other.in_flight = dict(self.decided), dict(self.nominated), dict(self.in_flight)
        other.nodes = {name: node.copy() for name, node in self.nodes.items()}
        other._versions = dict(self._versions)
        return other

    # --- what happens -------------------------------------------------------------------------------------------------

    def allocate(self, claim: ClaimRef, allocation: AllocationResult) -> None:
        """Give the claim its devices."""
        self._set_status(claim, allocation=allocation)
        for result in allocation.devices.results or ():
            self._versions[PoolId(result.driver, result.pool)] = next(_STAMPS)
        self.usage = self.usage.with_allocation(claim, allocation, self.cluster.features)

    def rewrite(self, claim: ClaimRef, allocation: AllocationResult) -> None:
        """Other devices for a claim that has some; v1.37.2 goes on counting the first ones."""
        self._set_status(claim, allocation=allocation)

    def deallocate(self, claim: ClaimRef) -> None:
        """Take the claim's devices and its reservations away."""
        self._set_status(claim, allocation=None, reservedFor=None, devices=None)
        self._count_anew()

    def keep_in_flight(self, pod: PodRef, allocations: Iterable[AllocationResult]) -> None:
        """The pod waits with these new allocations."""
        self.in_flight[pod] = tuple(allocations)
        self._count_anew()

    def _count_anew(self) -> None:
        self._epoch = next(_STAMPS)
        usage = Usage.of(self.claims.values(), self.cluster.features)
        self.usage = usage.with_capacity_again(each for kept in self.in_flight.values() for each in kept)

    def add_claim(self, claim: ResourceClaim) -> None:
        """A claim that came to be while pods were placed."""
        self.claims[ClaimRef(claim.metadata.namespace, claim.metadata.name)] = claim

    def reserve(self, claim: ClaimRef, consumer: ObjectRef) -> None:
        """Add the pod or PodGroup to the claim's consumers, unless it is one already."""
        reference = self.reference_to(consumer)
        reserved = self.claims[claim].status.reservedFor or []
        if not any(consumer.uid == reference.uid for consumer in reserved):
            self._set_status(claim, reservedFor=[*reserved, reference])

    def release(self, claim: ClaimRef, pod: PodRef) -> None:
        """Take the pod out of the claim's consumers."""
        reserved = self.claims[claim].status.reservedFor or []
        left = [consumer for consumer in reserved if consumer.uid != self.uid_of_pod(pod)]
        self._set_status(claim, reservedFor=left or None)

    def bind(self, pod: PodRef, node: str, extra: Amounts | None = None) -> None:
        """Put the pod on the node; what it takes counts from now on."""
        spec = msgspec.structs.replace(self.pods[pod].spec, nodeName=node)
        self.pods[pod] = msgspec.structs.replace(self.pods[pod], spec=spec)
        self.nominated.pop(pod, None)
        self.nodes[node].add(pod, self.pods[pod], extra)

    def assume(self, pod: PodRef, node: str, extra: Amounts | None = None) -> None:
        """Count the pod on the node without binding it: it is decided, but waits."""
        self.decided[pod] = node
        self.nominated.pop(pod, None)
        self.nodes[node].add(pod, self.pods[pod], extra)

    def delete(self, pod: PodRef) -> None:
        """The pod is gone; its claims keep what they have until a controller looks."""
        self.nominated.pop(pod, None)
        if self.in_flight.pop(pod, None) is not None:
            self._count_anew()
        node = self.pods.pop(pod).spec.nodeName or self.decided.pop(pod, "")
        if node in self.nodes:
            self.nodes[node].remove(pod)

    def reference_to(self, consumer: ObjectRef) -> ResourceClaimConsumerReference:
        """How `status.reservedFor` names a pod or a PodGroup."""
        if consumer.kind == "Pod":
            pod = PodRef(consumer.namespace, consumer.name)
            return ResourceClaimConsumerReference(resource="pods", name=consumer.name, uid=self.uid_of_pod(pod))
        group = self.cluster.groups[consumer]
        uid = group.metadata.uid or derived_uid(consumer)
        return ResourceClaimConsumerReference(
            apiGroup="scheduling.k8s.io", resource="podgroups", name=consumer.name, uid=uid
        )

    def uid_of_pod(self, pod: PodRef) -> str:
        """The pod's uid, derived from its name if it has none yet."""
        return self.pods[pod].metadata.uid or derived_uid(ObjectRef("Pod", pod.namespace, pod.name))

    def _set_status(self, claim: ClaimRef, **fields: Any) -> None:
        status = msgspec.structs.replace(self.claims[claim].status, **fields)
        self.claims[claim] = msgspec.structs.replace(self.claims[claim], status=status)
