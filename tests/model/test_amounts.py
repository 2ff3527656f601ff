"""Sums of amounts of any size stay exact and within 64 bits."""

# FEATURE: P2

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dractl.api.quantity import Quantity
from dractl.model.amounts import LARGEST_SUM, carry_weight, rows
from dractl.model.formula import Formula
from dractl.model.solving import Solving, State

ODD_SIZES = ("9223372036854775807", "20E", "1m", "0.1", "3Ei", "1n", "1e3", "7777777777777777777777")


@given(st.lists(st.integers(1, 2**100), min_size=1, max_size=6), st.integers(0, 2**102))
def test_the_rows_say_the_same_as_the_sum(amounts: list[int], limit: int) -> None:
    fitting = [amount for amount in amounts if amount <= limit]
    for chosen in product((0, 1), repeat=len(fitting)):
        expected = sum(amount * taken for amount, taken in zip(fitting, chosen, strict=True)) <= limit
        assert _holds(fitting, limit, chosen) == expected


@given(st.lists(st.integers(1, 2**100), min_size=1, max_size=40), st.integers(0, 2**105))
def test_no_coefficient_leaves_64_bits(amounts: list[int], limit: int) -> None:
    for row in rows([amount for amount in amounts if amount <= limit], limit):
        assert sum(row.coefficients) + row.largest_carry * carry_weight() <= 2 * LARGEST_SUM < 2**63 + 1
        assert 0 <= row.limit <= LARGEST_SUM


@pytest.mark.parametrize("spare", [-1, 0])
def test_amounts_of_all_sizes_fill_a_limit_to_the_last_nano_unit(spare: int) -> None:
    amounts = [Quantity.parse(size).nano for size in ODD_SIZES]
    formula = Formula()
    literals = [formula.new() for _ in amounts]
    formula.limit(zip(literals, amounts, strict=True), sum(amounts) + spare)
    found = Solving(formula, time_limit_seconds=60, workers=1).most(literals)
    assert found.state is State.PROVEN
    assert found.number_of(literals) == len(amounts) + spare


def test_an_amount_that_alone_is_too_large_is_refused_and_nothing_needs_no_room() -> None:
    formula = Formula()
    large, nothing = formula.new(), formula.new()
    formula.limit([(large, 1), (nothing, 0)], -5)
    found = Solving(formula, time_limit_seconds=60, workers=1).most([large, nothing])
    assert (found.is_true(large), found.is_true(nothing)) == (False, True)


def _holds(amounts: list[int], limit: int, chosen: tuple[int, ...]) -> bool:
    """Whether carries exist that satisfy every row; a row's carry is best as small as the row lets it be."""
    carried = 0
    for row in rows(amounts, limit):
        over = sum(amount * taken for amount, taken in zip(row.coefficients, chosen, strict=True)) + carried - row.limit
        carried = max(0, -(-over // carry_weight()))
        if carried > row.largest_carry:
            return False
    return True
