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
from dractl.api.selectors import matches_labels, matches_node, why_unreadable

NO_NUMBER = (
    "matchExpressions[0].values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer"
)
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


@pytest.mark.parametrize(
    ("term", "why"),
    [
        (need("rack", "Near", "r1"), 'matchExpressions[0].operator: Unsupported value: "Near"'),
        (need("a b", "Exists"), 'matchExpressions[0].key: Invalid value: "a b"'),
        (need("/rack", "Exists"), 'matchExpressions[0].key: Invalid value: "/rack"'),
        (need("rack", "In"), "matchExpressions[0].values: for 'in', 'notin' operators, values set can't be empty"),
        (need("rack", "In", "r1", "r."), 'matchExpressions[0].values[1]: Invalid value: "r.": not a valid label value'),
        (
            need("slots", "Gt", "x"),
            NO_NUMBER,
        ),
        (need("slots", "Gt", "-1"), 'matchExpressions[0].values[0]: Invalid value: "-1": not a valid label value'),
        (need("example.com/rack", "In", "r1", ""), ""),
        (need("slots", "Lt", "09"), ""),
        (NodeSelectorTerm(), ""),
    ],
)
def test_every_term_must_be_readable(term: NodeSelectorTerm, why: str) -> None:
    expected = f"nodeSelectorTerms[1].{why}" if why else ""
    assert why_unreadable(NodeSelector(nodeSelectorTerms=[need("rack", "Exists"), term])) == expected


@pytest.mark.parametrize(
    ("operator", "values", "why"),
    [
        ("Exists", [], 'operator: Unsupported value: "Exists": supported values: "In", "NotIn"'),
        ("In", ["n1", "n2"], "values: must have one element"),
        ("NotIn", ["no label!"], ""),
    ],
)
def test_fields_take_one_value(operator: str, values: list[str], why: str) -> None:
    requirement = NodeSelectorRequirement(key="metadata.name", operator=operator, values=values)
    selector = NodeSelector(nodeSelectorTerms=[NodeSelectorTerm(matchFields=[requirement])])
    assert why_unreadable(selector) == (f"nodeSelectorTerms[0].matchFields[0].{why}" if why else "")


def test_absent_label_selector_matches_nothing_and_empty_everything() -> None:
    assert not matches_labels(None, {"a": "b"})
    assert matches_labels(LabelSelector(), None)
    assert not matches_labels(LabelSelector(matchLabels={"a": "c"}), {"a": "b"})
