"""Quantities and semantic versions (cel.md, Libraries)."""

import re
from typing import Final

from dractl.api.quantity import NANO, Quantity
from dractl.api.version import Version
from dractl.cel.declarations import Overload, function, method
from dractl.cel.library.operators import INT_MAX, INT_MIN
from dractl.cel.types import BOOL, DOUBLE, INT, QUANTITY, SEMVER, STRING
from dractl.cel.values import Fault, Value, register_object

register_object(Quantity, QUANTITY.name)
register_object(Version, SEMVER.name, is_hashable=False)

_LEADING_ZEROS: Final = re.compile(r"0+(?=\d)")


def _quantity(text: str) -> Value:
    try:
        return Quantity.parse(text)
    except ValueError as wrong:
        return Fault(str(wrong))


def _is_quantity(text: str) -> bool:
    return not isinstance(_quantity(text), Fault)


def _is_integer(amount: Quantity) -> bool:
    return amount.is_whole and INT_MIN <= amount.nano // NANO <= INT_MAX


def _as_integer(amount: Quantity) -> Value:
    return amount.nano // NANO if _is_integer(amount) else Fault("cannot convert value to integer")


def _as_float(amount: Quantity) -> float:
    return amount.nano / NANO


def _order(left: Quantity | Version, right: Quantity | Version) -> int:
    return 0 if left == right else -1 if left < right else 1  # type: ignore[operator]


def _sign(amount: Quantity) -> int:
    return (amount.nano > 0) - (amount.nano < 0)


def _plus(left: Quantity, right: int) -> Quantity:
    return left + Quantity.of(right)


def _minus(left: Quantity, right: int) -> Quantity:
    return left - Quantity.of(right)


def _normalised(text: str) -> str:
    """`v1.2` to `1.2.0`: a `v` in front goes, leading zeros go, missing numbers are zero."""
    parts = text.removeprefix("v").split(".", 2)
    for number, part in enumerate(parts):
        parts[number] = _LEADING_ZEROS.sub("", part, count=1) if part[:1] == "0" else part
    if len(parts) < 3 and not any(mark in parts[-1] for mark in "+-"):
        parts += ["0"] * (3 - len(parts))
    return ".".join(parts)


def _semver(text: str, normalise: bool = False) -> Value:  # noqa: FBT001, FBT002
    try:
        return Version.parse(_normalised(text) if normalise else text)
    except ValueError as wrong:
        return Fault(str(wrong))


def _is_semver(text: str, normalise: bool = False) -> bool:  # noqa: FBT001, FBT002
    return not isinstance(_semver(text, normalise), Fault)


def _number(number: int) -> Value:
    return number if number <= INT_MAX else number - 2**64


OVERLOADS: Final[list[Overload]] = [
    function("quantity", (STRING,), QUANTITY, _quantity),
    function("isQuantity", (STRING,), BOOL, _is_quantity),
    function("sign", (QUANTITY,), INT, _sign),
    method("isInteger", (QUANTITY,), BOOL, _is_integer),
    method("asInteger", (QUANTITY,), INT, _as_integer),
    method("asApproximateFloat", (QUANTITY,), DOUBLE, _as_float),
    method("add", (QUANTITY, QUANTITY), QUANTITY, Quantity.__add__),
    method("add", (QUANTITY, INT), QUANTITY, _plus),
    method("sub", (QUANTITY, QUANTITY), QUANTITY, Quantity.__sub__),
    method("sub", (QUANTITY, INT), QUANTITY, _minus),
    function("semver", (STRING,), SEMVER, _semver),
    function("semver", (STRING, BOOL), SEMVER, _semver),
    function("isSemver", (STRING,), BOOL, _is_semver),
    function("isSemver", (STRING, BOOL), BOOL, _is_semver),
    method("major", (SEMVER,), INT, lambda version: _number(version.major)),
    method("minor", (SEMVER,), INT, lambda version: _number(version.minor)),
    method("patch", (SEMVER,), INT, lambda version: _number(version.patch)),
    *[
        overload
        for kind in (QUANTITY, SEMVER)
        for overload in (
            method("isLessThan", (kind, kind), BOOL, lambda left, right: left < right),
            method("isGreaterThan", (kind, kind), BOOL, lambda left, right: left > right),
            method("compareTo", (kind, kind), INT, _order),
        )
    ],
]
