"""Whether an allocated claim can be used on a node (scheduling.md §5, step 2)."""

from collections.abc import Iterator
from typing import Final

from dractl.api.base import Condition
from dractl.api.core import Node
from dractl.api.identities import DeviceId
from dractl.api.resource import AllocationResult, DeviceRequestAllocationResult, ResourceClaim
from dractl.api.selectors import matches_node
from dractl.cluster.features import Features

OPTIONAL_NODE_OPERATIONS: Final = "DRAOptionalNodeOperations"
"""What a node has to declare where a driver's devices skip node operations."""


def is_reachable(claim: ResourceClaim, node: Node) -> bool:
    """Whether the allocation's node selector admits the node; without one the devices are usable everywhere."""
    allocation = claim.status.allocation
    return allocation is None or allocation.nodeSelector is None or matches_node(allocation.nodeSelector, node)


def why_unusable(claim: ResourceClaim, node: Node, features: Features) -> str:
    """The first reason why devices that can be reached from the node cannot be used there, or nothing."""
    allocation = claim.status.allocation
    return next(_obstacles(claim, allocation, node, features), "") if allocation is not None else ""


def is_available(claim: ResourceClaim, node: Node, features: Features) -> bool:
    """Whether a pod on the node can use what the claim holds."""
    return is_reachable(claim, node) and not why_unusable(claim, node, features)


def _obstacles(claim: ResourceClaim, allocation: AllocationResult, node: Node, features: Features) -> Iterator[str]:
    declared = node.status.declaredFeatures or ()
    for result in allocation.devices.results or ():
        device = DeviceId(result.driver, result.pool, result.device)
        if result.skipNodeOperations and OPTIONAL_NODE_OPERATIONS not in declared:
            yield f"{device} skips node operations, and the node does not declare {OPTIONAL_NODE_OPERATIONS}"
        if features.binding_conditions and (failed := _failed_condition(claim, result)):
            yield f"binding of {device} has failed ({failed})"


def _failed_condition(claim: ResourceClaim, result: DeviceRequestAllocationResult) -> str:
    """A binding failure condition of the device that is true."""
    true = {condition.type for condition in device_conditions(claim, result) if condition.status == "True"}
    return next((failure for failure in result.bindingFailureConditions or () if failure in true), "")


def device_conditions(claim: ResourceClaim, result: DeviceRequestAllocationResult) -> list[Condition]:
    """What the driver says of an allocated device in `status.devices`."""
    where = (result.driver, result.pool, result.device)
    for status in claim.status.devices or ():
        if (status.driver, status.pool, status.device) == where:
            return status.conditions or []
    return []
