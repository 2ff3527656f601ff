"""Static types of CEL, and how two of them are made to agree.

`Agreement` collects what the type parameters of overloads stand for while an expression is checked (cel.md, Types).
"""

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import Final

from msgspec import Struct


class Kind(Enum):
    """How a type takes part in agreement."""

    ANY = auto()
    DYN = auto()
    NULL = auto()
    PLAIN = auto()
    OBJECT = auto()
    OPAQUE = auto()
    LIST = auto()
    MAP = auto()
    TYPE = auto()
    PARAMETER = auto()


class Type(Struct, frozen=True):
    """One static type; `parameters` are element, key and value, or wrapped types."""

    kind: Kind
    name: str
    parameters: tuple["Type", ...] = ()

    @property
    def is_wild(self) -> bool:
        """Whether the type agrees with every other one."""
        return self.kind is Kind.DYN or self.kind is Kind.ANY

    @property
    def is_optional(self) -> bool:
        """Whether values of the type may be missing."""
        return self.name == OPTIONAL_NAME

    def __str__(self) -> str:
        if not self.parameters:
            return self.name
        return f"{self.name}({', '.join(map(str, self.parameters))})"


OPTIONAL_NAME: Final = "optional_type"

DYN: Final = Type(Kind.DYN, "dyn")
ANY: Final = Type(Kind.ANY, "google.protobuf.Any")
NULL: Final = Type(Kind.NULL, "null_type")
BOOL: Final = Type(Kind.PLAIN, "bool")
INT: Final = Type(Kind.PLAIN, "int")
UINT: Final = Type(Kind.PLAIN, "uint")
DOUBLE: Final = Type(Kind.PLAIN, "double")
STRING: Final = Type(Kind.PLAIN, "string")
BYTES: Final = Type(Kind.PLAIN, "bytes")
DURATION: Final = Type(Kind.PLAIN, "google.protobuf.Duration")
TIMESTAMP: Final = Type(Kind.PLAIN, "google.protobuf.Timestamp")
DEVICE: Final = Type(Kind.OBJECT, "kubernetes.DRADevice")
QUANTITY: Final = Type(Kind.OBJECT, "kubernetes.Quantity")
SEMVER: Final = Type(Kind.OBJECT, "kubernetes.Semver")
URL: Final = Type(Kind.OBJECT, "kubernetes.URL")
FORMAT: Final = Type(Kind.OPAQUE, "kubernetes.NamedFormat")
IP: Final = Type(Kind.OPAQUE, "net.IP")
CIDR: Final = Type(Kind.OPAQUE, "net.CIDR")


def list_of(element: Type) -> Type:
    """A list of one element type."""
    return Type(Kind.LIST, "list", (element,))


def map_of(key: Type, value: Type) -> Type:
    """A map of one key type and one value type."""
    return Type(Kind.MAP, "map", (key, value))


def optional_of(wrapped: Type) -> Type:
    """A value that may be missing."""
    return Type(Kind.OPAQUE, OPTIONAL_NAME, (wrapped,))


def type_of(described: Type | None = None) -> Type:
    """The type of a type."""
    return Type(Kind.TYPE, "type", () if described is None else (described,))


def parameter(name: str) -> Type:
    """A type parameter of an overload."""
    return Type(Kind.PARAMETER, name)


A: Final = parameter("A")
B: Final = parameter("B")

_NULLABLE: Final = (DURATION, TIMESTAMP)


def nullable(other: Type) -> bool:
    """Whether null may stand where `other` is wanted."""
    return other.kind in (Kind.NULL, Kind.OBJECT, Kind.OPAQUE, Kind.ANY, Kind.DYN) or other in _NULLABLE


def is_at_least_as_general(one: Type, other: Type) -> bool:
    """Whether `one` may stand for both when two agreeing types are merged."""
    if one.is_wild or one.kind is Kind.PARAMETER:
        return True
    if other.is_wild or other.kind is Kind.PARAMETER or one.kind is not other.kind or one.name != other.name:
        return False
    if one.kind is Kind.TYPE:
        return True
    return len(one.parameters) == len(other.parameters) and all(
        map(is_at_least_as_general, one.parameters, other.parameters)
    )


