"""Values of CEL at run time.

| CEL | Python | CEL | Python |
|---|---|---|---|
| bool, int, double | bool, int, float | list | tuple |
| uint | `UInt` | map | `MapValue` |
| string, bytes | str, bytes | type | `TypeValue` |
| null | None | optional | `OptionalValue` |
| duration, timestamp | `Duration`, `Timestamp` | Quantity, Semver | `Amount`, `api.Version` |

A failed operand is a `Fault`: a value like the others, because operators may absorb it. Python takes True, 1 and 1.0
for equal; everything here goes by the exact class of a value.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct

from dractl.cel.faults import EvaluationEnded

Value: TypeAlias = Any
"""One of the classes above, a `Fault`, or an object of a library."""


class UInt(int):
    """An unsigned 64-bit integer; arithmetic on it gives a plain int that has to be checked."""

    __slots__ = ()


class Fault(Struct, frozen=True):
    """A run-time error on its way up."""

    message: str


class TypeValue(Struct, frozen=True):
    """A type as a value; two are equal when their names are."""

    name: str


class Duration(Struct, frozen=True):
    """A length of time in nanoseconds."""

    nanoseconds: int


class Timestamp(Struct, frozen=True, eq=False):
    """A moment, in nanoseconds since 1970-01-01 UTC; `offset` are the seconds of the zone that it was written in.

    The zone shows where the moment becomes text, and nowhere else.
    """

    nanoseconds: int
    offset: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Timestamp) and self.nanoseconds == other.nanoseconds

    def __hash__(self) -> int:
        return hash(self.nanoseconds)


class OptionalValue(Struct, frozen=True, eq=False):
    """A value that may be missing; see `NONE`."""

    value: Value
    has_value: bool = True


NONE: Final = OptionalValue(None, has_value=False)
"""`optional.none()`"""

NO_OVERLOAD: Final = Fault("no such overload")

MISSING: Final = object()
"""What a look-up answers when there is nothing."""


class MapValue:
    """A map. Strings are their own keys; others are kept apart by class: `1`, `1u` and `true` are three keys."""

    __slots__ = ("entries",)

    def __init__(self, entries: dict[Any, Value]) -> None:
        self.entries: Final = entries

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[Value, Value]]) -> "MapValue":
        """A map of keys and values; a later entry replaces an earlier one with the same key."""
        return cls({stored_key(key): value for key, value in pairs})

    def __len__(self) -> int:
        return len(self.entries)

    def keys(self) -> Iterator[Value]:
        """The keys, in the order in which they were written."""
        return map(key_of, self.entries)

    def items(self) -> Iterator[tuple[Value, Value]]:
        """Keys with their values."""
        return ((key_of(stored), value) for stored, value in self.entries.items())

    def find(self, key: Value) -> Value:
        """The value of a key, or `MISSING`. An int finds a uint of the same value, a whole double finds both."""
        if key.__class__ is str:
            return self.entries.get(key, MISSING)
        return find_among(self.entries, key)

    def contains(self, key: Value) -> bool:
        """Whether there is an entry of that key."""
        return self.find(key) is not MISSING


def stored_key(key: Value) -> Any:
    """The key under which a map keeps an entry."""
    if key.__class__ is str:
        return key
    if key is None or isinstance(key, (bool, int, float)):
        return key.__class__, key
    return key.__class__, id(key), key


def key_of(stored: Any) -> Value:
    """The key again."""
    return stored if stored.__class__ is str else stored[-1]


def find_among(entries: dict[Any, Value], key: Value) -> Value:
    """Look up a key that is no string; ends the evaluation if the key cannot be looked up by hash."""
    if entries:
        require_hash(key)
    found = entries.get(stored_key(key), MISSING)
    if found is not MISSING:
        return found
    kind = key.__class__
    if kind is int and key >= 0:
        return entries.get((UInt, key), MISSING)
    if kind is UInt:
        return entries.get((int, int(key)), MISSING)
    if kind is float and key.is_integer():
        found = entries.get((int, int(key)), MISSING)
        return found if found is not MISSING or key < 0 else entries.get((UInt, int(key)), MISSING)
    return MISSING


EMPTY_MAP: Final = MapValue({})

_UNHASHABLE: Final[set[type]] = {bytes}


def require_hash(key: Value) -> None:
    """End the evaluation if a value cannot be looked up by hash: bytes, a Semver (cel.md, Types)."""
    if key.__class__ in _UNHASHABLE:
        raise EvaluationEnded(f"internal error: hash of unhashable type {type_name(key)}")


Equality: TypeAlias = Callable[[Value, Value], bool | Fault]

_LEFT_EQUALITY: Final[dict[type, Equality]] = {}


def equal(left: Value, right: Value) -> bool | Fault:
    """`left == right`, neither being a fault; some classes fail on strangers, on the left only (cel.md, Types)."""
    if left is None or right is None:
        return left is right
    comparison = _LEFT_EQUALITY.get(left.__class__)
    return left is right if comparison is None else comparison(left, right)


_NUMBERS: Final = (int, UInt, float)


def _numbers_equal(left: Value, right: Value) -> bool:
    if right.__class__ not in _NUMBERS:
        return False
    if left.__class__ is float or right.__class__ is float:
        # Beside a double whole numbers are rounded to doubles.
        return float(left) == float(right)
    return bool(left == right)


def _same_class_equal(left: Value, right: Value) -> bool:
    return left.__class__ is right.__class__ and bool(left == right)


def _lists_equal(left: Value, right: Value) -> bool:
    if right.__class__ is not tuple or len(left) != len(right):
        return False
    # A failed comparison of elements counts as equal.
    return all(equal(one, other) is not False for one, other in zip(left, right, strict=True))


def _maps_equal(left: Value, right: Value) -> bool:
    if not isinstance(right, MapValue) or len(left) != len(right):
        return False
    for key, value in left.items():
        other = right.find(key)
        if other is MISSING or equal(value, other) is False:
            return False
    return True


def _optionals_equal(left: Value, right: Value) -> bool | Fault:
    if right.__class__ is not OptionalValue:
        return False
    if not (left.has_value and right.has_value):
        return left.has_value is right.has_value
    return equal(left.value, right.value)


_LEFT_EQUALITY.update(dict.fromkeys(_NUMBERS, _numbers_equal))
_LEFT_EQUALITY.update(dict.fromkeys((bool, str, bytes, TypeValue, Duration, Timestamp), _same_class_equal))
_LEFT_EQUALITY[tuple] = _lists_equal
_LEFT_EQUALITY[MapValue] = _maps_equal
_LEFT_EQUALITY[OptionalValue] = _optionals_equal


def _strict_equality(kind: type) -> Equality:
    def compare(left: Value, right: Value) -> bool | Fault:
        return bool(left == right) if right.__class__ is kind else NO_OVERLOAD

    return compare


STRICT_KINDS: Final[set[type]] = set()
"""Classes that cannot be compared with other types, and say so when they stand on the left; comparing them costs 1."""


def register_object(
    kind: type,
    name: str,
    measure: Callable[[Value], int] | None = None,
    *,
    comparable_with: type | None = None,
    is_hashable: bool = True,
) -> None:
    """Make the class of a library known: what `type(x)` calls it, and how large its values are (1 by default).

    On the left of `==` its values take values of the class `comparable_with`, usually their own.
    """
    if not is_hashable:
        _UNHASHABLE.add(kind)
    _TYPE_NAMES[kind] = name
    _LEFT_EQUALITY[kind] = _strict_equality(comparable_with or kind)
    STRICT_KINDS.add(kind)
    if measure is not None:
        _OBJECT_SIZES[kind] = measure


def size_of(value: Value) -> int:
    """The size of a value as prices count it (cel.md, Costs): 1 for everything that has none."""
    kind = value.__class__
    if kind is str or kind is tuple or kind is bytes:
        return len(value)
    if kind is int or kind is bool:
        return 1
    if isinstance(value, MapValue):
        return len(value)
    if kind is OptionalValue:
        return size_of(value.value) if value.has_value else 1
    measured = _OBJECT_SIZES.get(kind)
    return 1 if measured is None else measured(value)


_OBJECT_SIZES: Final[dict[type, Callable[[Value], int]]] = {}


def traversal(value: Value) -> int:
    """What visiting every part of a value costs (cel.md, Costs)."""
    kind = value.__class__
    if kind is str:
        return len(value.encode("utf-8", "surrogatepass")) // 10
    if kind is bytes:
        return len(value) // 10
    if kind is tuple:
        return sum(map(traversal, value))
    if isinstance(value, MapValue):
        return sum(traversal(key) + traversal(inner) for key, inner in value.items())
    return 1


_TYPE_NAMES: Final[dict[type, str]] = {
    bool: "bool",
    int: "int",
    UInt: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    tuple: "list",
    MapValue: "map",
    type(None): "null_type",
    TypeValue: "type",
    OptionalValue: "optional_type",
    Duration: "google.protobuf.Duration",
    Timestamp: "google.protobuf.Timestamp",
}


def register_map(kind: type[MapValue]) -> None:
    """Make another kind of map known."""
    _TYPE_NAMES[kind] = "map"
    _LEFT_EQUALITY[kind] = _maps_equal


def runtime_kinds(name: str) -> frozenset[type]:
    """The classes of values whose type has that name."""
    return frozenset(kind for kind, found in _TYPE_NAMES.items() if found == name)


def type_name(value: Value) -> str:
    """The name of a value's type, as `type(x)` gives it."""
    return _TYPE_NAMES[value.__class__]
