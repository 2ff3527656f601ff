"""Kubernetes quantities: exact amounts that remember the family of notation they were written in."""

import re
from enum import StrEnum
from functools import lru_cache, total_ordering
from typing import Final, NamedTuple, NoReturn, Self

NANO: Final = 10**9
MILLI: Final = 10**6
"""Nano-units in one milli-unit."""

INT64_MAX: Final = 2**63 - 1
INT64_MIN: Final = -(2**63)

_DECIMAL_EXPONENTS: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_DECIMAL_SUFFIXES: Final = {exponent: suffix for suffix, exponent in _DECIMAL_EXPONENTS.items()}
_BINARY_SUFFIXES: Final = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_LARGEST_EXPONENT: Final = 10_000
_DECIMAL_DIGITS: Final = 18
_BINARY_DIGITS: Final = 14

_GRAMMAR: Final = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>\d*)(?:\.(?P<fraction>\d*))?"
    r"(?P<suffix>[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+|)",
    re.ASCII,
)


class QuantityFormat(StrEnum):
    """The family of suffixes in which a quantity was written and is written again."""

    DECIMAL_SI = "DecimalSI"
    BINARY_SI = "BinarySI"
    DECIMAL_EXPONENT = "DecimalExponent"


@total_ordering
class Quantity:
    """An immutable amount in nano-units. Two quantities are equal when their amounts are, however they were written.

    `notation` is how Kubernetes stores a quantity that is not too long. It decides the text, and whether a request is
    taken for the default of a policy.

    A plain class and no dataclass, because msgspec would read a dataclass as an object instead of asking for a decoder.
    """

    __slots__ = ("format", "nano", "notation")

    nano: int
    format: QuantityFormat
    notation: "Notation | None"

    def __init__(
        self, nano: int, family: QuantityFormat = QuantityFormat.DECIMAL_SI, notation: "Notation | None" = None
    ) -> None:
        object.__setattr__(self, "nano", nano)
        object.__setattr__(self, "format", family)
        object.__setattr__(self, "notation", notation)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a quantity cannot be changed ({name})")

    def __reduce__(self) -> tuple[type["Quantity"], tuple[int, QuantityFormat, "Notation | None"]]:
        return Quantity, (self.nano, self.format, self.notation)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.nano == other.nano

    def __lt__(self, other: "Quantity") -> bool:
        return self.nano < other.nano

    def __hash__(self) -> int:
        return hash(self.nano)

    def __repr__(self) -> str:
        return f"Quantity({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the API's notation (validation.md §1): what is finer than a nano-unit is rounded up, away from zero.

        Amounts in the binary family end at 2⁶³-1. A sign, a dot or a suffix without any digit is 0, as for Kubernetes.
        Raises ValueError when the text is no quantity.
        """
        return cls(*_parse(text))

    @classmethod
    def of(cls, value: int, family: QuantityFormat = QuantityFormat.DECIMAL_SI) -> Self:
        """A whole number of units."""
        return cls(value * NANO, family, Notation(value, 0))

    @classmethod
    def of_milli(cls, value: int, family: QuantityFormat = QuantityFormat.DECIMAL_SI) -> Self:
        """A whole number of thousandths."""
        return cls(value * MILLI, family, Notation(value, -3))

    @property
    def is_whole(self) -> bool:
        """Whether the amount has no fraction."""
        return self.nano % NANO == 0

    @property
    def is_milli(self) -> bool:
        """Whether the amount is a whole number of thousandths."""
        return self.nano % MILLI == 0

    def rounded_up(self) -> int:
        """The amount in whole units, a fraction rounded away from zero, as `Quantity.Value()` does."""
        return _divide_away_from_zero(self.nano, NANO)

    def milli_rounded_up(self) -> int:
        """The amount in thousandths, a finer fraction rounded away from zero, as `Quantity.MilliValue()` does."""
        return _divide_away_from_zero(self.nano, MILLI)

    def is_stored_like(self, other: "Quantity") -> bool:
        """Whether Kubernetes finds no difference at all: same amount in the same notation and family.

        A quantity that is too long for a notation is never like another, not even like itself.
        """
        return self.notation is not None and (self.notation, self.format) == (other.notation, other.format)

    def with_format(self, family: QuantityFormat) -> "Quantity":
        """The same amount, to be written in another family."""
        return Quantity(self.nano, family)

    def __add__(self, other: "Quantity") -> "Quantity":
        return Quantity(self.nano + other.nano, self.format)

    def __sub__(self, other: "Quantity") -> "Quantity":
        return Quantity(self.nano - other.nano, self.format)

    def __str__(self) -> str:
        """The canonical text, as the API server writes it: `1024Mi` is `1Gi`, `1.5Gi` is `1536Mi`, `0.5` is `500m`.

        What differs from it only in leading zeros, signs or the place of the dot stays as it was written: `+3`, `1E3`.
        """
        if self.notation is not None and self.notation.kept:
            return self.notation.kept
        if self.format is QuantityFormat.BINARY_SI and self.is_whole and abs(self.nano) >= 1024 * NANO:
            return _binary_text(self.nano // NANO)
        return _decimal_text(self.nano, self.format)


class Notation(NamedTuple):
    """`digits·10^exponent`, and the text that is kept instead of the canonical one, if any."""

    digits: int
    exponent: int
    kept: str = ""


@lru_cache(maxsize=65536)
def _parse(text: str) -> tuple[int, QuantityFormat, Notation | None]:
    match = _GRAMMAR.fullmatch(text)
    if match is None or not text:
        raise ValueError(f"{text!r} is not a quantity")
    digits = int(match["whole"] + (match["fraction"] or "") or "0")
    decimals = len(match["fraction"] or "")
    power_of_two, exponent, family = _suffix(match["suffix"])
    if abs(exponent) > _LARGEST_EXPONENT:
        raise ValueError(f"the exponent of {text!r} is out of range")
    ten = 9 + exponent - decimals
    scaled = digits * power_of_two
    amount = scaled * 10**ten if ten >= 0 else _divide_away_from_zero(scaled, 10**-ten)
    sign = -1 if match["sign"] == "-" else 1
    if family is QuantityFormat.BINARY_SI:
        amount = min(amount, INT64_MAX * NANO)
    return sign * amount, family, _notation(text, match, sign * scaled, exponent - decimals, family)


def _notation(text: str, match: re.Match[str], digits: int, exponent: int, family: QuantityFormat) -> Notation | None:
    """How Kubernetes stores the quantity, or None where it resorts to a big decimal."""
    whole, fraction = match["whole"].lstrip("0"), match["fraction"] or ""
    if family is QuantityFormat.BINARY_SI:
        power = 10 * _BINARY_SUFFIXES.index(match["suffix"])
        if fraction or len(whole) + power * 3 // 10 > _BINARY_DIGITS:
            return None
        is_canonical = int(whole or "0") % 8 != 0
    else:
        if len(whole) + len(fraction) > _DECIMAL_DIGITS or exponent < -9:
            return None
        is_canonical = bool(whole) and digits % 1000 != 0 and exponent % 3 == 0
    return Notation(digits, exponent, text if is_canonical or text == "0" else "")


def _suffix(suffix: str) -> tuple[int, int, QuantityFormat]:
    if suffix.endswith("i"):
        return 1024 ** _BINARY_SUFFIXES.index(suffix), 0, QuantityFormat.BINARY_SI
    if suffix in _DECIMAL_EXPONENTS:
        return 1, _DECIMAL_EXPONENTS[suffix], QuantityFormat.DECIMAL_SI
    return 1, int(suffix[1:]), QuantityFormat.DECIMAL_EXPONENT


def _divide_away_from_zero(numerator: int, denominator: int) -> int:
    quotient = -(-abs(numerator) // denominator)
    return quotient if numerator >= 0 else -quotient


def _binary_text(value: int) -> str:
    power = 0
    while value % 1024 == 0 and power < len(_BINARY_SUFFIXES) - 1:
        value //= 1024
        power += 1
    return f"{value}{_BINARY_SUFFIXES[power]}"


def _decimal_text(nano: int, family: QuantityFormat) -> str:
    if nano == 0:
        return "0"
    exponent = -9
    mantissa = nano
    while mantissa % 1000 == 0:
        mantissa //= 1000
        exponent += 3
    if family is QuantityFormat.DECIMAL_EXPONENT:
        return f"{mantissa}e{exponent}" if exponent else str(mantissa)
    # Beyond E there is no suffix, and Kubernetes writes none: 1000E becomes 1.
    return f"{mantissa}{_DECIMAL_SUFFIXES.get(exponent, '')}"
