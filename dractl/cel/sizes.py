"""Sizes as the estimate knows them: ranges of unsigned 64-bit numbers (cel.md, Costs, Estimate)."""

import math
from typing import Final, TypeAlias

from msgspec import Struct

UNBOUNDED: Final = 2**64 - 1
"""The largest number: additions and multiplications that pass it stop there."""


def bounded(number: int) -> int:
    """The number, or `UNBOUNDED`."""
    return min(number, UNBOUNDED)


def scaled(number: int, factor: float) -> int:
    """A bound times a factor: in floating point, rounded up."""
    return bounded(math.ceil(float(number) * factor))


class Span(Struct, frozen=True):
    """How small and how large something may be."""

    least: int
    most: int

    def __add__(self, other: "Span") -> "Span":
        return Span(bounded(self.least + other.least), bounded(self.most + other.most))

    def __mul__(self, other: "Span") -> "Span":
        return Span(bounded(self.least * other.least), bounded(self.most * other.most))

    def __or__(self, other: "Span") -> "Span":
        return Span(min(self.least, other.least), max(self.most, other.most))

    def wrapped(self) -> "Span":
        """The bounds modulo 2⁶⁴, where Kubernetes forgets to stop."""
        return Span(self.least % 2**64, self.most % 2**64)


def exactly(size: int) -> Span:
    """A size that is known."""
    return Span(size, size)


UNKNOWN: Final = Span(0, UNBOUNDED)
ONE: Final = exactly(1)

Path: TypeAlias = tuple[str, ...]
"""How a value is reached from a variable: field names, and the steps below."""

ITEMS: Final = "@items"
KEYS: Final = "@keys"
VALUES: Final = "@values"
INDICES: Final = "@indices"
"""The first variable of a loop with two, over a map as well: Kubernetes takes it for as large as a value there."""

_DOMAINS: Final = ("attributes", "capacity")
_LONGEST_DRIVER: Final = 63
_LONGEST_IDENTIFIER: Final = 32
_MOST_ENTRIES: Final = 32
_LARGEST_ATTRIBUTE: Final = 64


def declared_most(path: Path) -> int | None:
    """The declared maximum of what a path below `device` leads to, None if there is none."""
    match path:
        case ("device",):
            return 0
        case ("device", "driver"):
            return _LONGEST_DRIVER
        case ("device", "allowMultipleAllocations"):
            return 1
        case ("device", field, *rest) if field in _DOMAINS:
            return _declared_in_domains(field, rest)
    return None


def _declared_in_domains(field: str, rest: list[str]) -> int | None:
    match rest:
        case [] | ["@values"]:
            return _MOST_ENTRIES
        case ["@keys"] | ["@indices"]:
            return _LONGEST_DRIVER
        case ["@values", "@keys"]:
            return _LONGEST_IDENTIFIER
        case ["@values", "@values" | "@indices"]:
            return _LARGEST_ATTRIBUTE if field == "attributes" else 0
        case ["@values", _]:
            return _LARGEST_ATTRIBUTE if field == "attributes" else None
    return None
