"""Values that may be missing (cel.md, Libraries)."""

from typing import Final

from dractl.cel.declarations import Overload, function, method
from dractl.cel.library.operators import TIMESTAMP_MIN
from dractl.cel.types import BOOL, A, list_of, optional_of
from dractl.cel.values import NONE, Duration, Fault, MapValue, OptionalValue, Timestamp, Value

_NOTHING: Final = Fault("optional.none() dereference")


def is_zero(value: Value) -> bool:
    """Whether a value is the empty one of its type."""
    if value is None:
        return True
    if isinstance(value, (bool, int, float, str, bytes, tuple, MapValue)):
        return not value
    if value.__class__ is Timestamp:
        return value.nanoseconds == TIMESTAMP_MIN
    return value.__class__ is Duration and value.nanoseconds == 0


def _of_non_zero(value: Value) -> OptionalValue:
    return NONE if is_zero(value) else OptionalValue(value)


def _value(optional: OptionalValue) -> Value:
    return optional.value if optional.has_value else _NOTHING


def _unwrap(optionals: tuple[Value, ...]) -> Value:
    found: list[Value] = []
    for optional in optionals:
        if optional.__class__ is not OptionalValue:
            return Fault("no such overload")
        if optional.has_value:
            found.append(optional.value)
    return tuple(found)


def _first(elements: tuple[Value, ...]) -> OptionalValue:
    return OptionalValue(elements[0]) if elements else NONE


def _last(elements: tuple[Value, ...]) -> OptionalValue:
    return OptionalValue(elements[-1]) if elements else NONE


_OPTIONAL: Final = optional_of(A)
_OPTIONALS: Final = list_of(_OPTIONAL)


def _never(*_: Value) -> Value:
    raise AssertionError("or and orValue are compiled by themselves, because they are lazy")


OVERLOADS: Final[list[Overload]] = [
    function("optional.of", (A,), _OPTIONAL, OptionalValue),
    function("optional.ofNonZeroValue", (A,), _OPTIONAL, _of_non_zero),
    function("optional.none", (), _OPTIONAL, lambda: NONE),
    method("value", (_OPTIONAL,), A, _value),
    method("hasValue", (_OPTIONAL,), BOOL, lambda optional: optional.has_value),
    method("or", (_OPTIONAL, _OPTIONAL), _OPTIONAL, _never),
    method("orValue", (_OPTIONAL, A), A, _never),
    function("optional.unwrap", (_OPTIONALS,), list_of(A), _unwrap),
    method("unwrapOpt", (_OPTIONALS,), list_of(A), _unwrap),
    method("first", (list_of(A),), _OPTIONAL, _first),
    method("last", (list_of(A),), _OPTIONAL, _last),
]
