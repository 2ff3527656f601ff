"""Selectors of labels, in workloads, in affinities and in spreading (answers in validate-core)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from dractl.api.base import LabelSelector, LabelSelectorRequirement
from dractl.validation.formats import label_key, label_value, missing
from dractl.validation.metadata import label_flaws
from dractl.validation.violation import Violation, ViolationType, below, invalid


def check_label_selector(selector: LabelSelector | None) -> Iterator[Violation]:
    """Keys, operators and values; an absent selector is fine here."""
    if selector is None:
        return
    yield from below(label_flaws(selector.matchLabels), "matchLabels")
    for index, requirement in enumerate(selector.matchExpressions or ()):
        yield from below(_check_requirement(requirement), "matchExpressions", index)


def is_empty(selector: LabelSelector) -> bool:
    """Whether the selector selects everything."""
    return not selector.matchLabels and not selector.matchExpressions


def _check_requirement(requirement: LabelSelectorRequirement) -> Iterator[Violation]:
    values = requirement.values or ()
    number_of_values = _NUMBER_OF_VALUES.get(requirement.operator)
    if number_of_values is None:
        message = f'"{requirement.operator}" is no operator for labels'
        yield invalid(message, f"choose one of {', '.join(_NUMBER_OF_VALUES)}", "operator")
    else:
        yield from below(number_of_values(values), "values")
    yield from below(label_key(requirement.key), "key")
    for index, value in enumerate(values):
        yield from below(label_value(value), "values", index)


def some_values(values: Sequence[str]) -> Iterator[Violation]:
    """What In and NotIn need."""
    if not values:
        yield missing("a value", "In and NotIn compare with a list of values")


def no_values(values: Sequence[str]) -> Iterator[Violation]:
    """What Exists and DoesNotExist need."""
    if values:
        message = "Exists and DoesNotExist take no values"
        yield Violation((), ViolationType.FORBIDDEN, message, "take `values` out, or write `operator: In`")


_NUMBER_OF_VALUES: Final[dict[str, Callable[[Sequence[str]], Iterable[Violation]]]] = {
    "In": some_values,
    "NotIn": some_values,
    "Exists": no_values,
    "DoesNotExist": no_values,
}
