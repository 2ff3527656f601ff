"""One pod in one state: what each node says to it (scheduling.md §3 to §5)."""

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from dractl.api.identities import ClaimRef, PodRef
from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.problem.demands import ClaimDemand, alternatives_of, demands_of
from dractl.problem.faults import AllocationFault
from dractl.scheduler import node_allocatable
from dractl.scheduler.devices import Decide, DeviceError, DevicesFound, refuse_elsewhere
from dractl.scheduler.extended import ExtendedResources
from dractl.scheduler.filters import Filters
from dractl.scheduler.known_answers import Signature, ask, signature_of
from dractl.scheduler.node_allocatable import NodeAllocatable
from dractl.scheduler.pod_claims import PodClaim
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.refusal import Code, Plugin, Refused
from dractl.solution.outcomes import DeviceResources, NodeNotSelected, SpecialClaim


class Fit(Struct, frozen=True):
    """A node that takes the pod: what its claims get there, and the claim made for its extended resources, if any."""

    found: DevicesFound
    special: SpecialClaim | None = None
    node_allocatable: NodeAllocatable = field(default_factory=NodeAllocatable)


class Cycle(Struct, frozen=True, dict=True):
    """An attempt: the pod, its claims, and those of them that have devices already.

    For a pod of a group nothing is done when no node fits: that is the group's affair. `preferred` is the node to take
    if it is one of several with the best score. `without_affinity` is for the same attempt in another state: rules
    between pods that had nothing to say when it began are not asked any more, whoever comes in thought (v1.37.2).
    """

    state: ClusterState
    info: PodInfo
    claims: tuple[PodClaim, ...]
    decide: Decide
    is_in_group: bool = False
    preferred: str = ""
    without_affinity: bool = False

    @property
    def ref(self) -> PodRef:
        """The pod."""
        return self.info.ref

    @cached_property
    def allocated(self) -> tuple[ClaimRef, ...]:
        """The pod's claims that have devices."""
        return tuple(claim for claim in self._refs if self.state.claims[claim].status.allocation is not None)

    @cached_property
    def demands(self) -> tuple[ClaimDemand, ...]:
        """What the other claims ask for, in the order of the pod."""
        cluster = self.state.cluster
        return tuple(
            demands_of(self.state.claims[claim], cluster.classes, cluster.features)
            for claim in self._refs
            if claim not in self.allocated
        )

    @cached_property
    def _signature(self) -> Signature:
        return signature_of([self.state.claims[demand.ref] for demand in self.demands])

    @cached_property
    def extended(self) -> ExtendedResources:
        """The pod's extended resources that classes serve."""
        return ExtendedResources.of(self.info.pod, self.state.cluster)

    @cached_property
    def _refs(self) -> list[ClaimRef]:
        return list(dict.fromkeys(claim.claim for claim in self.claims))

    @cached_property
    def _filters(self) -> Filters:
        return Filters(self.info, self.state, self.extended.classes, without_affinity=self.without_affinity)

    def refused_before_nodes(self) -> Refused | None:
        """What stops the pod whatever the nodes are: affinity that names none in the end, a class that is missing."""
        if self.info.named_nodes is not None and not self.info.named_nodes:
            reason = NodeNotSelected("spec.affinity.nodeAffinity")
            return Refused(Plugin.NODE, Code.UNRESOLVABLE, (reason,), ("pod affinity terms conflict",))
        missing = self._missing_class()
        return Refused(Plugin.DEVICES, Code.UNRESOLVABLE, (), (missing,)) if missing else None

    def _missing_class(self) -> str:
        """A class that does not exist stops the pod, even in an alternative that is not needed (scheduling.md §3.3)."""
        for claim in self.demands:
            for demand in alternatives_of(claim.requests):
                if demand.device_class is None:
                    return f"request {demand.ref.name}: device class {demand.class_name} does not exist"
        return ""

    def try_node(self, node: NodeState) -> Fit | Refused | DeviceError:
        """What the first filter that refuses the node says, or what the pod gets there.

        The pod must fit with and without the pods that are to start on the node (scheduling.md §12).
        """
        crowded = self._with_nominated(node)
        if crowded is not None:
            answer = self.after(self.state.with_node(crowded))._ask(crowded)
            if not isinstance(answer, Fit):
                return answer
        return self._ask(node)

    def _with_nominated(self, node: NodeState) -> NodeState | None:
        """The node with the pods on it for which others were deleted there, those of lower priority left out."""
        mine = self.info.pod.spec.priority or 0
        coming = [ref for ref, name in self.state.nominated.items() if name == node.name and ref != self.ref]
        coming = [ref for ref in coming if (self.state.pods[ref].spec.priority or 0) >= mine]
        if not coming:
            return None
        crowded = node.copy()
        for ref in coming:
            crowded.add(ref, self.state.pods[ref])
        return crowded

    def _ask(self, node: NodeState) -> Fit | Refused | DeviceError:
        refused = self._filters.refuse(node) or self.extended.refuse(node)
        if refused is not None:
            return refused
        special = self.extended.claim_on(node, self.ref)
        demands, signature = self.demands, self._signature
        if special is not None:
            demands = (*demands, self._demand_of(special))
            signature = (*signature, *signature_of([special.claim]))
        found = self._refuse_sharing(node) or ask(self.state, node.node, signature, demands, self.decide)
        if not isinstance(found, DevicesFound):
            return found
        taken = self._node_allocatable(node, found, special)
        if isinstance(taken, AllocationFault):
            return DeviceError(taken)
        return (
            node_allocatable.refuse(self.info.pod, node, taken)
            or refuse_elsewhere(self.state, node.node, self.allocated)
            or Fit(found, special, taken)
        )

    @property
    def _maps_devices(self) -> bool:
        return node_allocatable.GATE in self.state.cluster.gates

    def _refuse_sharing(self, node: NodeState) -> Refused | None:
        """A claim whose devices stand for CPU or memory serves one consumer (scheduling.md §7.3)."""
        if not self._maps_devices:
            return None
        for claim in self.allocated:
            held = self.state.claims[claim]
            users = {each.uid for each in held.status.reservedFor or ()}
            if not users or self._consumers(claim) & users:
                continue
            if node_allocatable.has_mapped_device(held, self.state.slices_on(node.node)):
                text = (
                    f"node allocatable resource claim {claim.name} has a mapped device and cannot be shared across pods"
                )
                return Refused(Plugin.DEVICES, Code.UNRESOLVABLE, (DeviceResources(text),), (text,))
        return None

    def _consumers(self, claim: ClaimRef) -> set[str]:
        """The uids of the pod and, for a claim of its group, of the group."""
        named = [each.consumer for each in self.claims if each.claim == claim]
        return {self.state.uid_of_pod(self.ref), *(self.state.reference_to(each).uid for each in named)}

    def _node_allocatable(
        self, node: NodeState, found: DevicesFound, special: SpecialClaim | None
    ) -> NodeAllocatable | AllocationFault:
        if not self._maps_devices:
            return NodeAllocatable()
        held = {claim: self.state.claims[claim].status.allocation for claim in self.allocated}
        allocations = {claim: allocation for claim, allocation in held.items() if allocation is not None}
        allocations |= found.allocations
        slices = self.state.slices_on(node.node)
        return node_allocatable.of_claims(
            self.info.pod, self.claims, allocations, slices, special.ref if special is not None else None
        )

    def after(self, state: ClusterState) -> "Cycle":
        """The same attempt in another state."""
        return replace(self, state=state, without_affinity=self._filters.is_without_affinity)

    def _demand_of(self, special: SpecialClaim) -> ClaimDemand:
        cluster = self.state.cluster
        return demands_of(special.claim, cluster.classes, cluster.features)


Answers = Mapping[str, Fit | Refused]
"""By node name, in the order of the nodes."""
