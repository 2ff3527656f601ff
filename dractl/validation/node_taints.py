"""Taints of nodes, and what pods tolerate of them (answers in validate-core)."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dractl.api.base import Taint, Toleration
from dractl.validation.choices import one_of
from dractl.validation.formats import label_key, label_value, missing
from dractl.validation.violation import Violation, ViolationType, below, invalid

_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_OPERATORS: Final = ("Equal", "Exists")
_COMPARISONS: Final = ("Lt", "Gt")
_WHOLE: Final = re.compile(r"0|-?[1-9][0-9]*")


def check_node_taints(taints: Sequence[Taint]) -> Iterator[Violation]:
    """Keys, values, effects, and that key and effect do not repeat; paths begin at the list."""
    seen: set[tuple[str, str]] = set()
    for index, taint in enumerate(taints):
        yield from below(label_key(taint.key), index, "key")
        yield from below(label_value(taint.value), index, "value")
        yield from below(_check_effect(taint.effect), index, "effect")
        if (taint.key, taint.effect) in seen:
            message = f"the node has a taint {taint.key} with the effect {taint.effect} already"
            yield Violation((index,), ViolationType.DUPLICATE, message, "take one of the two out")
        seen.add((taint.key, taint.effect))


def _check_effect(effect: str) -> Iterator[Violation]:
    if not effect:
        yield missing("the effect", f"write one of {', '.join(_EFFECTS)}")
    else:
        yield from one_of(effect, _EFFECTS)


def check_pod_tolerations(tolerations: Sequence[Toleration], *, can_compare: bool) -> Iterator[Violation]:
    """Tolerations of a pod; paths begin at the list. `can_compare` is whether the operators Lt and Gt exist."""
    for index, toleration in enumerate(tolerations):
        yield from below(_check_toleration(toleration, can_compare=can_compare), index)


def _check_toleration(toleration: Toleration, *, can_compare: bool) -> Iterator[Violation]:
    if toleration.key:
        yield from below(label_key(toleration.key), "key")
    elif toleration.operator != "Exists":
        message = "a toleration without a key is for all taints, which only `operator: Exists` can say"
        yield invalid(message, "name a key, or write `operator: Exists`", "operator")
    if toleration.tolerationSeconds is not None and toleration.effect != "NoExecute":
        message = "`tolerationSeconds` is for `effect: NoExecute`"
        yield invalid(message, "write that effect, or take the seconds out", "effect")
    yield from below(_check_value(toleration, can_compare=can_compare), "operator")
    if toleration.effect:
        yield from below(one_of(toleration.effect, _EFFECTS), "effect")


def _check_value(toleration: Toleration, *, can_compare: bool) -> Iterator[Violation]:
    """The server reports a value that does not belong to its operator at the operator."""
    operator = toleration.operator or "Equal"
    if operator == "Exists" and toleration.value:
        yield invalid("`operator: Exists` does not look at a value", "take the value out, or write `operator: Equal`")
    elif operator == "Equal":
        yield from label_value(toleration.value)
    elif operator in _COMPARISONS and can_compare:
        if not _WHOLE.fullmatch(toleration.value):
            yield invalid(f'"{toleration.value}" is no whole number to compare with', "write a whole number")
    else:
        yield from one_of(operator, (*_OPERATORS, *(_COMPARISONS if can_compare else ())))
