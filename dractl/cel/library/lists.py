"""Lists and sets (cel.md, Libraries)."""

from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise
from typing import Final

from dractl.cel.declarations import Overload, function, method
from dractl.cel.library.operators import add, compare
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
    list_of,
)
from dractl.cel.values import NO_OVERLOAD, Duration, Fault, Timestamp, UInt, Value, equal

_Elements = tuple[Value, ...]

_LONGEST_RANGE: Final = 1_000_000


def _is_sorted(elements: _Elements) -> bool:
    """Neighbours that cannot be compared count as sorted."""
    return all(compare(one, other) != 1 for one, other in pairwise(elements))


def _sum_from(zero: Value) -> Callable[[_Elements], Value]:
    def total(elements: _Elements) -> Value:
        result = zero
        for element in elements:
            result = add(result, element)
            if result.__class__ is Fault:
                break
        return result

    return total


def _extreme(name: str, wanted: int) -> Callable[[_Elements], Value]:
    """The first of the largest or smallest elements; what cannot be compared with it is passed over."""

    def extreme(elements: _Elements) -> Value:
        if not elements:
            return Fault(f"{name} called on empty list")
        result = elements[0]
        for element in elements[1:]:
            if compare(element, result) == wanted:
                result = element
        return result

    return extreme


def _index_of(elements: _Elements, wanted: Value) -> int:
    return next((number for number, element in enumerate(elements) if equal(element, wanted) is True), -1)


def _last_index_of(elements: _Elements, wanted: Value) -> int:
    found = [number for number, element in enumerate(elements) if equal(element, wanted) is True]
    return found[-1] if found else -1


def _includes(whole: Value, wanted: Value) -> bool:
    """A list is searched, anything else is compared itself."""
    if whole.__class__ is tuple:
        return any(equal(element, wanted) is True for element in whole)
    return equal(whole, wanted) is True


def _range(size: int) -> Value:
    if size < 0:
        return Fault(f"lists.range: size must be non-negative, got {size}")
    if size > _LONGEST_RANGE:
        return Fault(f"lists.range: size {size} exceeds maximum allowed ({_LONGEST_RANGE})")
    return tuple(range(size))


def _distinct(elements: _Elements) -> _Elements:
    found: list[Value] = []
    for element in elements:
        if not any(equal(known, element) is True for known in found):
            found.append(element)
    return tuple(found)


def _flatten(elements: Value, depth: Value = 1) -> Value:
    """Elements that are no lists stay, although the static type asks for lists only."""
    if elements.__class__ is not tuple or depth.__class__ is not int:
        return NO_OVERLOAD
    if depth < 0:
        return Fault("level must be non-negative")
    flat: list[Value] = []
    for element in elements:
        if element.__class__ is tuple and depth > 0:
            flat.extend(_flatten(element, depth - 1))
        else:
            flat.append(element)
    return tuple(flat)


def _slice(elements: _Elements, start: int, end: int) -> Value:
    if start < 0 or end < 0:
        return Fault(f"cannot slice({start}, {end}), negative indexes not supported")
    if start > end:
        return Fault(f"cannot slice({start}, {end}), start index must be less than or equal to end index")
    if end > len(elements):
        return Fault(f"cannot slice({start}, {end}), list is length {len(elements)}")
    return elements[start:end]


_COMPARABLE: Final = frozenset({int, UInt, float, bool, str, bytes, Duration, Timestamp})


def _sort(elements: _Elements) -> Value:
    return _sort_by(elements, elements)


def _sort_by(elements: _Elements, keys: _Elements) -> Value:
    """The elements in the order of their keys."""
    if len(elements) != len(keys):
        return NO_OVERLOAD
    if any(key.__class__ is not keys[0].__class__ or key.__class__ not in _COMPARABLE for key in keys):
        return Fault("list elements must have the same type and be comparable")

    def order(one: int, other: int) -> int:
        found = compare(keys[one], keys[other])
        return 0 if isinstance(found, Fault) else found

    return tuple(elements[position] for position in sorted(range(len(keys)), key=cmp_to_key(order)))


def _sets_contain(whole: _Elements, parts: _Elements) -> bool:
    return all(any(equal(element, part) is True for element in whole) for part in parts)


def _sets_intersect(one: _Elements, other: _Elements) -> bool:
    return any(equal(element, wanted) is True for element in one for wanted in other)


def _sets_equivalent(one: _Elements, other: _Elements) -> bool:
    return _sets_contain(one, other) and _sets_contain(other, one)


_LIST: Final = list_of(A)
_SUMMABLE: Final[tuple[tuple[Type, Value], ...]] = (
    (INT, 0),
    (UINT, UInt(0)),
    (DOUBLE, 0.0),
    (DURATION, Duration(0)),
)
_ORDERED: Final = (INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES)

OVERLOADS: Final[list[Overload]] = [
    *[method("isSorted", (list_of(kind),), BOOL, _is_sorted) for kind in _ORDERED],
    *[method("sum", (list_of(kind),), kind, _sum_from(zero)) for kind, zero in _SUMMABLE],
    *[method("max", (list_of(kind),), kind, _extreme("max", 1)) for kind in _ORDERED],
    *[method("min", (list_of(kind),), kind, _extreme("min", -1)) for kind in _ORDERED],
    method("indexOf", (_LIST, A), INT, _index_of),
    method("lastIndexOf", (_LIST, A), INT, _last_index_of),
    method("slice", (_LIST, INT, INT), _LIST, _slice),
    Overload("flatten", (list_of(_LIST),), _LIST, _flatten, is_method=True, is_total=True),
    Overload("flatten", (list_of(DYN), INT), list_of(DYN), _flatten, is_method=True, is_total=True),
    *[method("sort", (list_of(kind),), list_of(kind), _sort) for kind in _ORDERED],
    *[method("@sortByAssociatedKeys", (_LIST, list_of(kind)), _LIST, _sort_by) for kind in _ORDERED],
    function("lists.range", (INT,), list_of(INT), _range),
    method("reverse", (_LIST,), _LIST, lambda elements: elements[::-1]),
    method("distinct", (_LIST,), _LIST, _distinct),
    function("sets.contains", (_LIST, _LIST), BOOL, _sets_contain),
    function("sets.equivalent", (_LIST, _LIST), BOOL, _sets_equivalent),
    function("sets.intersects", (_LIST, _LIST), BOOL, _sets_intersect),
]

INCLUDES: Final[list[Overload]] = [method("includes", (DYN, DYN), BOOL, _includes)]
"""Only where attributes may be lists (cel.md, Libraries)."""
