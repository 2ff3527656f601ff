"""Which devices a demand may take on a node, or why not, or the error that looking at one raises (dra.md §6, §11)."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from dractl.api.base import Taint
from dractl.api.core import Node
from dractl.api.tolerations import untolerated
from dractl.cluster.availability import OPTIONAL_NODE_OPERATIONS
from dractl.cluster.features import Features, Implementation
from dractl.cluster.pools import PoolDevice, UnreadableSelector
from dractl.problem.capacity import CapacityRefusal, CapacityShare, capacity_share
from dractl.problem.demands import Demand
from dractl.problem.faults import AllocationFault
from dractl.problem.selectors import FalseSelector


class Unusable(StrEnum):
    """Why no request can have a device, in the state of the gates and of the node."""

    BINDING_CONDITIONS = "it has binding conditions, and DRADeviceBindingConditions is off"
    OTHER_NODE = "it belongs to another node"
    NODE_OPERATIONS_GATE = "its driver skips node operations, and DRAOptionalNodeOperations is off"
    NODE_OPERATIONS_NODE = "its driver skips node operations, and the node does not declare DRAOptionalNodeOperations"
    COUNTERS_GATE = "it consumes counters, and DRAPartitionableDevices is off"


Reason = FalseSelector | CapacityRefusal | Unusable | Taint


class Candidate(Struct, frozen=True):
    """What a demand finds when it looks at a device, apart from what other allocations do to it.

    The allocator looks in stages, and an error counts only if it gets there: `selectable` answers for the selectors,
    then `share` for the capacity, then `refusal` for what is checked when the device is taken.
    """

    device: PoolDevice
    selectable: FalseSelector | Unusable | AllocationFault | None
    share: CapacityShare | CapacityRefusal | AllocationFault
    refusal: Unusable | Taint | None
    is_shareable: bool

    @property
    def fault(self) -> AllocationFault | None:
        """The error that looking at the device raises, if any."""
        for stage in (self.selectable, self.share):
            if isinstance(stage, AllocationFault):
                return stage
            if stage is not None and not isinstance(stage, CapacityShare):
                return None
        return None

    @property
    def reason(self) -> Reason | None:
        """Why the device cannot be taken whatever is free, or None."""
        for stage in (self.selectable, self.share, self.refusal):
            if isinstance(stage, AllocationFault):
                return None
            if stage is not None and not isinstance(stage, CapacityShare):
                return stage
        return None

    @property
    def is_usable(self) -> bool:
        """Whether the demand may take the device as far as the two alone decide it."""
        return self.selectable is None and isinstance(self.share, CapacityShare) and self.refusal is None


def is_shareable(device: PoolDevice, features: Features) -> bool:
    """Whether several allocations may each have a share of the device (dra.md §8)."""
    return features.consumable_capacity and bool(device.device.allowMultipleAllocations)


_NOT_ASKED: Final = CapacityShare({})


class CandidateFinder:
    """Looks at devices for demands on one node; every look is remembered (dra.md §6)."""

    def __init__(self, node: Node, features: Features) -> None:
        self._node = node
        self._features = features
        self._known: dict[tuple[Demand, PoolDevice], Candidate] = {}

    def look(self, demand: Demand, device: PoolDevice) -> Candidate:
        """What the demand finds at the device."""
        key = (demand, device)
        candidate = self._known.get(key)
        if candidate is None:
            candidate = self._known[key] = self._look(demand, device)
        return candidate

    def _look(self, demand: Demand, device: PoolDevice) -> Candidate:
        shareable = is_shareable(device, self._features)
        selectable = self._selectable(demand, device)
        if selectable is not None:
            return Candidate(device, selectable, _NOT_ASKED, None, shareable)
        share = capacity_share(demand, device, self._features)
        if not isinstance(share, CapacityShare):
            return Candidate(device, None, share, None, shareable)
        return Candidate(device, None, share, self._refusal(demand, device), shareable)

    def _selectable(self, demand: Demand, device: PoolDevice) -> FalseSelector | Unusable | AllocationFault | None:
        if device.device.bindingConditions and not self._features.binding_conditions:
            return Unusable.BINDING_CONDITIONS
        judged = demand.selectors.judge(device)
        if judged is not None:
            return judged
        if not device.slice.spec.perDeviceNodeSelection:
            return None
        try:
            return None if device.is_on(self._node) else Unusable.OTHER_NODE
        except UnreadableSelector as error:
            return AllocationFault(str(error), device=device.id)

    def _refusal(self, demand: Demand, device: PoolDevice) -> Unusable | Taint | None:
        skips = device.slice.spec.skipNodeOperations
        if skips and self._features.implementation is Implementation.EXPERIMENTAL:
            if not self._features.optional_node_operations:
                return Unusable.NODE_OPERATIONS_GATE
            if OPTIONAL_NODE_OPERATIONS not in (self._node.status.declaredFeatures or ()):
                return Unusable.NODE_OPERATIONS_NODE
        if device.device.consumesCounters and not self._features.partitionable_devices:
            return Unusable.COUNTERS_GATE
        if self._features.device_taints:
            return untolerated(device.device.taints or (), demand.tolerations)
        return None
