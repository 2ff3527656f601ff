"""A slice is for nodes that do not exist.

The node selector of a ResourceSlice, or of a device in one with `perDeviceNodeSelection`, matches none of the nodes of
the input.

Why: its devices can be allocated nowhere. Often a label is spelled differently, or has another value.

Example:

    nodeSelector:
      nodeSelectorTerms:
      - matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [eu-west-1]}]
      # but the zones are eu-west-1a and eu-west-1b

Instead: labels that the nodes have. The rule is silent if the input describes no nodes.
"""

from collections.abc import Iterator

from dractl.api.base import NodeSelector
from dractl.api.resource import ResourceSlice
from dractl.api.selectors import matches_node, why_unreadable
from dractl.errors import Place
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.node_labels import why_no_node
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import counted


def check(context: LintContext) -> Iterator[Remark]:
    """Slices and devices with a selector, against the nodes that are described."""
    nodes = context.described_nodes
    for each in context.objects.of(ResourceSlice) if nodes else ():
        for selector, place, whose in _selectors(each.object, each.place.at("spec")):
            if not why_unreadable(selector) and not any(matches_node(selector, node) for node in nodes):
                why = why_no_node(selector, nodes)
                detail = f": {why.detail}" if why.detail else ""
                yield Remark(
                    f"{whose} node selector matches none of the {counted(len(nodes), 'node')} of the input{detail}",
                    place.at("nodeSelector", *why.path),
                    str(each.ref),
                    why.remedy,
                )


def _selectors(slice_: ResourceSlice, place: Place) -> Iterator[tuple[NodeSelector, Place, str]]:
    """The selectors that count, where their owner stands, and whose they are."""
    spec = slice_.spec
    if spec.nodeSelector is not None and not spec.nodeName:
        yield spec.nodeSelector, place, "its"
    for number, device in enumerate((spec.devices if spec.perDeviceNodeSelection else None) or ()):
        if device.nodeSelector is not None and not device.nodeName:
            yield device.nodeSelector, place.at("devices", number), f"device {device.name}: its"


RULE = Rule("DRA313", "slice-reaches-no-node", Severity.WARNING, __doc__, check, needs_slices=True, needs_all=("Node",))
