"""A slice is for nodes that do not exist.

The node selector of a ResourceSlice matches none of the nodes of the input.

Why: its devices can be allocated nowhere. Often a label is spelled differently, or has another value.

Example:

    nodeSelector:
      nodeSelectorTerms:
      - matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [eu-west-1]}]
      # but the zones are eu-west-1a and eu-west-1b

Instead: labels that the nodes have. The rule is silent if the input describes no nodes.
"""

from collections.abc import Iterator

from dractl.api.resource import ResourceSlice
from dractl.api.selectors import matches_node, why_unreadable
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import counted


def check(context: LintContext) -> Iterator[Remark]:
    """Slices with a selector, against the nodes that are described."""
    nodes = [node for name, node in context.cluster.nodes.items() if name not in context.cluster.assumed_nodes]
    for each in context.objects.of(ResourceSlice):
        selector = each.object.spec.nodeSelector
        if not nodes or selector is None or each.object.spec.nodeName or why_unreadable(selector):
            continue
        if not any(matches_node(selector, node) for node in nodes):
            yield Remark(
                f"its node selector matches none of the {counted(len(nodes), 'node')} of the input",
                each.place.at("spec", "nodeSelector"),
                str(each.ref),
            )


RULE = Rule("DRA313", "slice-reaches-no-node", Severity.WARNING, __doc__, check, needs_slices=True, needs_all=("Node",))
