"""Conversions between types: `int("3")`, `string(1.5)`, `type(x)` (cel.md, Types)."""

import math
import re
from collections.abc import Callable
from typing import Final

from dractl.cel.declarations import Overload
from dractl.cel.library.operators import INT_MAX, INT_MIN, NANOS, UINT_MAX, as_int, as_timestamp
from dractl.cel.library.times import duration_text, parse_duration, parse_timestamp, timestamp_text
from dractl.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    A,
    Type,
    type_of,
)
from dractl.cel.values import Duration, Fault, Timestamp, TypeValue, UInt, Value, type_name

_INT_OVERFLOW: Final = Fault("integer overflow")
_UINT_OVERFLOW: Final = Fault("unsigned integer overflow")
_DECIMAL: Final = re.compile(r"[+-]?[0-9]+")
_UNSIGNED: Final = re.compile(r"[0-9]+")
_FLOAT: Final = re.compile(
    r"[+-]?(?:[0-9](?:_?[0-9])*\.?(?:[0-9](?:_?[0-9])*)?|\.[0-9](?:_?[0-9])*)(?:[eE][+-]?[0-9]+)?"
)
_HEX_FLOAT: Final = re.compile(r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+")
_SPECIAL_FLOAT: Final = re.compile(r"[+-]?(?:inf|infinity)|nan", re.IGNORECASE)
_TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE: Final = frozenset({"0", "f", "F", "false", "FALSE", "False"})


def _failed(source: str, target: str) -> Fault:
    return Fault(f"type conversion error from '{source}' to '{target}'")


def _same(value: Value) -> Value:
    return value


def _bool_of_string(text: str) -> Value:
    return True if text in _TRUE else False if text in _FALSE else _failed("string", "bool")


def _int_of_string(text: str) -> Value:
    if not _DECIMAL.fullmatch(text) or not INT_MIN <= int(text) <= INT_MAX:
        return _failed("string", "int")
    return int(text)


def _uint_of_string(text: str) -> Value:
    if not _UNSIGNED.fullmatch(text) or int(text) > UINT_MAX:
        return _failed("string", "uint")
    return UInt(int(text))


def _int_of_double(number: float) -> Value:
    # The bounds themselves are refused, both of them.
    if not -(2.0**63) < number < 2.0**63:
        return _INT_OVERFLOW
    return int(number)


def _uint_of_double(number: float) -> Value:
    return UInt(int(number)) if 0 <= number < 2.0**64 else _UINT_OVERFLOW


def _uint_of_int(number: int) -> Value:
    return UInt(number) if number >= 0 else _UINT_OVERFLOW


def _int_of_timestamp(moment: Timestamp) -> int:
    return moment.nanoseconds // NANOS


def _int_of_duration(length: Duration) -> int:
    return length.nanoseconds


def _double_of_string(text: str) -> Value:
    if _FLOAT.fullmatch(text):
        number = float(text)
        return _failed("string", "double") if math.isinf(number) else number
    if _SPECIAL_FLOAT.fullmatch(text):
        return float(text)
    if _HEX_FLOAT.fullmatch(text):
        try:
            return float.fromhex(text)
        except OverflowError:
            return _failed("string", "double")
    return _failed("string", "double")


def double_text(number: float) -> str:
    """A double in its shortest form, with an exponent below 0.0001 and from a million on."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "+Inf" if number > 0 else "-Inf"
    digits, point = _digits(repr(number))
    sign = "-" if math.copysign(1.0, number) < 0 else ""
    if digits == "0":
        return f"{sign}0"
    power = point - 1
    if power < -4 or power >= 6:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{'-' if power < 0 else '+'}{abs(power):02d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if point >= len(digits):
        return sign + digits + "0" * (point - len(digits))
    return f"{sign}{digits[:point]}.{digits[point:]}"


def _digits(shortest: str) -> tuple[str, int]:
    """The significant digits of a repr, and where the point stands in them."""
    mantissa, _, exponent = shortest.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    return digits.rstrip("0") or "0", point


def _string_of_bytes(data: bytes) -> Value:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return Fault("invalid UTF-8 in bytes, cannot convert to string")


def _string_of_bool(value: bool) -> str:
    return "true" if value else "false"


def _bytes_of_string(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _type_of(value: Value) -> TypeValue:
    return TypeValue(type_name(value))


def _conversions(name: str, target: Type, rows: list[tuple[Type, Callable[[Value], Value]]]) -> list[Overload]:
    return [Overload(name, (source,), target, implementation) for source, implementation in rows]


OVERLOADS: Final = [
    *_conversions("bool", BOOL, [(BOOL, _same), (STRING, _bool_of_string)]),
    *_conversions("bytes", BYTES, [(BYTES, _same), (STRING, _bytes_of_string)]),
    *_conversions("double", DOUBLE, [(DOUBLE, _same), (INT, float), (STRING, _double_of_string), (UINT, float)]),
    *_conversions("duration", DURATION, [(DURATION, _same), (STRING, parse_duration)]),
    *_conversions("dyn", DYN, [(A, _same)]),
    *_conversions(
        "int",
        INT,
        [
            (INT, _same),
            (DOUBLE, _int_of_double),
            (DURATION, _int_of_duration),
            (STRING, _int_of_string),
            (TIMESTAMP, _int_of_timestamp),
            (UINT, lambda number: as_int(int(number))),
        ],
    ),
    *_conversions(
        "string",
        STRING,
        [
            (STRING, _same),
            (BOOL, _string_of_bool),
            (BYTES, _string_of_bytes),
            (DOUBLE, double_text),
            (DURATION, duration_text),
            (INT, str),
            (TIMESTAMP, timestamp_text),
            (UINT, lambda number: str(int(number))),
        ],
    ),
    *_conversions(
        "timestamp",
        TIMESTAMP,
        [
            (TIMESTAMP, _same),
            (INT, lambda seconds: as_timestamp(seconds * NANOS)),
            (STRING, parse_timestamp),
        ],
    ),
    *_conversions("type", type_of(A), [(A, _type_of)]),
    *_conversions(
        "uint",
        UINT,
        [(UINT, _same), (DOUBLE, _uint_of_double), (INT, _uint_of_int), (STRING, _uint_of_string)],
    ),
]
