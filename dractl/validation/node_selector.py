"""Node selectors of slices and devices, and of pods (validation.md §10)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from dractl.api.base import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dractl.validation.formats import label_key, label_value, missing, subdomain
from dractl.validation.label_selectors import no_values, some_values
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
        yield from below(check_term(term), "nodeSelectorTerms", index)


def check_term(term: NodeSelectorTerm, *, looks_at_values: bool = True) -> Iterator[Violation]:
    """The requirements of one term. `looks_at_values` is whether the values of labels are looked at."""
    for index, requirement in enumerate(term.matchExpressions or ()):
        yield from below(_check_expression(requirement, looks_at_values), "matchExpressions", index)
    for index, requirement in enumerate(term.matchFields or ()):
        yield from below(_check_field(requirement), "matchFields", index)


def _check_expression(requirement: NodeSelectorRequirement, looks_at_values: bool) -> Iterator[Violation]:
    values = requirement.values or ()
    number_of_values = _NUMBER_OF_VALUES.get(requirement.operator)
    if number_of_values is None:
        message = f'"{requirement.operator}" is no operator for labels'
        yield Violation(("operator",), ViolationType.INVALID, message, f"choose one of {', '.join(_NUMBER_OF_VALUES)}")
    else:
        yield from below(number_of_values(values), "values")
    yield from below(label_key(requirement.key), "key")
    for index, value in enumerate(values if looks_at_values else ()):
        yield from below(label_value(value), "values", index)


def _one(values: Sequence[str]) -> Iterator[Violation]:
    if len(values) != 1:
        yield Violation((), ViolationType.REQUIRED, "Gt and Lt take exactly one value", "write one number")


_NUMBER_OF_VALUES: Final[dict[str, Callable[[Sequence[str]], Iterable[Violation]]]] = {
    "In": some_values,
    "NotIn": some_values,
    "Exists": no_values,
    "DoesNotExist": no_values,
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
