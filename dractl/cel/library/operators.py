"""Arithmetic, comparison, membership and size (cel.md, Types)."""

import math
from collections.abc import Callable, Iterable
from typing import Final

from dractl.cel.declarations import Overload
from dractl.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    A,
    B,
    Type,
    list_of,
    map_of,
)
from dractl.cel.values import NO_OVERLOAD, Duration, Fault, MapValue, Timestamp, UInt, Value, equal

INT_MIN: Final = -(2**63)
INT_MAX: Final = 2**63 - 1
UINT_MAX: Final = 2**64 - 1

_INT_OVERFLOW: Final = Fault("integer overflow")
_UINT_OVERFLOW: Final = Fault("unsigned integer overflow")
_DURATION_OVERFLOW: Final = Fault("duration overflow")
_TIMESTAMP_OVERFLOW: Final = Fault("timestamp overflow")
_DIVISION: Final = Fault("division by zero")
_MODULUS: Final = Fault("modulus by zero")
_NOT_ORDERED: Final = Fault("NaN values cannot be ordered")

NANOS: Final = 10**9
TIMESTAMP_MIN: Final = -62_135_596_800 * NANOS
"""The first moment of year 1."""
TIMESTAMP_MAX: Final = 253_402_300_799 * NANOS + NANOS - 1
"""The last moment of year 9999."""


def as_int(whole: int) -> Value:
    """An int, unless it does not fit."""
    return whole if INT_MIN <= whole <= INT_MAX else _INT_OVERFLOW


def as_uint(whole: int) -> Value:
    """A uint, unless it does not fit."""
    return UInt(whole) if 0 <= whole <= UINT_MAX else _UINT_OVERFLOW


def as_duration(nanoseconds: int) -> Value:
    """A duration, unless it does not fit into 64 bits."""
    return Duration(nanoseconds) if INT_MIN <= nanoseconds <= INT_MAX else _DURATION_OVERFLOW


def as_timestamp(nanoseconds: int, offset: int = 0) -> Value:
    """A timestamp, unless it is outside the years 1 to 9999."""
    return Timestamp(nanoseconds, offset) if TIMESTAMP_MIN <= nanoseconds <= TIMESTAMP_MAX else _TIMESTAMP_OVERFLOW


def add(left: Value, right: Value) -> Value:
    """`left + right`"""
    kind = left.__class__
    if kind is right.__class__:
        if kind is int:
            return as_int(left + right)
        if kind in (str, float, bytes, tuple):
            return left + right
        if kind is UInt:
            return as_uint(int(left) + int(right))
        if kind is Duration:
            return as_duration(left.nanoseconds + right.nanoseconds)
    elif {kind, right.__class__} == {Timestamp, Duration}:
        moment = left if kind is Timestamp else right
        return as_timestamp(left.nanoseconds + right.nanoseconds, moment.offset)
    return NO_OVERLOAD


def subtract(left: Value, right: Value) -> Value:
    """`left - right`"""
    kind = left.__class__
    if kind is right.__class__:
        if kind is int:
            return as_int(left - right)
        if kind is float:
            return left - right
        if kind is UInt:
            return as_uint(int(left) - int(right))
        if kind is Duration or kind is Timestamp:
            return as_duration(left.nanoseconds - right.nanoseconds)
    elif kind is Timestamp and right.__class__ is Duration:
        return as_timestamp(left.nanoseconds - right.nanoseconds, left.offset)
    return NO_OVERLOAD


def multiply(left: Value, right: Value) -> Value:
    """`left * right`"""
    kind = left.__class__
    if kind is not right.__class__:
        return NO_OVERLOAD
    if kind is int:
        return as_int(left * right)
    if kind is float:
        return left * right
    return as_uint(int(left) * int(right)) if kind is UInt else NO_OVERLOAD


def divide(left: Value, right: Value) -> Value:
    """`left / right`: whole numbers are cut towards zero."""
    kind = left.__class__
    if kind is not right.__class__ or kind not in (int, UInt, float):
        return NO_OVERLOAD
    if kind is float:
        return _double_quotient(left, right)
    if right == 0:
        return _DIVISION
    quotient = abs(left) // abs(right)
    if kind is UInt:
        return UInt(quotient)
    return as_int(quotient if (left < 0) == (right < 0) else -quotient)


def _double_quotient(left: float, right: float) -> float:
    if right:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def modulo(left: Value, right: Value) -> Value:
    """`left % right`: the sign is that of the left side."""
    kind = left.__class__
    if kind is not right.__class__ or kind not in (int, UInt):
        return NO_OVERLOAD
    if right == 0:
        return _MODULUS
    if kind is UInt:
        return UInt(left % right)
    if left == INT_MIN and right == -1:
        return _INT_OVERFLOW
    rest = abs(left) % abs(right)
    return rest if left >= 0 else -rest


def negate(operand: Value) -> Value:
    """`-operand`"""
    kind = operand.__class__
    if kind is int:
        return as_int(-operand)
    if kind is float:
        return -operand
    return as_duration(-operand.nanoseconds) if kind is Duration else NO_OVERLOAD


