"""Everything that was read, indexed: nodes, classes, pools, claims, pods and where each of them stands."""

from collections.abc import Collection, Mapping
from datetime import datetime

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from dractl.api.core import Namespace, Node, Pod
from dractl.api.identities import ClaimRef, ObjectRef, PodRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pods import DEFAULT_SCHEDULER, is_active
from dractl.api.resource import DeviceClass, DeviceTaintRule, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from dractl.api.scheduler_configuration import SchedulerConfiguration
from dractl.api.scheduling import PodGroup
from dractl.cluster.features import Features
from dractl.cluster.pools import PoolIndex
from dractl.cluster.taint_rules import with_rule_taints
from dractl.errors import Place


class Cluster(Struct, frozen=True, eq=False):
    """The state before planning. Nodes are sorted by name; pods, claims and classes are in input order.

    `assumed_nodes` are nodes that only slices, allocations or pods name: their CPU and memory are not checked. `now` is
    the moment for which everything holds; None leaves deadlines out.
    """

    gates: frozenset[str]
    features: Features
    nodes: Mapping[str, Node]
    assumed_nodes: frozenset[str]
    namespaces: Mapping[str, Namespace]
    classes: Mapping[str, DeviceClass]
    claims: Mapping[ClaimRef, ResourceClaim]
    templates: Mapping[ClaimRef, ResourceClaimTemplate]
    pods: Mapping[PodRef, Pod]
    groups: Mapping[ObjectRef, PodGroup]
    pools: PoolIndex
    slices: tuple[ResourceSlice, ...]
    places: Mapping[ObjectRef, Place]
    objects: ObjectSet
    now: datetime | None
    scheduler: SchedulerConfiguration = field(default_factory=SchedulerConfiguration)

    @classmethod
    def of(
        cls,
        objects: ObjectSet,
        gates: Collection[str],
        now: datetime | None = None,
        scheduler: SchedulerConfiguration | None = None,
    ) -> "Cluster":
        """Index the objects, generated ones included. Slices come by name, because the real cache has no fixed order.

        `gates` are the feature gates that are on.
        """
        scheduler = scheduler or SchedulerConfiguration()
        features = replace(Features.of(gates), binding_timeout=scheduler.binding_timeout)
        slices = sorted((sourced.object for sourced in objects.of(ResourceSlice)), key=lambda s: s.metadata.name)
        rules = [sourced.object for sourced in objects.of(DeviceTaintRule)] if "DRADeviceTaintRules" in gates else []
        tainted = tuple(with_rule_taints(slice_, rules) for slice_ in slices)
        nodes = sorted(objects.of(Node), key=lambda sourced: sourced.ref.name)
        return cls(
            gates=frozenset(gates),
            features=features,
            nodes={sourced.ref.name: sourced.object for sourced in nodes},
            assumed_nodes=frozenset(sourced.ref.name for sourced in nodes if sourced.made_by is not None),
            namespaces={sourced.ref.name: sourced.object for sourced in objects.of(Namespace)},
            classes={sourced.ref.name: sourced.object for sourced in objects.of(DeviceClass)},
            claims={_claim_ref(sourced): sourced.object for sourced in objects.of(ResourceClaim)},
            templates={_claim_ref(sourced): sourced.object for sourced in objects.of(ResourceClaimTemplate)},
            pods={
                PodRef(sourced.ref.namespace, sourced.ref.name): _as_seen(sourced.object, gates)
                for sourced in objects.of(Pod)
            },
            groups={sourced.ref: sourced.object for sourced in objects.of(PodGroup)},
            pools=PoolIndex(tainted, features),
            slices=tainted,
            places={sourced.ref: sourced.place for sourced in objects},
            objects=objects,
            now=now,
            scheduler=scheduler,
        )

    def place_of_pod(self, pod: PodRef) -> Place:
        """Where the pod, or the template it was made from, stands."""
        return self.places[ObjectRef("Pod", pod.namespace, pod.name)]

    def place_of_claim(self, claim: ClaimRef) -> Place:
        """Where the claim, or the template it was made from, stands."""
        return self.places[ObjectRef("ResourceClaim", claim.namespace, claim.name)]

    def nominations(self) -> dict[PodRef, str]:
        """Pods to be planned for which others were deleted on a node before: where each of them may start."""
        named = {ref: self.pods[ref].status.nominatedNodeName for ref in self.pods_to_plan()}
        return {ref: node for ref, node in named.items() if node}

    def pods_to_plan(self) -> list[PodRef]:
        """Pods of the default scheduler that have no node yet and are neither finished nor going, in input order."""
        return [
            ref
            for ref, pod in self.pods.items()
            if is_active(pod) and not pod.spec.nodeName and pod.spec.schedulerName in ("", DEFAULT_SCHEDULER)
        ]


def _as_seen(pod: Pod, gates: Collection[str]) -> Pod:
    """A stored pod keeps fields whose gate is off, but nobody looks at them (gates.md §4)."""
    if pod.spec.resources is not None and "PodLevelResources" not in gates:
        pod = msgspec.structs.replace(pod, spec=msgspec.structs.replace(pod.spec, resources=None))
    if pod.status.nodeAllocatableResourceClaimStatuses and "DRANodeAllocatableResources" not in gates:
        status = msgspec.structs.replace(pod.status, nodeAllocatableResourceClaimStatuses=None)
        pod = msgspec.structs.replace(pod, status=status)
    return pod


def _claim_ref(sourced: Sourced[ResourceClaim] | Sourced[ResourceClaimTemplate]) -> ClaimRef:
    return ClaimRef(sourced.ref.namespace, sourced.ref.name)
