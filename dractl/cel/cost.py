"""What calls cost at run time (cel.md, Costs, Run time)."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from dractl.cel.declarations import Overload
from dractl.cel.types import BYTES, STRING, Kind
from dractl.cel.values import STRICT_KINDS, Fault, Value, size_of, traversal

PriceRule: TypeAlias = Callable[[Sequence[Value], Value], int]
"""From the operands, a failed one being a `Fault`, and the result."""

Price: TypeAlias = int | PriceRule

BUILT_LIST: Final = 10
"""What a list costs that is built while evaluating."""
BUILT_MAP: Final = 30


def tenth(size: int) -> int:
    """⌈0.1·size⌉ with binary floating point."""
    return _rounded_up(size * 0.1)


def _fifth(size: int) -> int:
    return _rounded_up(size * 0.2)


def _rounded_up(number: float) -> int:
    whole = int(number)
    return whole if whole == number else whole + 1


def pattern_price(size: int, pattern: int) -> int:
    """Matching a text of `size` against a pattern."""
    return tenth(1 + size) * _rounded_up(pattern * 0.25)


def equality_price(left: Value, right: Value) -> int:
    """`==` and `!=`"""
    if left.__class__ in STRICT_KINDS:
        return 1
    return tenth(min(size_of(left), size_of(right)))


def _equality(operands: Sequence[Value], _: Value) -> int:
    return equality_price(operands[0], operands[1])


def _shorter(operands: Sequence[Value], _: Value) -> int:
    return tenth(min(size_of(operands[0]), size_of(operands[1])))


def _both(operands: Sequence[Value], _: Value) -> int:
    return tenth(size_of(operands[0]) + size_of(operands[1]))


def _first_tenth(operands: Sequence[Value], _: Value) -> int:
    return tenth(size_of(operands[0]))


def _second_tenth(operands: Sequence[Value], _: Value) -> int:
    return tenth(size_of(operands[1]))


def _first_fifth(operands: Sequence[Value], _: Value) -> int:
    return _fifth(size_of(operands[0]))


def _contains(operands: Sequence[Value], _: Value) -> int:
    return tenth(size_of(operands[0])) * tenth(size_of(operands[1]))


def _pattern(operands: Sequence[Value], _: Value) -> int:
    return pattern_price(size_of(operands[0]), size_of(operands[1]))


def _result_fifth(_: Sequence[Value], result: Value) -> int:
    return _fifth(size_of(result))


def _traversal(operands: Sequence[Value], _: Value) -> int:
    return traversal(operands[0])


def _result_list(_: Sequence[Value], result: Value) -> int:
    return 11 + size_of(result)


def _flatten(operands: Sequence[Value], _: Value) -> int:
    depth = operands[1] if len(operands) > 1 and operands[1].__class__ is int else 1
    return 11 + size_of(operands[0]) * (depth if depth >= 0 else 1)


def _sorting(operands: Sequence[Value], _: Value) -> int:
    """The keys decide: `sortBy` hands them over second."""
    keys = operands[-1]
    size = size_of(keys)
    is_text = keys.__class__ is tuple and size > 0 and keys[0].__class__ in (str, bytes)
    return 11 + int((2.1 if is_text else 2.0) * size * size)


def _distinct(operands: Sequence[Value], result: Value) -> int:
    return _sorting(operands[:1], result)


def _sets(operands: Sequence[Value], _: Value) -> int:
    return 1 + size_of(operands[0]) * size_of(operands[1])


def _equivalent(operands: Sequence[Value], _: Value) -> int:
    return 1 + 2 * size_of(operands[0]) * size_of(operands[1])


def _in_list(operands: Sequence[Value], _: Value) -> int:
    return size_of(operands[1])


def _validate(operands: Sequence[Value], _: Value) -> int:
    if operands[0].__class__ is Fault:
        return 1
    # A format has the size of the pattern it stands for.
    return pattern_price(size_of(operands[1]), size_of(operands[0]))


def _contains_ip(operands: Sequence[Value], _: Value) -> int:
    return _fifth(size_of(operands[0]))


def _contains_cidr(operands: Sequence[Value], _: Value) -> int:
    size = size_of(operands[0])
    return _fifth(size) + tenth(size) + 1


def _with_text(base: PriceRule) -> PriceRule:
    """Networks and addresses that are given as text have to be read."""

    def rule(operands: Sequence[Value], result: Value) -> int:
        return base(operands, result) + tenth(size_of(operands[1]))

    return rule


_BY_NAME: Final[dict[str, PriceRule]] = {
    "_==_": _equality,
    "_!=_": _equality,
    **dict.fromkeys(
        [
            *("lowerAscii", "upperAscii", "substring", "trim", "url", "quantity", "isQuantity", "semver", "isSemver"),
            *("ip", "isIP", "cidr", "isCIDR"),
        ],
        _first_tenth,
    ),
    **dict.fromkeys(["replace", "split", "ip.isCanonical"], _first_fifth),
    "join": _result_fifth,
    **dict.fromkeys(["indexOf", "lastIndexOf", "includes", "isSorted", "sum", "min", "max"], _traversal),
    **dict.fromkeys(["slice", "reverse", "lists.range"], _result_list),
    "flatten": _flatten,
    "distinct": _distinct,
    "sets.contains": _sets,
    "sets.intersects": _sets,
    "sets.equivalent": _equivalent,
    "validate": _validate,
    "containsIP": _contains_ip,
    "containsCIDR": _contains_cidr,
}
"""Rules that go by the function's name, whatever the operands are."""

_BY_OVERLOAD: Final[dict[str, PriceRule]] = {
    "startsWith": _second_tenth,
    "endsWith": _second_tenth,
    "contains": _contains,
    **dict.fromkeys(["matches", "find", "findAll"], _pattern),
    **dict.fromkeys(["strings.quote", "format"], _first_tenth),
    **dict.fromkeys(["sort", "@sortByAssociatedKeys"], _sorting),
}
"""Rules that hold if one overload only fits the static types, whichever it is."""


def price_of(function: str, overloads: Sequence[Overload]) -> Price:
    """What a call costs. Where several overloads fit the static types, rules that go by type give way to 1."""
    by_name = _BY_NAME.get(function)
    if by_name is not None and not (function == "ip" and overloads[0].is_method):
        has_text = function in ("containsIP", "containsCIDR") and len(overloads) == 1
        return _with_text(by_name) if has_text and overloads[0].parameters[1] == STRING else by_name
    if len(overloads) != 1:
        return 1
    by_overload = _BY_OVERLOAD.get(function)
    return by_overload or _by_type(function, overloads[0])


def _by_type(function: str, overload: Overload) -> Price:
    first = overload.parameters[0] if overload.parameters else None
    is_text = first in (STRING, BYTES)
    if function in ("_<_", "_<=_", "_>_", "_>=_") and is_text:
        return _shorter
    if function == "_+_" and is_text:
        return _both
    if function == "@in" and overload.parameters[1].kind is Kind.LIST:
        return _in_list
    if (function == "bytes" and first == STRING) or (function == "string" and first == BYTES):
        return _first_tenth
    return 1
