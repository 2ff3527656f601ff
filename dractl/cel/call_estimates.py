"""What single calls may cost at worst, and how large their results may be (cel.md, Costs, Estimate)."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from dractl.cel.declarations import Overload
from dractl.cel.sizes import UNBOUNDED, UNKNOWN, Span, bounded, exactly, scaled
from dractl.cel.types import BYTES, CIDR, FORMAT, IP, QUANTITY, SEMVER, STRING, URL, Kind, Type
from dractl.cel.values import Value


class Operand(Struct, frozen=True):
    """What is known of an operand; `literal` is its value if it is one, `values` the size of what a map holds."""

    type: Type
    size: Span
    literal: Value = None
    values: Span = UNKNOWN


class CallEstimate(Struct, frozen=True):
    """The upper bound of a call's price, without its operands, and the size of its result if that can be told."""

    cost: int
    size: Span | None = None


_Rule: TypeAlias = Callable[[Sequence[Operand], Overload], CallEstimate]

_TEXTS: Final = (STRING, BYTES)


def call_estimate(function: str, overload: Overload, operands: Sequence[Operand]) -> CallEstimate:
    """The estimate for one of the overloads that fit a call."""
    rule = _RULES.get(function)
    if rule is None or (function == "ip" and overload.is_method):
        return CallEstimate(1)
    return rule(operands, overload)


def _share(factor: float, operand: int = 0, *, keeps_size: bool = False) -> _Rule:
    """A share of an operand's size."""

    def rule(operands: Sequence[Operand], _: Overload) -> CallEstimate:
        size = operands[operand].size
        return CallEstimate(scaled(size.most, factor), size if keeps_size else None)

    return rule


def _equality(operands: Sequence[Operand], overload: Overload) -> CallEstimate:
    left, right = operands
    if left.type == right.type and overload.function == "_==_":
        if left.type in (QUANTITY, SEMVER, IP, CIDR):
            return CallEstimate(1)
        if left.type == FORMAT:
            return CallEstimate(scaled(64, 0.1))
        if left.type == URL:
            return CallEstimate(scaled(1 if right.size == UNKNOWN else right.size.most, 0.1))
    return CallEstimate(_shorter(operands))


def _shorter(operands: Sequence[Operand]) -> int:
    return scaled(min(operands[0].size.most, operands[1].size.most), 0.1)


def _ordering(operands: Sequence[Operand], overload: Overload) -> CallEstimate:
    return CallEstimate(_shorter(operands) if overload.parameters[0] in _TEXTS else 1)


def _addition(operands: Sequence[Operand], overload: Overload) -> CallEstimate:
    size = operands[0].size + operands[1].size
    if overload.parameters[0] in _TEXTS:
        return CallEstimate(scaled(size.most, 0.1), size)
    return CallEstimate(1, size if overload.result.kind is Kind.LIST else None)


def _membership(operands: Sequence[Operand], overload: Overload) -> CallEstimate:
    return CallEstimate(scaled(operands[1].size.most, 1) if overload.parameters[1].kind is Kind.LIST else 1)


