"""Whether an allocated claim can be used on a node (scheduling.md §5, step 2)."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from dractl.api.core import Node
from dractl.api.identities import DeviceId
from dractl.api.resource import AllocationResult, ResourceClaim
from dractl.api.selectors import matches_node
from dractl.api.times import time_text
from dractl.cluster.binding import binding_of
from dractl.cluster.features import Features

OPTIONAL_NODE_OPERATIONS: Final = "DRAOptionalNodeOperations"
"""What a node has to declare where a driver's devices skip node operations."""


def is_reachable(claim: ResourceClaim, node: Node) -> bool:
    """Whether the allocation's node selector admits the node; without one the devices are usable everywhere."""
    allocation = claim.status.allocation
    return allocation is None or allocation.nodeSelector is None or matches_node(allocation.nodeSelector, node)


def why_unusable(claim: ResourceClaim, node: Node, features: Features, now: datetime | None) -> str:
    """The first reason why devices that can be reached from the node cannot be used there, or nothing.

    `now` decides whether the time for binding has run out; None leaves that out.
    """
    allocation = claim.status.allocation
    return next(_obstacles(claim, allocation, node, features, now), "") if allocation is not None else ""


def is_available(claim: ResourceClaim, node: Node, features: Features, now: datetime | None) -> bool:
    """Whether a pod on the node can use what the claim holds."""
    return is_reachable(claim, node) and not why_unusable(claim, node, features, now)


def _obstacles(
    claim: ResourceClaim, allocation: AllocationResult, node: Node, features: Features, now: datetime | None
) -> Iterator[str]:
    declared = node.status.declaredFeatures or ()
    for result in allocation.devices.results or ():
        if result.skipNodeOperations and OPTIONAL_NODE_OPERATIONS not in declared:
            device = DeviceId(result.driver, result.pool, result.device)
            yield f"{device} skips node operations, and the node does not declare {OPTIONAL_NODE_OPERATIONS}"
    if features.binding_conditions:
        yield from _binding_obstacles(claim, features, now)


def _binding_obstacles(claim: ResourceClaim, features: Features, now: datetime | None) -> Iterator[str]:
    binding = binding_of(claim, features.binding_timeout)
    for condition, device in binding.failed:
        yield f"binding of {device} has failed ({condition})"
    if binding.is_overdue(now) and binding.until is not None:
        condition, device = binding.pending[0]
        yield f"binding of {device} took too long: {condition} was not true by {time_text(binding.until)}"
