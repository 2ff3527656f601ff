"""How much of a capacity one allocation consumes (dra.md §8). FEATURE: D14"""

from typing import Any

import pytest
from msgspec.structs import replace

from dractl.api.codec import to_api
from dractl.api.quantity import Quantity
from dractl.api.resource import DeviceCapacity
from dractl.cluster.features import Features
from dractl.problem.capacity import CapacityArithmeticError, CapacityShare, capacity_share, consumed_amount
from tests.verify.builders import claim, device, problem, published, wants


def capacity(value: str, **policy: Any) -> DeviceCapacity:
    return to_api({"value": value, "requestPolicy": policy} if policy else {"value": value}, DeviceCapacity)


IN_STEPS: dict[str, Any] = {"default": "1Gi", "validRange": {"min": "1Gi", "step": "1Gi", "max": "8Gi"}}
BOTH: dict[str, Any] = {"default": "1Gi", "validValues": ["16Gi"], "validRange": {"min": "2Gi"}}
VALUES: dict[str, Any] = {"default": "4Gi", "validValues": ["2Gi", "4Gi", "8Gi"]}


@pytest.mark.parametrize(
    ("asked", "offered", "consumed"),
    [
        (None, capacity("8Gi"), "8Gi"),
        (None, capacity("8Gi", default="2Gi"), "2Gi"),
        ("3Gi", capacity("8Gi"), "3Gi"),
        ("512Mi", capacity("8Gi", **IN_STEPS), "1Gi"),
        ("1500Mi", capacity("8Gi", **IN_STEPS), "2Gi"),
        ("3Gi", capacity("8Gi", **VALUES), "4Gi"),
        ("9Gi", capacity("8Gi", **VALUES), "9Gi"),
        ("3Gi", capacity("8Gi", **BOTH), "3Gi"),
        ("0.3", capacity("2", default="500m", validRange={"min": "250m", "step": "250m"}), "500m"),
    ],
)
def test_amounts(asked: str | None, offered: DeviceCapacity, consumed: str) -> None:
    amount = consumed_amount(Quantity.parse(asked) if asked else None, offered, Features())
    assert str(amount) == consumed


@pytest.mark.parametrize(
    ("asked", "fractional", "message"),
    [
        ("300100u", True, "request 300100u is not a representable milli value"),
        ("9223372036854775808", False, "exceeds MaxInt64"),
        ("9223372036854775807", False, "up to the next step passes MaxInt64"),
    ],
)
def test_what_the_allocator_cannot_compute(asked: str, fractional: bool, message: str) -> None:
    features = replace(Features(), fractional_capacity_range=fractional)
    offered = capacity("9E", default="100m", validRange={"min": "100m", "step": "100m"})
    if not fractional:
        offered = capacity("9E", default="1", validRange={"min": "1", "step": "5"})
    with pytest.raises(CapacityArithmeticError, match=message):
        consumed_amount(Quantity.parse(asked), offered, features)


def test_a_negative_amount_is_an_error() -> None:
    with pytest.raises(CapacityArithmeticError, match="negative"):
        consumed_amount(Quantity.parse("-1"), capacity("8"), Features())


@pytest.mark.parametrize(
    ("asked", "default", "fits"),
    [("8", "8", True), ("8000m", "8", False), ("1000m", "1000m", True), ("7", "7", True), ("1Ki", "1024", False)],
)
def test_only_the_default_as_it_is_written_need_not_obey_the_policy(asked: str, default: str, fits: bool) -> None:
    policy = {"default": default, "validRange": {"min": "0", "max": "0"}}
    slices = [published(device("a", capacity={"memory": {"value": "2Ki", "requestPolicy": policy}}))]
    asked_for = problem(slices, claim("c", wants("r", capacity={"memory": asked})))
    demand = asked_for.claims[0].requests[0].alternatives[0]
    share = capacity_share(demand, asked_for.devices[0], asked_for.features)
    assert isinstance(share, CapacityShare) is fits


@pytest.mark.parametrize(
    ("fractional", "asked", "consumed"), [(False, "700m", "1"), (True, "700m", "1500m"), (False, "2.2", "3")]
)
def test_steps_are_checked_in_the_arithmetic_that_rounds(fractional: bool, asked: str, consumed: str) -> None:
    policy = {"default": "500m", "validRange": {"min": "500m", "step": "1"}}
    slices = [published(device("a", capacity={"cores": {"value": "8", "requestPolicy": policy}}))]
    features = replace(Features(), fractional_capacity_range=fractional)
    asked_for = problem(slices, claim("c", wants("r", capacity={"cores": asked})), features=features)
    share = capacity_share(asked_for.claims[0].requests[0].alternatives[0], asked_for.devices[0], features)
    assert isinstance(share, CapacityShare)
    assert {name: str(amount) for name, amount in share.amounts.items()} == {"cores": consumed}
