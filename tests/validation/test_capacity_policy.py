"""`requestPolicy` of shared devices (spec/validation.md §8)."""

# FEATURE: A7

from typing import Any

import pytest

from dractl.api.codec import to_api
from dractl.api.quantity import Quantity
from dractl.api.resource import CapacityRequestPolicy
from dractl.errors import path_text
from dractl.validation.capacity_policy import check_policy
from dractl.validation.rulebook import STORED, Rulebook

WHOLE_UNITS = Rulebook(has_fractional_ranges=False)


def refused(policy: Any, capacity: str = "100", rulebook: Rulebook = STORED) -> list[tuple[str, str]]:
    found = check_policy(to_api(policy, CapacityRequestPolicy), Quantity.parse(capacity), rulebook)
    return sorted((violation.type.removeprefix("FieldValue"), path_text(violation.path)) for violation in found)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({}, []),
        ({"default": "1000"}, []),
        ({"default": "1", "validValues": ["1"], "validRange": {"min": "1"}}, [("Forbidden", "")]),
        ({"default": "1", "validValues": [], "validRange": {"min": "1"}}, []),
    ],
)
def test_one_policy_or_none(policy: Any, expected: list[tuple[str, str]]) -> None:
    assert refused(policy) == expected


@pytest.mark.parametrize(
    ("default", "values", "expected"),
    [
        ("1", ["1", "2"], []),
        (None, ["9", "1"], [("Required", "default")]),
        ("3", ["1", "2"], [("Invalid", "validValues")]),
        ("1", ["2", "1"], [("Invalid", "validValues[1]")]),
        ("1", ["1", "101"], [("Invalid", "validValues[1]")]),
        ("1", [str(n) for n in range(1, 12)], [("Invalid", "validValues"), ("TooMany", "validValues")]),
        ("1", ["1", "1000m"], []),
        ("2", ["2", "2"], [("Duplicate", "validValues[1]")]),
        ("2", ["2", "2.0", "2000m"], []),
        ("1", ["1", "0.001k"], [("Duplicate", "validValues[1]")]),
    ],
)
def test_valid_values(default: str | None, values: list[str], expected: list[tuple[str, str]]) -> None:
    policy = {"validValues": values} | ({"default": default} if default else {})
    assert refused(policy) == expected


@pytest.mark.parametrize(
    ("default", "valid", "expected"),
    [
        ("1", {"min": "1"}, []),
        (None, {"min": "1"}, [("Required", "default")]),
        ("1", {"step": "1"}, [("Required", "validRange.min")]),
        ("101", {"min": "101"}, [("Invalid", "validRange.min")]),
        ("1", {"min": "2"}, [("Invalid", "validRange.default")]),
        ("3", {"min": "1", "max": "2"}, [("Invalid", "validRange.default")]),
        ("1", {"min": "1", "max": "101"}, [("Invalid", "validRange.max")]),
        ("2", {"min": "2", "max": "1"}, [("Invalid", "validRange.default"), ("Invalid", "validRange.max")]),
        ("1", {"min": "1", "step": "0"}, [("Invalid", "validRange.step")]),
        ("1", {"min": "1", "step": "100"}, [("Invalid", "validRange.step")]),
        ("2", {"min": "1", "step": "2"}, [("Invalid", "validRange.step")]),
        ("1", {"min": "1", "max": "4", "step": "2"}, [("Invalid", "validRange.step")]),
        ("1.5", {"min": "0.5", "step": "0.25"}, []),
        ("1", {"min": "0.0001"}, [("Invalid", "validRange.min")]),
        ("1", {"min": "-1", "step": "1"}, [("Invalid", "validRange.min")]),
        ("1", {"min": "-1"}, []),
    ],
)
def test_valid_ranges(default: str | None, valid: Any, expected: list[tuple[str, str]]) -> None:
    policy = {"validRange": valid} | ({"default": default} if default else {})
    assert refused(policy) == expected


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({"default": "1", "validRange": {"min": "0.0001"}}, []),
        ({"default": "0.5", "validRange": {"min": "0.5", "step": "0.3"}}, []),
        ({"default": "1.5", "validRange": {"min": "0", "step": "2"}}, []),
        ({"default": "0.5", "validRange": {"min": "0", "step": "2"}}, [("Invalid", "validRange.step")]),
        ({"default": "1.5", "validValues": ["1.5", "1.7"]}, [("Duplicate", "validValues[1]")]),
    ],
)
def test_without_fractional_ranges_whole_units_count(policy: Any, expected: list[tuple[str, str]]) -> None:
    assert refused(policy, rulebook=WHOLE_UNITS) == expected
