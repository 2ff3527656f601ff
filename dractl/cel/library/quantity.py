"""Quantities (cel.md, Libraries).

Kubernetes keeps a quantity in one of two forms, a 64-bit integer with a power of ten or a decimal, and expressions can
tell them apart: `1.0`, `1000m` and `100Ti` are no integers for `isInteger`, and `asApproximateFloat` multiplies in
floating point.
"""

import re
from functools import lru_cache
from typing import Final

from dractl.api.quantity import Quantity
from dractl.cel.declarations import Overload, function, method
from dractl.cel.library.operators import INT_MAX, INT_MIN
from dractl.cel.types import BOOL, DOUBLE, INT, QUANTITY, STRING
from dractl.cel.values import Fault, Value, register_object

_NANO: Final = -9
_DECIMALS: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARIES: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_NUMBER: Final = re.compile(r"(?P<sign>[+-]?)0*(?P<whole>[0-9]*)(?:\.(?P<fraction>[0-9]*))?(?P<suffix>.*)", re.DOTALL)
_EXPONENT: Final = re.compile(r"[eE](?P<exponent>[+-]?[0-9]+)")
_LARGEST_EXPONENT: Final = 100_000
_LARGEST_BINARY: Final = INT_MAX
_FAST_DIGITS: Final = 18
_FAST_BINARY_DIGITS: Final = 15


def _ten_to(power: int) -> int:
    return int(10**power)


class Amount:
    """A quantity: `unscaled` times ten to the power of `exponent`, which is -9 at least."""

    __slots__ = ("exponent", "is_decimal", "nano", "unscaled")

    def __init__(self, unscaled: int, exponent: int, *, is_decimal: bool) -> None:
        self.unscaled: Final = unscaled
        self.exponent: Final = exponent
        self.is_decimal: Final = is_decimal
        self.nano: Final = unscaled * _ten_to(exponent - _NANO)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Amount) and self.nano == other.nano

    def __hash__(self) -> int:
        return hash(self.nano)

    @property
    def integer(self) -> int | None:
        """The amount as an int, if it is kept in a form that is one."""
        if self.is_decimal or self.exponent < 0 or self.exponent > _FAST_DIGITS:
            return None
        whole = self.unscaled * _ten_to(self.exponent)
        return whole if INT_MIN <= whole <= INT_MAX else None


class Sum(Amount):
    """What `add` and `sub` give. On the right of `==` Kubernetes v1.37 does not take it for a quantity."""

    __slots__ = ()


register_object(Amount, QUANTITY.name)
register_object(Sum, QUANTITY.name, comparable_with=Amount)


@lru_cache(maxsize=65_536)
def parse_amount(text: str) -> Amount:
    """Read a quantity; raises ValueError if it is none."""
    match = _NUMBER.fullmatch(text)
    if match is None or text[:1] == "" or not re.match(r"[+-]?[0-9.]", text):
        raise ValueError(f"{text!r} is not a quantity")
    whole, fraction = match["whole"] or "0", match["fraction"] or ""
    two, ten, is_binary = _suffix(match["suffix"])
    unscaled = int(whole + fraction)
    if match["sign"] == "-":
        unscaled = -unscaled
    if is_binary:
        is_fast = not fraction and _FAST_BINARY_DIGITS - len(whole) - two * 3 // 10 - 1 >= 0
    else:
        is_fast = len(whole) + len(fraction) <= _FAST_DIGITS and ten - len(fraction) >= _NANO
    exponent = ten - len(fraction)
    if is_fast:
        return Amount(unscaled << two, exponent, is_decimal=False)
    return Amount(_in_nano(unscaled << two, exponent, is_capped=is_binary), _NANO, is_decimal=True)


def _suffix(suffix: str) -> tuple[int, int, bool]:
    """Powers of two and of ten, and whether the first is meant."""
    if suffix in _BINARIES:
        return _BINARIES[suffix], 0, True
    if suffix in _DECIMALS:
        return 0, _DECIMALS[suffix], False
    match = _EXPONENT.fullmatch(suffix)
    if match is None or abs(int(match["exponent"])) > _LARGEST_EXPONENT:
        raise ValueError(f"unable to parse quantity's suffix {suffix!r}")
    return 0, int(match["exponent"]), False