def invert(operand: Value) -> Value:
    """`!operand`"""
    return not operand if operand.__class__ is bool else NO_OVERLOAD


def equals(left: Value, right: Value) -> Value:
    """`left == right`"""
    return equal(left, right)


def differs(left: Value, right: Value) -> bool:
    """`left != right`: true where the comparison fails."""
    return equal(left, right) is not True


_NUMBERS: Final = (int, UInt, float)


def compare(left: Value, right: Value) -> int | Fault:
    """-1, 0 or 1 for two values that are ordered."""
    kind, other = left.__class__, right.__class__
    if kind in _NUMBERS and other in _NUMBERS:
        if kind is float or other is float:
            left, right = float(left), float(right)
            if math.isnan(left) or math.isnan(right):
                return _NOT_ORDERED
    elif kind is not other:
        return NO_OVERLOAD
    elif kind is Duration or kind is Timestamp:
        left, right = left.nanoseconds, right.nanoseconds
    elif kind not in (str, bytes, bool):
        return NO_OVERLOAD
    return int(left > right) - int(left < right)


def _ordering(holds: Callable[[int], bool]) -> Callable[[Value, Value], Value]:
    def ordered(left: Value, right: Value) -> Value:
        order = compare(left, right)
        return order if isinstance(order, Fault) else holds(order)

    return ordered


less: Final = _ordering(lambda order: order < 0)
less_or_equal: Final = _ordering(lambda order: order <= 0)
greater: Final = _ordering(lambda order: order > 0)
greater_or_equal: Final = _ordering(lambda order: order >= 0)


def is_in(wanted: Value, container: Value) -> Value:
    """`wanted in container`; comparisons that fail count as different."""
    if container.__class__ is tuple:
        return any(equal(wanted, element) is True for element in container)
    return container.contains(wanted) if isinstance(container, MapValue) else NO_OVERLOAD


def size(measured: Value) -> Value:
    """`size(measured)`: code points, bytes, elements or entries."""
    if measured.__class__ in (str, bytes, tuple) or isinstance(measured, MapValue):
        return len(measured)
    return NO_OVERLOAD


def _compiled_with_its_loop(*_: Value) -> Value:
    raise AssertionError("insertion is part of the loop that it occurs in")


def _operator(
    name: str, signatures: Iterable[tuple[Type, ...]], implementation: Callable[..., Value]
) -> list[Overload]:
    return [Overload(name, one[:-1], one[-1], implementation, is_total=True) for one in signatures]


def _same(*kinds: Type) -> list[tuple[Type, Type, Type]]:
    return [(kind, kind, kind) for kind in kinds]


_ORDERED: Final = [
    (BOOL, BOOL, BOOL),
    *[(left, right, BOOL) for left in (INT, UINT, DOUBLE) for right in (INT, UINT, DOUBLE)],
    *[(kind, kind, BOOL) for kind in (STRING, BYTES, TIMESTAMP, DURATION)],
]
_MAP: Final = map_of(A, B)
_SIZED: Final = (STRING, BYTES, list_of(A), _MAP)

OVERLOADS: Final = [
    *_operator("!_", [(BOOL, BOOL)], invert),
    *_operator("@not_strictly_false", [(BOOL, BOOL)], lambda operand: operand is not False),
    *_operator("-_", [(DOUBLE, DOUBLE), (INT, INT)], negate),
    *_operator(
        "_+_",
        [
            *_same(BYTES, DOUBLE, DURATION),
            (DURATION, TIMESTAMP, TIMESTAMP),
            (TIMESTAMP, DURATION, TIMESTAMP),
            *_same(INT, list_of(A), STRING, UINT),
        ],
        add,
    ),
    *_operator(
        "_-_",
        [
            *_same(DOUBLE, DURATION, INT),
            (TIMESTAMP, DURATION, TIMESTAMP),
            (TIMESTAMP, TIMESTAMP, DURATION),
            *_same(UINT),
        ],
        subtract,
    ),
    *_operator("_*_", _same(DOUBLE, INT, UINT), multiply),
    *_operator("_/_", _same(DOUBLE, INT, UINT), divide),
    *_operator("_%_", _same(INT, UINT), modulo),
    *_operator("_==_", [(A, A, BOOL)], equals),
    *_operator("_!=_", [(A, A, BOOL)], differs),
    *_operator("_<_", _ORDERED, less),
    *_operator("_<=_", _ORDERED, less_or_equal),
    *_operator("_>_", _ORDERED, greater),
    *_operator("_>=_", _ORDERED, greater_or_equal),
    *_operator("@in", [(A, list_of(A), BOOL), (A, _MAP, BOOL)], is_in),
    *_operator("cel.@mapInsert", [(_MAP, A, B, _MAP), (_MAP, _MAP, _MAP)], _compiled_with_its_loop),
    *_operator("size", [(kind, INT) for kind in _SIZED], size),
    *[Overload("size", (kind,), INT, size, is_method=True, is_total=True) for kind in _SIZED],
]

OPERATORS: Final = frozenset(
    overload.function for overload in OVERLOADS if overload.function.startswith(("_", "!", "-", "@"))
)
