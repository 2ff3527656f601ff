"""Quantities as the API writes and compares them (validation.md §1, dra.md §8)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dractl.api.quantity import NANO, Quantity, QuantityFormat


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1024Mi", "1Gi"),
        ("1.5Gi", "1536Mi"),
        ("0.5", "500m"),
        ("1000m", "1"),
        ("1e3", "1e3"),
        ("1500e3", "1500e3"),
        ("300100u", "300100u"),
        ("0", "0"),
        ("0Gi", "0"),
        ("1Ki", "1Ki"),
        ("1023", "1023"),
        ("1500Mi", "1500Mi"),
        ("20E", "20E"),
        ("-1.5", "-1500m"),
        (".5", "500m"),
        ("-0", "0"),
        ("Gi", "0"),
        ("8Ei", "9223372036854775807"),
        ("1000E", "1"),
        ("+8Ki", "8Ki"),
        ("+1000", "1k"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert str(Quantity.parse(text)) == canonical


@pytest.mark.parametrize("text", ["5.", "+7", "007", "1E3", "3e0", "1.5e1", "1.500k", "+1Ki"])
def test_text_that_stays_as_it_was_written(text: str) -> None:
    assert str(Quantity.parse(text)) == text


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("1k", "1k", True),
        ("0.5", ".5", True),
        ("1k", "1000", False),
        ("1Gi", "1024Mi", False),
        ("8", "8000m", False),
        ("1.0", "1", False),
        ("1234567890123456789", "1234567890123456789", False),
        ("0.5Ki", "0.5Ki", False),
    ],
)
def test_equal_amounts_need_not_be_stored_alike(one: str, other: str, alike: bool) -> None:
    first, second = Quantity.parse(one), Quantity.parse(other)
    assert first == second
    assert first.is_stored_like(second) is alike


@pytest.mark.parametrize("text", ["", "1gi", "1 Gi", "1e", "1.5.1", "0x10", "1Kii", "--1", "1e99999999", "١"])
def test_what_is_no_quantity(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a quantity|out of range"):
        Quantity.parse(text)


def test_finer_than_nano_is_rounded_away_from_zero() -> None:
    assert Quantity.parse("0.1n") == Quantity(1)
    assert Quantity.parse("-0.1n") == Quantity(-1)


def test_equality_is_by_amount() -> None:
    assert Quantity.parse("1k") == Quantity.parse("1000") == Quantity.parse("1e3")
    assert Quantity.parse("1Ki") > Quantity.parse("1k")
    assert len({Quantity.parse("1k"), Quantity.parse("1e3")}) == 1


def test_quantities_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Quantity(1).nano = 2


@given(st.integers(-(10**27), 10**27), st.sampled_from(QuantityFormat))
def test_text_keeps_the_amount(nano: int, family: QuantityFormat) -> None:
    assert Quantity.parse(str(Quantity(nano, family))).nano == nano


@given(st.integers(0, 10**12))
def test_rounding_up(nano: int) -> None:
    units = Quantity(nano).rounded_up()
    assert units * NANO >= nano > (units - 1) * NANO