def _in_nano(unscaled: int, exponent: int, *, is_capped: bool) -> int:
    """The amount in thousand-millionths; finer ones are rounded up, away from zero."""
    size = abs(unscaled)
    power = exponent - _NANO
    size = size * _ten_to(power) if power >= 0 else -(-size // _ten_to(-power))
    if is_capped:
        size = min(size, _LARGEST_BINARY * _ten_to(-_NANO))
    return size if unscaled >= 0 else -size


def amount_of(quantity: Quantity) -> Amount:
    """A quantity of the API as expressions see it: read from its canonical text."""
    return parse_amount(str(quantity))


def _quantity(text: str) -> Value:
    try:
        return parse_amount(text)
    except ValueError as wrong:
        return Fault(str(wrong))


def _is_quantity(text: str) -> bool:
    return isinstance(_quantity(text), Amount)


def _as_integer(amount: Amount) -> Value:
    whole = amount.integer
    return Fault("cannot convert value to integer") if whole is None else whole


def _as_float(amount: Amount) -> float:
    if amount.exponent == 0:
        return float(amount.unscaled)
    try:
        return float(amount.unscaled) * float(f"1e{amount.exponent}")
    except OverflowError:
        return float("inf") if amount.unscaled > 0 else float("-inf")


def _plus(left: Amount, right: Amount) -> Amount:
    if left.is_decimal or right.is_decimal:
        return _exact_sum(left, right, is_decimal=True)
    if right.unscaled == 0 or left.unscaled == 0:
        kept = left if right.unscaled == 0 else right
        return Sum(kept.unscaled, kept.exponent, is_decimal=False)
    exponent = min(left.exponent, right.exponent)
    parts = [one.unscaled * _ten_to(one.exponent - exponent) for one in (left, right)]
    fits = all(INT_MIN <= part <= INT_MAX for part in (*parts, sum(parts)))
    return Sum(sum(parts), exponent, is_decimal=False) if fits else _exact_sum(left, right, is_decimal=True)


def _exact_sum(left: Amount, right: Amount, *, is_decimal: bool) -> Amount:
    exponent = min(left.exponent, right.exponent)
    parts = [one.unscaled * _ten_to(one.exponent - exponent) for one in (left, right)]
    return Sum(sum(parts), exponent, is_decimal=is_decimal)


def _minus(left: Amount, right: Amount) -> Amount:
    # The smallest 64-bit integer is its own negative.
    unscaled = right.unscaled if right.unscaled == INT_MIN and not right.is_decimal else -right.unscaled
    return _plus(left, Amount(unscaled, right.exponent, is_decimal=right.is_decimal))


def _whole(number: int) -> Amount:
    return Amount(number, 0, is_decimal=False)


def _order(left: Amount, right: Amount) -> int:
    return (left.nano > right.nano) - (left.nano < right.nano)


OVERLOADS: Final[list[Overload]] = [
    function("quantity", (STRING,), QUANTITY, _quantity),
    function("isQuantity", (STRING,), BOOL, _is_quantity),
    function("sign", (QUANTITY,), INT, lambda amount: (amount.unscaled > 0) - (amount.unscaled < 0)),
    method("isInteger", (QUANTITY,), BOOL, lambda amount: amount.integer is not None),
    method("asInteger", (QUANTITY,), INT, _as_integer),
    method("asApproximateFloat", (QUANTITY,), DOUBLE, _as_float),
    method("add", (QUANTITY, QUANTITY), QUANTITY, _plus),
    method("add", (QUANTITY, INT), QUANTITY, lambda left, right: _plus(left, _whole(right))),
    method("sub", (QUANTITY, QUANTITY), QUANTITY, _minus),
    method("sub", (QUANTITY, INT), QUANTITY, lambda left, right: _minus(left, _whole(right))),
    method("isLessThan", (QUANTITY, QUANTITY), BOOL, lambda left, right: left.nano < right.nano),
    method("isGreaterThan", (QUANTITY, QUANTITY), BOOL, lambda left, right: left.nano > right.nano),
    method("compareTo", (QUANTITY, QUANTITY), INT, _order),
]
