"""The cluster while pods are being placed: what is allocated, reserved and requested by now."""

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import Final

import msgspec

from dractl.api.core import Node, Pod
from dractl.api.identities import ClaimRef, ObjectRef, PodRef
from dractl.api.pods import is_terminal
from dractl.api.quantity import NANO
from dractl.api.resource import (
    AllocationResult,
    ResourceClaim,
    ResourceClaimConsumerReference,
)
from dractl.api.uids import derived_uid
from dractl.cluster.cluster import Cluster
from dractl.cluster.pools import Pool, PoolIndex
from dractl.cluster.requests import PODS, pod_requests
from dractl.cluster.usage import Usage

PODS_PER_NODE: Final = 110
"""The kubelet's default limit, assumed for a node that names allocatable resources but no number of pods."""


class ClusterState:
    """Changes with every pod that is placed; `cluster` stays as it was read."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.claims: Final[dict[ClaimRef, ResourceClaim]] = dict(cluster.claims)
        self.pods: Final[dict[PodRef, Pod]] = dict(cluster.pods)
        self.usage: Usage = Usage.of(cluster.claims.values(), cluster.features)
        self._requested: dict[str, dict[str, int]] = {}
        self._pools: dict[str, tuple[Pool, ...]] = {}
        for pod in cluster.pods.values():
            if pod.spec.nodeName and not is_terminal(pod):
                self._count(pod, pod.spec.nodeName)

    def pools_of(self, node: Node) -> tuple[Pool, ...]:
        """The node's pools; they do not change while pods are placed."""
        name = node.metadata.name
        if name not in self._pools:
            self._pools[name] = self.cluster.pools.for_node(node)
        return self._pools[name]

    def seen_through(self, pools: PoolIndex) -> "ClusterState":
        """The same state with other pools: to ask, not to change."""
        other = copy(self)
        other.cluster = replace(self.cluster, pools=pools)
        other._pools = {}
        return other

    def free(self, node: Node) -> Mapping[str, int]:
        """What is left of the node's allocatable resources, in nano-units; empty where the node names none."""
        allocatable = node.status.allocatable
        if allocatable is None:
            return {}
        requested = self._requested.get(node.metadata.name, {})
        free = {name: amount.nano - requested.get(name, 0) for name, amount in allocatable.items()}
        if PODS not in free:
            free[PODS] = PODS_PER_NODE * NANO - requested.get(PODS, 0)
        return free

    def allocate(self, claim: ClaimRef, allocation: AllocationResult) -> None:
        """Give the claim its devices."""
        status = msgspec.structs.replace(self.claims[claim].status, allocation=allocation)
        self.claims[claim] = msgspec.structs.replace(self.claims[claim], status=status)
        self.usage = self.usage.with_allocation(claim, allocation, self.cluster.features)

    def reserve(self, claim: ClaimRef, pod: PodRef) -> None:
        """Add the pod to the claim's consumers, unless it is one already."""
        reference = ResourceClaimConsumerReference(resource="pods", name=pod.name, uid=self.uid_of_pod(pod))
        reserved = self.claims[claim].status.reservedFor or []
        if any(consumer.uid == reference.uid for consumer in reserved):
            return
        status = msgspec.structs.replace(self.claims[claim].status, reservedFor=[*reserved, reference])
        self.claims[claim] = msgspec.structs.replace(self.claims[claim], status=status)

    def bind(self, pod: PodRef, node: str) -> None:
        """Put the pod on the node; its requests count from now on."""
        spec = msgspec.structs.replace(self.pods[pod].spec, nodeName=node)
        self.pods[pod] = msgspec.structs.replace(self.pods[pod], spec=spec)
        self._count(self.pods[pod], node)

    def assume(self, pod: PodRef, node: str) -> None:
        """Count the pod's requests on the node without binding it: it is decided, but waits."""
        self._count(self.pods[pod], node)

    def uid_of_pod(self, pod: PodRef) -> str:
        """The pod's uid, derived from its name if it has none yet."""
        return self.pods[pod].metadata.uid or derived_uid(ObjectRef("Pod", pod.namespace, pod.name))

    def _count(self, pod: Pod, node: str) -> None:
        requested = self._requested.setdefault(node, {})
        for name, amount in pod_requests(pod).items():
            requested[name] = requested.get(name, 0) + amount
