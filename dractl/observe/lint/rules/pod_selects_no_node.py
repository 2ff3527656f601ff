"""A pod asks for a label that no node has.

`nodeSelector`, or the required node affinity, of a pod or of the template of a workload asks for a label that none of
the nodes of the input has, and one has nearly the same.

Why: the pod stays Pending with `node(s) didn't match Pod's node affinity/selector`.

Example:

    nodeSelector: {pool: gpus}      # the nodes have pool: gpu

Instead: the label as the nodes have it. The rule is silent about labels that are like none, as their nodes may not be
in the input; where the nodes were read from a cluster they are all there, and it tells these too. Names of nodes are
another rule's.
"""

from collections.abc import Iterator, Sequence

from dractl.api.base import NodeSelector
from dractl.api.core import Node, Pod
from dractl.api.pods import is_terminal
from dractl.api.selectors import matches_node, why_unreadable
from dractl.errors import Place
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext, PodWriting
from dractl.observe.lint.dumped import is_dumped
from dractl.observe.lint.node_labels import NoNode, why_no_label, why_no_node
from dractl.observe.lint.node_names import HOSTNAME
from dractl.observe.lint.rule import Remark, Rule

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def check(context: LintContext) -> Iterator[Remark]:
    """Each label of a selector, and the part of an affinity that none has."""
    nodes = context.described_nodes
    is_whole = is_dumped(context, Node)
    for pod in context.pod_writings if nodes else ():
        if pod.source.metadata.is_dump or (isinstance(pod.source.object, Pod) and is_terminal(pod.source.object)):
            continue
        for why, place in _lacks(pod, nodes):
            if is_whole or why.is_slip:
                message = f"no node of the input is for the pod: {why.detail}"
                yield Remark(message, place.at(*why.path), pod.subject, why.remedy)


def _lacks(pod: PodWriting, nodes: Sequence[Node]) -> Iterator[tuple[NoNode, Place]]:
    for key, value in (pod.spec.nodeSelector or {}).items():
        why = why_no_label(key, value, nodes) if key != HOSTNAME else None
        if why is not None:
            yield why, pod.place.at("nodeSelector", key)
    affinity = pod.spec.affinity.nodeAffinity if pod.spec.affinity is not None else None
    selector = affinity.requiredDuringSchedulingIgnoredDuringExecution if affinity is not None else None
    if selector is not None and not why_unreadable(selector) and not _names_a_node(selector):
        why = why_no_node(selector, nodes)
        if why.detail and not any(matches_node(selector, node) for node in nodes):
            yield why, pod.place.at("affinity", "nodeAffinity", _REQUIRED)


def _names_a_node(selector: NodeSelector) -> bool:
    return any(
        term.matchFields or any(each.key == HOSTNAME for each in term.matchExpressions or ())
        for term in selector.nodeSelectorTerms or ()
    )


RULE = Rule("DRA210", "pod-selects-no-node", Severity.WARNING, __doc__, check, needs_all=("Node",))
