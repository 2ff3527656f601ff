"""Why no node has what a selector asks of its labels, and what may have been meant."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.base import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dractl.api.core import Node
from dractl.api.selectors import matches_term
from dractl.errors import FieldPath
from dractl.near_misses import did_you_mean
from dractl.phrases import listed


class NoNode(Struct, frozen=True):
    """The one part of a selector that no node meets, below the selector; empty where it is not a single one.

    `is_slip` is whether a node has nearly what is asked for.
    """

    path: FieldPath = ()
    detail: str = ""
    remedy: str = ""
    is_slip: bool = False


def why_no_node(selector: NodeSelector, nodes: Sequence[Node]) -> NoNode:
    """Of a selector that matches no node; nothing of one with several terms, or whose requirements hold one by one."""
    terms = selector.nodeSelectorTerms or ()
    unmet = [] if len(terms) != 1 else list(_unmet(terms[0], nodes))
    if len(unmet) != 1:
        return NoNode()
    field, number, requirement = unmet[0]
    if field == "matchFields":
        below = _of_values(requirement, "metadata.name", [node.metadata.name for node in nodes])
    else:
        below = _of_label(requirement, nodes)
    return replace(below, path=("nodeSelectorTerms", 0, field, number, *below.path))


def why_no_label(key: str, value: str, nodes: Sequence[Node]) -> NoNode | None:
    """Of a label that is asked for; None if a node has it."""
    requirement = NodeSelectorRequirement(key=key, operator="In", values=[value])
    if any((node.metadata.labels or {}).get(key) == value for node in nodes):
        return None
    return replace(_of_label(requirement, nodes), path=())


def _unmet(term: NodeSelectorTerm, nodes: Sequence[Node]) -> Iterator[tuple[str, int, NodeSelectorRequirement]]:
    """The requirements that hold on no node by themselves."""
    for number, each in enumerate(term.matchExpressions or ()):
        if not any(matches_term(NodeSelectorTerm(matchExpressions=[each]), node) for node in nodes):
            yield "matchExpressions", number, each
    for number, each in enumerate(term.matchFields or ()):
        if not any(matches_term(NodeSelectorTerm(matchFields=[each]), node) for node in nodes):
            yield "matchFields", number, each


def _of_label(requirement: NodeSelectorRequirement, nodes: Sequence[Node]) -> NoNode:
    key = requirement.key
    keys = list(dict.fromkeys(label for node in nodes for label in node.metadata.labels or {}))
    if key not in keys:
        close = did_you_mean(key, keys)
        return NoNode(("key",), f"none has the label {key}", close, bool(close))
    values = [value for node in nodes if (value := (node.metadata.labels or {}).get(key)) is not None]
    return _of_values(requirement, key, values)


def _of_values(requirement: NodeSelectorRequirement, key: str, there: Sequence[str]) -> NoNode:
    wanted = requirement.values or []
    if requirement.operator != "In":
        return NoNode()
    known = list(dict.fromkeys(there))
    have = f"the nodes have {listed(known)}"
    if len(wanted) > 1:
        return NoNode(("values",), f"none has one of these as {key}", have)
    close = did_you_mean(wanted[0], known)
    return NoNode(("values", 0), f"none has {key}={wanted[0]}", close or have, bool(close))
