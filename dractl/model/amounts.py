"""Sums of huge amounts in numbers that a solver can hold, without giving up exactness.

Amounts are nano-units of quantities, so they may need 100 bits, and a sum of them more. A limit on such a sum is first
divided by what all amounts have in common; what is still too large is split into digits. One worked example in base 10:
`37x + 48y ≤ 65` becomes `7x + 8y ≤ 5 + 10k` and `3x + 4y + k ≤ 6` with a carry `k ≥ 0`. Whatever `x` and `y` are, a
carry that satisfies both rows exists exactly if the sum is within the limit.
"""

from collections.abc import Sequence
from math import gcd
from typing import Final

from msgspec import Struct

LARGEST_SUM: Final = 2**62
"""No row has coefficients whose sum is larger, which leaves the solver room for its own arithmetic."""

_DIGIT_BITS: Final = 40


class Row(Struct, frozen=True):
    """`Σ coefficients·x + carried ≤ limit + 2**40·carry`, `carried` being the carry of the row before.

    The last row has no carry (`largest_carry` 0), the first one nothing carried.
    """

    coefficients: tuple[int, ...]
    limit: int
    largest_carry: int


def rows(amounts: Sequence[int], limit: int) -> tuple[Row, ...]:
    """Rows that together say `Σ amounts·x ≤ limit` for booleans x; none if that always holds.

    Amounts are positive and none is above the limit.
    """
    if not amounts or sum(amounts) <= limit:
        return ()
    common = gcd(*amounts)
    reduced = [amount // common for amount in amounts]
    return tuple(_split(reduced, limit // common))


def carry_weight() -> int:
    """What one unit of a row's carry is worth in that row."""
    return 1 << _DIGIT_BITS


def _split(amounts: list[int], limit: int) -> list[Row]:
    """The lowest digit first; amounts and limit shrink by one digit per row until their sum is small enough."""
    found: list[Row] = []
    base = carry_weight()
    carried = 0
    while sum(amounts) + carried > LARGEST_SUM:
        digits = tuple(amount % base for amount in amounts)
        largest = -(-(sum(digits) + carried) // base)
        found.append(Row(digits, limit % base, largest))
        amounts, limit, carried = [amount // base for amount in amounts], limit // base, largest
    found.append(Row(tuple(amounts), limit, 0))
    return found