def _contains(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    return CallEstimate(bounded(scaled(operands[0].size.most, 0.1) * scaled(operands[1].size.most, 0.1)))


def _pattern_cost(operands: Sequence[Operand]) -> int:
    text = bounded(operands[0].size.most + 1)
    return bounded(scaled(text, 0.1) * scaled(operands[1].size.most, 0.25))


def _matches(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    return CallEstimate(_pattern_cost(operands))


def _find(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    return CallEstimate(_pattern_cost(operands), Span(0, operands[0].size.most))


def _quote(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    size = operands[0].size
    return CallEstimate(scaled(size.most, 0.1), Span(size.least + 2, 2 * size.most + 2).wrapped())


def _to_bytes(operands: Sequence[Operand], overload: Overload) -> CallEstimate:
    if overload.parameters[0] != STRING:
        return CallEstimate(1)
    size = operands[0].size
    return CallEstimate(scaled(size.most, 0.1), Span(size.least, 4 * size.most).wrapped())


def _to_string(operands: Sequence[Operand], overload: Overload) -> CallEstimate:
    if overload.parameters[0] != BYTES:
        return CallEstimate(1)
    size = operands[0].size
    return CallEstimate(scaled(size.most, 0.1), Span(size.least // 4, size.most))


def _replace(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    text, old, new = (operand.size for operand in operands[:3])
    if old.least == 0:
        count, kept = bounded(text.most + 1), text.most
    elif new.most <= old.least:
        count, kept = 0, text.most
    else:
        count, kept = _quotient(text.most, old.least), 0
    most = bounded(bounded(count * new.most) + kept)
    if old.most == 0:
        count, kept = bounded(text.least + 1), text.least
    elif old.most <= new.least:
        count, kept = 0, text.least
    else:
        count, kept = _quotient(text.least, old.most), 0
    least = bounded(bounded(count * new.least) + kept)
    return CallEstimate(scaled(text.most, 0.2), Span(least, most))


def _quotient(number: int, divisor: int) -> int:
    return -(-number // divisor)


def _split(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    text = operands[0].size
    limit = operands[2].literal if len(operands) > 2 else None
    most = limit % 2**64 if limit.__class__ is int else text.most
    return CallEstimate(scaled(text.most, 0.2), Span(0, most))


def _join(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    texts = operands[0]
    element = exactly(0) if texts.type.is_wild else UNKNOWN
    size = texts.size * element
    if len(operands) > 1:
        gaps = Span(max(texts.size.least - 1, 0), max(texts.size.most - 1, 0))
        size += operands[1].size * gaps
    return CallEstimate(scaled(size.most, 0.1), size)


def _traversal(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    whole = operands[0]
    if whole.type.kind is not Kind.LIST:
        return CallEstimate(scaled(whole.size.most, 0.1))
    return CallEstimate(_per_element(whole))


def _includes(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    whole = operands[0]
    return CallEstimate(_per_element(whole) if whole.type.kind in (Kind.LIST, Kind.MAP) else whole.size.most)


def _per_element(whole: Operand) -> int:
    """What visiting a list costs, whose texts are of unknown size; of a map the values count if the keys are texts."""
    is_text = whole.type.parameters[0] in _TEXTS
    size = whole.values if whole.type.kind is Kind.MAP else UNKNOWN
    return bounded(whole.size.most * (1 + (scaled(size.most, 0.1) if is_text else 0)))


def _slice(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    elements, start, end = operands
    first = max(start.literal, 0) if start.literal.__class__ is int else 0
    last = max(end.literal, 0) if end.literal.__class__ is int else elements.size.most
    size = exactly((last - first) % 2**64)
    return CallEstimate(_building(size), size)


def _range(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    count = operands[0].literal
    size = exactly(max(count, 0)) if count.__class__ is int else UNKNOWN
    return CallEstimate(_building(size), size)


def _building(size: Span) -> int:
    """A new list of that size."""
    return bounded(11 + scaled(size.most, 1))


def _reverse(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    size = operands[0].size
    return CallEstimate(_building(size), size)


def _flatten(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    size = operands[0].size
    depth = operands[1].literal if len(operands) > 1 else 1
    times = UNBOUNDED
    if depth.__class__ is int:
        times = max(depth, 0)
    return CallEstimate(bounded(11 + scaled(size.most, times)), size)


def _sorting(operands: Sequence[Operand], overload: Overload) -> CallEstimate:
    size = operands[0].size
    squared = size * size
    of_texts = overload.parameters[-1].parameters[0] in _TEXTS
    return CallEstimate(bounded(11 + scaled(squared.most, 2.1 if of_texts else 2)), squared)


def _sets(factor: int) -> _Rule:
    def rule(operands: Sequence[Operand], _: Overload) -> CallEstimate:
        return CallEstimate(bounded(1 + scaled((operands[0].size * operands[1].size).most, factor)))

    return rule


def _contains_network(most: int) -> _Rule:
    def rule(operands: Sequence[Operand], overload: Overload) -> CallEstimate:
        text = scaled(operands[1].size.most, 0.1) if overload.parameters[1] == STRING else 0
        return CallEstimate(bounded(most + text))

    return rule


def _validate(operands: Sequence[Operand], _: Overload) -> CallEstimate:
    return CallEstimate(bounded(scaled(operands[1].size.most, 0.1) * 32))


_RULES: Final[dict[str, _Rule]] = {
    **dict.fromkeys(["_==_", "_!=_"], _equality),
    **dict.fromkeys(["_<_", "_<=_", "_>_", "_>=_"], _ordering),
    "_+_": _addition,
    "@in": _membership,
    **dict.fromkeys(["startsWith", "endsWith"], _share(0.1, 1)),
    "contains": _contains,
    "matches": _matches,
    **dict.fromkeys(["find", "findAll"], _find),
    "strings.quote": _quote,
    "format": _share(0.1),
    "bytes": _to_bytes,
    "string": _to_string,
    **dict.fromkeys(["lowerAscii", "upperAscii", "substring", "trim", "url"], _share(0.1, keeps_size=True)),
    "replace": _replace,
    "split": _split,
    "join": _join,
    **dict.fromkeys(
        ["quantity", "isQuantity", "semver", "isSemver", "ip", "isIP", "cidr", "isCIDR"],
        _share(0.1),
    ),
    "ip.isCanonical": _share(0.2),
    **dict.fromkeys(["indexOf", "lastIndexOf", "isSorted", "sum", "min", "max"], _traversal),
    "includes": _includes,
    "slice": _slice,
    "lists.range": _range,
    "reverse": _reverse,
    "flatten": _flatten,
    **dict.fromkeys(["distinct", "sort", "@sortByAssociatedKeys"], _sorting),
    **dict.fromkeys(["sets.contains", "sets.intersects"], _sets(1)),
    "sets.equivalent": _sets(2),
    "containsIP": _contains_network(4),
    "containsCIDR": _contains_network(7),
    "validate": _validate,
}
