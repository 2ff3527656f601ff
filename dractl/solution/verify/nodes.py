"""Devices can be used on the node (dra.md §2, §4, §6, §11.2)."""

from collections.abc import Iterator
from typing import Final

from dractl.api.core import Node
from dractl.api.selectors import matches_node
from dractl.cluster.features import Implementation
from dractl.cluster.pools import PoolDevice
from dractl.problem.problem import Problem
from dractl.solution.verify.attempt import Attempt
from dractl.solution.verify.violations import Breach

NODE_OPERATIONS: Final = "DRAOptionalNodeOperations"


def every_device_reaches_the_node(attempt: Attempt) -> Iterator[Breach]:
    """The slice, or with `perDeviceNodeSelection` the device itself, names or selects the node."""
    node = attempt.problem.node
    for take in attempt.takes():
        if not _reaches(take.device, node):
            yield Breach(f"the device cannot be used on node {node.metadata.name}", take.claim, take.id)


def binding_conditions_have_their_gate(attempt: Attempt) -> Iterator[Breach]:
    """With the gate off nobody would wait for the conditions, so such devices stay away."""
    if attempt.problem.features.binding_conditions:
        return
    for take in attempt.takes():
        if take.device.device.bindingConditions:
            yield Breach("the device has binding conditions, and their gate is off", take.claim, take.id)


def node_operations_are_optional_where_skipped(attempt: Attempt) -> Iterator[Breach]:
    """A driver that skips node operations needs the gate, and a node that declares it (experimental only)."""
    for take in attempt.takes():
        if take.device.slice.spec.skipNodeOperations and not _allows_skipping(attempt.problem):
            yield Breach("the driver skips node operations, which this node does not allow", take.claim, take.id)


def may_be_used(device: PoolDevice, problem: Problem) -> bool:
    """Whether any request could have the device on the node, as far as its driver and the gates decide (dra.md §11)."""
    if device.slice.spec.skipNodeOperations and not _allows_skipping(problem):
        return False
    return problem.features.partitionable_devices or not device.device.consumesCounters


def _allows_skipping(problem: Problem) -> bool:
    if problem.features.implementation is not Implementation.EXPERIMENTAL:
        return True
    declared = problem.node.status.declaredFeatures or ()
    return problem.features.optional_node_operations and NODE_OPERATIONS in declared


def _reaches(device: PoolDevice, node: Node) -> bool:
    spec = device.slice.spec
    if spec.perDeviceNodeSelection:
        return device.is_on(node)
    if spec.nodeName:
        return spec.nodeName == node.metadata.name
    return bool(spec.allNodes) or matches_node(spec.nodeSelector, node)
