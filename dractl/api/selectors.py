"""Label selectors and node selectors, matched as the scheduler and the controllers match them (dra.md §4)."""

import re
from collections.abc import Callable, Iterator, Mapping
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
    return all(_holds(requirement, labels) for requirement in term.matchExpressions or ()) and all(
        _holds(requirement, {requirement.key: _field(requirement.key, node)}) for requirement in term.matchFields or ()
    )


def why_unreadable(selector: NodeSelector | None) -> str:
    """The first reason why the scheduler cannot parse a node selector, with its field, or nothing (dra.md §4).

    The API server lets most of these not pass, but `Gt` and `Lt` with a value that is no number it does.
    """
    for number, term in enumerate((selector.nodeSelectorTerms if selector else None) or ()):
        for fault in _term_faults(term):
            return f"nodeSelectorTerms[{number}].{fault}"
    return ""


def _term_faults(term: NodeSelectorTerm) -> Iterator[str]:
    for number, requirement in enumerate(term.matchExpressions or ()):
        if fault := _expression_fault(requirement):
            yield f"matchExpressions[{number}].{fault}"
    for number, requirement in enumerate(term.matchFields or ()):
        if fault := _field_fault(requirement):
            yield f"matchFields[{number}].{fault}"


def _expression_fault(requirement: NodeSelectorRequirement) -> str:
    values = requirement.values or []
    if requirement.operator not in _OPERATORS:
        return f'operator: Unsupported value: "{requirement.operator}"'
    if not _is_qualified_name(requirement.key):
        return f'key: Invalid value: "{requirement.key}"'
    if requirement.operator in ("In", "NotIn") and not values:
        return "values: for 'in', 'notin' operators, values set can't be empty"
    if requirement.operator in ("Exists", "DoesNotExist") and values:
        return "values: values set must be empty for exists and does not exist"
    if requirement.operator in ("Gt", "Lt"):
        if len(values) != 1:
            return "values: for 'Gt', 'Lt' operators, exactly one value is required"
        if _integer(values[0]) is None:
            return f"values[0]: Invalid value: \"{values[0]}\": for 'Gt', 'Lt' operators, the value must be an integer"
    for number, value in enumerate(values):
        if len(value) > _LONGEST_LABEL or not _LABEL_VALUE.fullmatch(value):
            return f'values[{number}]: Invalid value: "{value}": not a valid label value'
    return ""


def _field_fault(requirement: NodeSelectorRequirement) -> str:
    if requirement.operator not in ("In", "NotIn"):
        return f'operator: Unsupported value: "{requirement.operator}": supported values: "In", "NotIn"'
    return "" if len(requirement.values or ()) == 1 else "values: must have one element"


def _is_qualified_name(key: str) -> bool:
    prefix, slash, name = key.rpartition("/")
    if slash and not (len(prefix) <= _LONGEST_SUBDOMAIN and _SUBDOMAIN.fullmatch(prefix)):
        return False
    return 0 < len(name) <= _LONGEST_LABEL and _LABEL_VALUE.fullmatch(name) is not None


def _field(key: str, node: Node) -> str:
    """A node has one field; every other one is empty."""
    return node.metadata.name if key == "metadata.name" else ""


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


_LONGEST_LABEL: Final = 63
_LONGEST_SUBDOMAIN: Final = 253
_LABEL_VALUE: Final = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?")
_SUBDOMAIN: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")

_OPERATORS: Final[dict[str, Callable[[str | None, list[str]], bool]]] = {
    "In": lambda value, values: value is not None and value in values,
    "NotIn": lambda value, values: value is None or value not in values,
    "Exists": lambda value, _: value is not None,
    "DoesNotExist": lambda value, _: value is None,
    "Gt": lambda value, values: _compares(value, values, 1),
    "Lt": lambda value, values: _compares(value, values, -1),
}
