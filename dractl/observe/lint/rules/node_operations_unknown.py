"""A slice skips node operations, and its nodes cannot.

A ResourceSlice has `skipNodeOperations`, and none of the nodes that its devices are for declares the feature
DRAOptionalNodeOperations.

Why: the scheduler refuses each of its devices on such a node. A kubelet declares the feature from 1.37 on, with its
gate on.

Example:

    kind: ResourceSlice
    spec: {skipNodeOperations: ["*"], nodeName: worker-1, …}
    ---
    kind: Node
    metadata: {name: worker-1}
    status: {declaredFeatures: []}

Instead: turn the gate on for the kubelets, or leave `skipNodeOperations` out.
"""

from collections.abc import Iterator

from dractl.api.core import Node
from dractl.api.resource import ResourceSlice
from dractl.api.selectors import matches_node, why_unreadable
from dractl.cluster.availability import OPTIONAL_NODE_OPERATIONS
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed


def check(context: LintContext) -> Iterator[Remark]:
    """Slices against the nodes that are described and that they are for."""
    if not context.cluster.features.optional_node_operations:
        return
    described = {
        name: node for name, node in context.cluster.nodes.items() if name not in context.cluster.assumed_nodes
    }
    for each in context.objects.of(ResourceSlice):
        if each.object.spec.skipNodeOperations:
            nodes = [name for name, node in described.items() if _is_for(each.object, node)]
            if nodes and not any(_declares(described[name]) for name in nodes):
                yield Remark(
                    f"no node that it is for declares {OPTIONAL_NODE_OPERATIONS} ({listed(nodes)}): "
                    "its devices are never allocated",
                    each.place.at("spec", "skipNodeOperations"),
                    str(each.ref),
                    "take the field out, or give the nodes kubelets that know it",
                )


def _is_for(slice_: ResourceSlice, node: Node) -> bool:
    spec, name = slice_.spec, node.metadata.name
    if spec.nodeName:
        return spec.nodeName == name
    if spec.nodeSelector is not None:
        return not why_unreadable(spec.nodeSelector) and matches_node(spec.nodeSelector, node)
    return bool(spec.allNodes) or any(device.allNodes or device.nodeName == name for device in spec.devices or ())


def _declares(node: Node) -> bool:
    return OPTIONAL_NODE_OPERATIONS in (node.status.declaredFeatures or ())


RULE = Rule("DRA317", "node-operations-unknown", Severity.WARNING, __doc__, check, needs_slices=True)
