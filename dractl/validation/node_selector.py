"""Node selectors of slices and devices (validation.md §10)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from dractl.api.base import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dractl.validation.formats import label_key, label_value, missing, subdomain
from dractl.validation.violation import Violation, ViolationType, below

_FIELD: Final = "metadata.name"


def check_node_selector(selector: NodeSelector) -> Iterator[Violation]:
    """At least one term, and each of its requirements."""
    terms = selector.nodeSelectorTerms or ()
    if not terms:
        yield missing("a term", "without a term no node is selected; write `[{matchExpressions: […]}]`").below(
            "nodeSelectorTerms"
        )
    for index, term in enumerate(terms):
        yield from below(_check_term(term), "nodeSelectorTerms", index)


def _check_term(term: NodeSelectorTerm) -> Iterator[Violation]:
    for index, requirement in enumerate(term.matchExpressions or ()):
        yield from below(_check_expression(requirement), "matchExpressions", index)
    for index, requirement in enumerate(term.matchFields or ()):
        yield from below(_check_field(requirement), "matchFields", index)


def _check_expression(requirement: NodeSelectorRequirement) -> Iterator[Violation]:
    values = requirement.values or ()
    number_of_values = _NUMBER_OF_VALUES.get(requirement.operator)
    if number_of_values is None:
        message = f'"{requirement.operator}" is no operator for labels'
        yield Violation(("operator",), ViolationType.INVALID, message, f"choose one of {', '.join(_NUMBER_OF_VALUES)}")
    else:
        yield from below(number_of_values(values), "values")
    yield from below(label_key(requirement.key), "key")
    for index, value in enumerate(values):
        yield from below(label_value(value), "values", index)


def _some(values: Sequence[str]) -> Iterator[Violation]:
    if not values:
        yield missing("a value", "In and NotIn compare with a list of values")


def _none(values: Sequence[str]) -> Iterator[Violation]:
    if values:
        message = "Exists and DoesNotExist take no values"
        yield Violation((), ViolationType.FORBIDDEN, message, "take `values` out, or write `operator: In`")


def _one(values: Sequence[str]) -> Iterator[Violation]:
    if len(values) != 1:
        yield Violation((), ViolationType.REQUIRED, "Gt and Lt take exactly one value", "write one number")


_NUMBER_OF_VALUES: Final[dict[str, Callable[[Sequence[str]], Iterable[Violation]]]] = {
    "In": _some,
    "NotIn": _some,
    "Exists": _none,
    "DoesNotExist": _none,
    "Gt": _one,
    "Lt": _one,
}


def _check_field(requirement: NodeSelectorRequirement) -> Iterator[Violation]:
    values = requirement.values or ()
    if requirement.operator not in ("In", "NotIn"):
        message = f'"{requirement.operator}" is no operator for fields'
        yield Violation(("operator",), ViolationType.INVALID, message, "choose In or NotIn")
    elif len(values) != 1:
        message = "a field is compared with exactly one value"
        yield Violation(("values",), ViolationType.REQUIRED, message, "write one term for each node")
    if requirement.key != _FIELD:
        message = f'nodes cannot be selected by the field "{requirement.key}"'
        yield Violation(("key",), ViolationType.INVALID, message, f"write `key: {_FIELD}`, or use `matchExpressions`")
        return
    for index, value in enumerate(values):
        yield from below(subdomain(value), "values", index)
