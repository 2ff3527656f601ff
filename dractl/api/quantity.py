"""Kubernetes quantities: exact amounts that remember the family of notation they were written in."""

import re
from enum import StrEnum
from functools import lru_cache, total_ordering
from typing import Final, NoReturn, Self

NANO: Final = 10**9
MILLI: Final = 10**6
"""Nano-units in one milli-unit."""

INT64_MAX: Final = 2**63 - 1
INT64_MIN: Final = -(2**63)

_DECIMAL_EXPONENTS: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_DECIMAL_SUFFIXES: Final = {exponent: suffix for suffix, exponent in _DECIMAL_EXPONENTS.items()}
_BINARY_SUFFIXES: Final = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_LARGEST_EXPONENT: Final = 10_000

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

    A plain class and no dataclass, because msgspec would read a dataclass as an object instead of asking for a decoder.
    """

    __slots__ = ("format", "nano")

    nano: int
    format: QuantityFormat

    def __init__(self, nano: int, family: QuantityFormat = QuantityFormat.DECIMAL_SI) -> None:
        object.__setattr__(self, "nano", nano)
        object.__setattr__(self, "format", family)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a quantity cannot be changed ({name})")

    def __reduce__(self) -> tuple[type["Quantity"], tuple[int, QuantityFormat]]:
        return Quantity, (self.nano, self.format)

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

        Raises ValueError when the text is no quantity.
        """
        nano, family = _parse(text)
        return cls(nano, family)

    @classmethod
    def of(cls, value: int, family: QuantityFormat = QuantityFormat.DECIMAL_SI) -> Self:
        """A whole number of units."""
        return cls(value * NANO, family)

    @classmethod
    def of_milli(cls, value: int, family: QuantityFormat = QuantityFormat.DECIMAL_SI) -> Self:
        """A whole number of thousandths."""
        return cls(value * MILLI, family)

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

    def with_format(self, family: QuantityFormat) -> "Quantity":
        """The same amount, to be written in another family."""
        return Quantity(self.nano, family)

    def __add__(self, other: "Quantity") -> "Quantity":
        return Quantity(self.nano + other.nano, self.format)

    def __sub__(self, other: "Quantity") -> "Quantity":
        return Quantity(self.nano - other.nano, self.format)

    def __str__(self) -> str:
        """The canonical text, as the API server writes it: `1024Mi` is `1Gi`, `1.5Gi` is `1536Mi`, `0.5` is `500m`."""
        if self.format is QuantityFormat.BINARY_SI and self.is_whole and abs(self.nano) >= 1024 * NANO:
            return _binary_text(self.nano // NANO)
        return _decimal_text(self.nano, self.format)


@lru_cache(maxsize=65536)
def _parse(text: str) -> tuple[int, QuantityFormat]:
    match = _GRAMMAR.fullmatch(text)
    if match is None or not (match["whole"] or match["fraction"]):
        raise ValueError(f"{text!r} is not a quantity")
    digits = int(match["whole"] + (match["fraction"] or "") or "0")
    decimals = len(match["fraction"] or "")
    power_of_two, exponent, family = _suffix(match["suffix"])
    if abs(exponent) > _LARGEST_EXPONENT:
        raise ValueError(f"the exponent of {text!r} is out of range")
    ten = 9 + exponent - decimals
    scaled = digits * power_of_two
    amount = scaled * 10**ten if ten >= 0 else _divide_away_from_zero(scaled, 10**-ten)
    return (-amount if match["sign"] == "-" else amount), family


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
    largest = 18 if family is not QuantityFormat.DECIMAL_EXPONENT else _LARGEST_EXPONENT
    while mantissa % 1000 == 0 and exponent < largest:
        mantissa //= 1000
        exponent += 3
    if family is QuantityFormat.DECIMAL_EXPONENT:
        return f"{mantissa}e{exponent}" if exponent else str(mantissa)
    return f"{mantissa}{_DECIMAL_SUFFIXES[exponent]}"
