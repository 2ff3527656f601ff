"""Label selectors and node selectors, matched as the scheduler and the controllers match them (dra.md §4)."""

from collections.abc import Callable, Mapping
from typing import Final

from dractl.api.base import (
    LabelSelector,
    LabelSelectorRequirement,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
)
from dractl.api.core import Node

Labels = Mapping[str, str]


def matches_labels(selector: LabelSelector | None, labels: Labels | None) -> bool:
    """Whether a label selector matches; an absent one matches nothing, an empty one everything."""
    if selector is None:
        return False
    own = labels or {}
    return all(own.get(key) == value for key, value in (selector.matchLabels or {}).items()) and all(
        _holds(requirement, own) for requirement in selector.matchExpressions or ()
    )


def matches_node(selector: NodeSelector | None, node: Node) -> bool:
    """Whether any term of a node selector matches; an empty term matches nothing.

    Raises ValueError if a requirement has an operator that does not exist, or values that do not belong to it.
    """
    terms = (selector.nodeSelectorTerms if selector else None) or ()
    return any(matches_term(term, node) for term in terms)


def matches_term(term: NodeSelectorTerm, node: Node) -> bool:
    """Whether all requirements of one node selector term hold; a term without any matches nothing."""
    if not term.matchExpressions and not term.matchFields:
        return False
    labels = node.metadata.labels or {}
    fields = {"metadata.name": node.metadata.name}
    return all(_holds(requirement, labels) for requirement in term.matchExpressions or ()) and all(
        _holds(requirement, fields) for requirement in term.matchFields or ()
    )


def _holds(requirement: NodeSelectorRequirement | LabelSelectorRequirement, labels: Labels) -> bool:
    operator = _OPERATORS.get(requirement.operator)
    if operator is None:
        raise ValueError(f'"{requirement.operator}" is not a valid label selector operator')
    return operator(labels.get(requirement.key), requirement.values or [])


def _compares(value: str | None, values: list[str], sign: int) -> bool:
    if value is None or len(values) != 1:
        return False
    left, right = _integer(value), _integer(values[0])
    return left is not None and right is not None and (left - right) * sign > 0


def _integer(text: str) -> int | None:
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit()):
        return None
    number = int(text)
    return number if -(2**63) <= number < 2**63 else None


_OPERATORS: Final[dict[str, Callable[[str | None, list[str]], bool]]] = {
    "In": lambda value, values: value is not None and value in values,
    "NotIn": lambda value, values: value is None or value not in values,
    "Exists": lambda value, _: value is not None,
    "DoesNotExist": lambda value, _: value is None,
    "Gt": lambda value, values: _compares(value, values, 1),
    "Lt": lambda value, values: _compares(value, values, -1),
}
