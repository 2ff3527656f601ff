"""Label selectors and node selectors."""

import pytest

from dractl.api.base import (
    LabelSelector,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    ObjectMeta,
)
from dractl.api.core import Node
from dractl.api.selectors import matches_labels, matches_node

NODE = Node(metadata=ObjectMeta(name="n1", labels={"rack": "r1", "slots": "8"}))


def need(key: str, operator: str, *values: str) -> NodeSelectorTerm:
    requirement = NodeSelectorRequirement(key=key, operator=operator, values=list(values) or None)
    return NodeSelectorTerm(matchExpressions=[requirement])


@pytest.mark.parametrize(
    ("term", "matches"),
    [
        (need("rack", "In", "r0", "r1"), True),
        (need("rack", "NotIn", "r1"), False),
        (need("zone", "NotIn", "z"), True),
        (need("rack", "Exists"), True),
        (need("zone", "DoesNotExist"), True),
        (need("slots", "Gt", "7"), True),
        (need("slots", "Lt", "8"), False),
        (need("rack", "Gt", "7"), False),
        (NodeSelectorTerm(), False),
        (
            NodeSelectorTerm(matchFields=[NodeSelectorRequirement(key="metadata.name", operator="In", values=["n1"])]),
            True,
        ),
    ],
)
def test_node_selector_terms(term: NodeSelectorTerm, matches: bool) -> None:
    assert matches_node(NodeSelector(nodeSelectorTerms=[term]), NODE) is matches


def test_any_term_suffices() -> None:
    assert matches_node(NodeSelector(nodeSelectorTerms=[need("zone", "Exists"), need("rack", "Exists")]), NODE)


def test_unknown_operator_is_an_error() -> None:
    with pytest.raises(ValueError, match="not a valid label selector operator"):
        matches_node(NodeSelector(nodeSelectorTerms=[need("rack", "Near", "r1")]), NODE)


def test_absent_label_selector_matches_nothing_and_empty_everything() -> None:
    assert not matches_labels(None, {"a": "b"})
    assert matches_labels(LabelSelector(), None)
    assert not matches_labels(LabelSelector(matchLabels={"a": "c"}), {"a": "b"})