def most_general(one: Type, other: Type) -> Type:
    """The type that two agreeing types are merged to."""
    return one if is_at_least_as_general(one, other) else other


def mentions(whole: Type, part: Type) -> bool:
    """Whether `part` occurs in `whole`."""
    return whole == part or any(mentions(inner, part) for inner in whole.parameters)


class Agreement:
    """What type parameters stand for, as far as is known."""

    __slots__ = ("_count", "_known")

    def __init__(self) -> None:
        self._known: dict[str, Type] = {}
        self._count = 0

    def fresh(self) -> Type:
        """A parameter that nothing is known about."""
        self._count += 1
        return parameter(f"_{self._count}")

    def instantiate(self, signature: Sequence[Type]) -> tuple[Type, ...]:
        """The same signature with parameters of its own."""
        names: dict[str, Type] = {}
        return tuple(self._renamed(one, names) for one in signature)

    def _renamed(self, one: Type, names: dict[str, Type]) -> Type:
        if one.kind is Kind.PARAMETER:
            if one.name not in names:
                names[one.name] = self.fresh()
            return names[one.name]
        if not one.parameters:
            return one
        return Type(one.kind, one.name, tuple(self._renamed(inner, names) for inner in one.parameters))

    def resolve(self, one: Type, *, unknown_is_dyn: bool = False) -> Type:
        """The type with every known parameter replaced."""
        if one.kind is Kind.PARAMETER:
            known = self._known.get(one.name)
            if known is not None:
                return self.resolve(known, unknown_is_dyn=unknown_is_dyn)
            return DYN if unknown_is_dyn else one
        if not one.parameters:
            return one
        inner = tuple(self.resolve(inner, unknown_is_dyn=unknown_is_dyn) for inner in one.parameters)
        return Type(one.kind, one.name, inner)

    def agree(self, one: Type, other: Type) -> bool:
        """Make both types agree; on failure nothing is learnt."""
        return self.agree_all((one,), (other,))

    def agree_all(self, ones: Iterable[Type], others: Iterable[Type]) -> bool:
        """Make two rows of types agree pair by pair; on failure nothing is learnt."""
        before = dict(self._known)
        if self._agree_row(tuple(ones), tuple(others)):
            return True
        self._known = before
        return False

    def _agree_row(self, ones: Sequence[Type], others: Sequence[Type]) -> bool:
        return len(ones) == len(others) and all(map(self._agree, ones, others))

    def _agree(self, one: Type, other: Type) -> bool:
        if other.kind is Kind.PARAMETER:
            bound = self._bind(other, one)
            if bound is not None:
                return bound
        if one.kind is Kind.PARAMETER:
            return bool(self._bind(one, other))
        if one.is_wild or other.is_wild:
            return True
        if one.kind is Kind.NULL:
            return nullable(other)
        if other.kind is Kind.NULL:
            return nullable(one)
        if one.kind is not other.kind or one.name != other.name:
            return False
        return one.kind is Kind.TYPE or self._agree_row(one.parameters, other.parameters)

    def _bind(self, variable: Type, wanted: Type) -> bool | None:
        """Let a parameter stand for a type: True or False when that is settled, None when the roles may be swapped."""
        if variable == wanted:
            return True
        known = self._known.get(variable.name)
        if known is None:
            if self._occurs(variable, wanted):
                return None
            self._known[variable.name] = wanted
            return True
        if known == wanted:
            return True
        if not self._agree(wanted, known):
            return False
        merged = most_general(wanted, known)
        if not self._occurs(variable, merged):
            self._known[variable.name] = merged
        return True

    def _occurs(self, variable: Type, inside: Type) -> bool:
        """Whether a parameter is part of what it would stand for."""
        if inside == variable:
            return True
        if inside.kind is Kind.PARAMETER:
            known = self._known.get(inside.name)
            return known is not None and self._occurs(variable, known)
        return any(self._occurs(variable, inner) for inner in inside.parameters)
