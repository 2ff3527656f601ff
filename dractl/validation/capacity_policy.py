"""How a shared device's capacity may be asked for: `requestPolicy` of slices (validation.md §8).

While DRAFractionalCapacityRange is off the server counts in whole units, rounded up: fractions are not refused, but two
values may become the same, and steps are those between the rounded values.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from dractl.api.quantity import INT64_MAX, MILLI, NANO, Quantity
from dractl.api.resource import CapacityRange, CapacityRequestPolicy
from dractl.validation.formats import missing
from dractl.validation.lists import too_many
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below

_MOST_VALUES: Final = 10
_DECIMALS_OF_LONG_ONES: Final = 9
"""Amounts that do not fit into 64 bits are kept in nano-units."""


def check_policy(policy: CapacityRequestPolicy, capacity: Quantity, rulebook: Rulebook) -> Iterator[Violation]:
    """A policy against the whole capacity of the device; paths begin at the policy."""
    if policy.validValues and policy.validRange is not None:
        message = "`validValues` and `validRange` are set together"
        yield Violation((), ViolationType.FORBIDDEN, message, "keep one of them")
    elif policy.validValues:
        if policy.default is None:
            yield _no_default("validValues")
        else:
            yield from below(_check_values(policy.default, policy.validValues, capacity, rulebook), "validValues")
    elif policy.validRange is not None:
        if policy.default is None:
            yield _no_default("validRange")
        else:
            yield from below(_check_range(policy.default, policy.validRange, capacity, rulebook), "validRange")


def _no_default(beside: str) -> Violation:
    return missing(f"the default, needed beside `{beside}`,", "write what a request without an amount gets").below(
        "default"
    )


def _invalid(field: str, message: str, remedy: str = "") -> Violation:
    return Violation((field,), ViolationType.INVALID, message, remedy)


# --- valid values ----------------------------------------------------------------------------------------------------


def _check_values(
    default: Quantity, values: Sequence[Quantity], capacity: Quantity, rulebook: Rulebook
) -> Iterator[Violation]:
    excess = list(too_many(values, _MOST_VALUES))
    yield from excess
    yield from _check_order(values)
    if not excess:
        yield from _check_each(values, capacity, rulebook)
    if excess or default not in values:
        message = f"the default {default} is none of the valid values"
        yield Violation((), ViolationType.INVALID, message, "make the default one of the values")


def _check_order(values: Sequence[Quantity]) -> Iterator[Violation]:
    for index, (before, value) in enumerate(pairwise(values), 1):
        if value < before:
            message = f"{value} stands behind the larger {before}"
            yield Violation((index,), ViolationType.INVALID, message, "sort the values")


def _check_each(values: Sequence[Quantity], capacity: Quantity, rulebook: Rulebook) -> Iterator[Violation]:
    seen: set[tuple[int, int]] = set()
    for index, value in enumerate(values):
        if value > capacity:
            message = f"{value} is more than the capacity of {capacity}"
            yield Violation((index,), ViolationType.INVALID, message, "take it out")
        key = _identity(value, rulebook)
        if key in seen:
            yield Violation((index,), ViolationType.DUPLICATE, f"{value} stands in this list already", "take it out")
        seen.add(key)


def _identity(value: Quantity, rulebook: Rulebook) -> tuple[int, int]:
    """What the server compares: the amount and the decimals it was written with, or whole units in 64 bits."""
    if not rulebook.has_fractional_ranges:
        return value.rounded_up() % 2**64, 0
    return value.nano, max(0, -value.notation.exponent) if value.notation is not None else _DECIMALS_OF_LONG_ONES


# --- valid range -----------------------------------------------------------------------------------------------------


def _check_range(
    default: Quantity, valid: CapacityRange, capacity: Quantity, rulebook: Rulebook
) -> Iterator[Violation]:
    least = valid.min
    if least is None:
        yield missing("the least amount", "write `min: …`").below("min")
        return
    yield from _check_bounds(default, least, valid.max, capacity)
    fields = {"default": default, "min": least, "max": valid.max, "step": valid.step}
    amounts = {field: amount for field, amount in fields.items() if amount is not None}
    has_fractions = not all(amount.is_whole for amount in amounts.values())
    in_thousandths = rulebook.has_fractional_ranges and has_fractions
    if in_thousandths:
        unfit = list(_not_in_thousandths(amounts))
        yield from unfit
        if unfit:
            return
    if valid.step is None:
        return
    if valid.step.nano <= 0:
        yield _invalid("step", f"the step {valid.step} is not greater than 0")
        return
    if (least + valid.step) > capacity:
        message = f"one step above the least amount of {least} is more than the capacity of {capacity}"
        yield _invalid("step", message, "make the step smaller, or take it out")
    if not in_thousandths:
        unfit = list(_not_in_whole_units(amounts))
        yield from unfit
        if unfit:
            return
    if not in_thousandths:
        amounts = {field: Quantity.of(amount.rounded_up()) for field, amount in amounts.items()}
    yield from _off_the_steps(amounts)


def _check_bounds(default: Quantity, least: Quantity, most: Quantity | None, capacity: Quantity) -> Iterator[Violation]:
    if least > capacity:
        yield _invalid("min", f"{least} is more than the capacity of {capacity}")
    if default < least:
        yield _invalid("default", f"the default {default} is less than the least amount of {least}")
    if most is None:
        return
    if least > most:
        yield _invalid("max", f"the most, {most}, is less than the least, {least}")
    if most > capacity:
        yield _invalid("max", f"{most} is more than the capacity of {capacity}")
    if default > most:
        yield _invalid("default", f"the default {default} is more than the most, {most}")


def _not_in_thousandths(amounts: dict[str, Quantity]) -> Iterator[Violation]:
    for field, amount in amounts.items():
        if not amount.is_milli or not -INT64_MAX - 1 <= amount.nano // MILLI <= INT64_MAX:
            message = f"{amount} is no whole number of thousandths that can be counted"
            yield _invalid(field, message, "use whole numbers, or at most three decimals")


def _not_in_whole_units(amounts: dict[str, Quantity]) -> Iterator[Violation]:
    for field, amount in amounts.items():
        if not 0 <= amount.nano <= INT64_MAX * NANO:
            yield _invalid(field, f"{amount} is out of range: with a step from 0 to {INT64_MAX}")


def _off_the_steps(amounts: dict[str, Quantity]) -> Iterator[Violation]:
    least, step = amounts["min"], amounts["step"]
    for name in ("default", "max"):
        amount = amounts.get(name)
        if amount is not None and (amount.nano - least.nano) % step.nano:
            message = f"the {name} {amount} is not a whole number of steps of {step} above {least}"
            yield _invalid("step", message, f"change the {name}, or the step")
