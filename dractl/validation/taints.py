"""Taints of devices, in slices and in rules, and tolerations of requests (validation.md §6, §7, §12)."""

from collections.abc import Iterator
from typing import Final

from dractl.api.base import Taint, Toleration
from dractl.validation.choices import one_of
from dractl.validation.formats import label_key, label_value, missing
from dractl.validation.violation import Violation, ViolationType, below, declared

_EFFECTS: Final = ("NoSchedule", "NoExecute", "None")
_OPERATORS: Final = ("Exists", "Equal")


def check_taint(taint: Taint) -> Iterator[Violation]:
    """A taint: key, value and effect."""
    yield from below(label_key(taint.key), "key")
    yield from below(label_value(taint.value), "value")
    if not taint.effect:
        yield from declared([missing("the effect", f"write one of {', '.join(_EFFECTS)}").below("effect")])
    else:
        yield from below(declared(one_of(taint.effect, _EFFECTS)), "effect")


def check_toleration(toleration: Toleration) -> Iterator[Violation]:
    """A toleration: an empty key or effect stands for all; seconds are not looked at."""
    if toleration.key:
        yield from below(declared(label_key(toleration.key)), "key")
    yield from below(declared(one_of(toleration.operator, _OPERATORS)), "operator")
    if toleration.operator == "Exists" and toleration.value:
        message = "`operator: Exists` does not look at a value"
        yield Violation(("value",), ViolationType.INVALID, message, "take the value out, or write `operator: Equal`")
    elif toleration.operator == "Equal":
        yield from below(label_value(toleration.value), "value")
    if toleration.effect:
        yield from below(declared(one_of(toleration.effect, _EFFECTS)), "effect")
