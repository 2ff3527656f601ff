"""Shares: what they consume, what they say about it, and what is left."""

# FEATURE: D8
from typing import Any

import pytest
from msgspec.structs import replace

from dractl.api.resource import Device
from dractl.cluster.features import Features
from tests.verify.builders import (
    allocation,
    broken,
    claim,
    device,
    holding,
    problem,
    published,
    took,
    wants,
)

STEPS = {"default": "1Gi", "validRange": {"min": "1Gi", "max": "8Gi", "step": "2Gi"}}


def sharing(policy: dict[str, Any] | None = None, value: str = "8Gi") -> Device:
    capacity = {"value": value, **({"requestPolicy": policy} if policy else {})}
    return device("gpu-0", allowMultipleAllocations=True, capacity={"memory": capacity})


def share(amount: str, number: int = 1, request: str = "part") -> Any:
    return took(request, "gpu-0", shareID=f"share-{number}", consumedCapacity={"memory": amount})


SLICE = claim("slice", wants("part", capacity={"memory": "2Gi"}))
OTHER = claim("other", wants("part", capacity={"memory": "2Gi"}))


def test_a_share_is_rounded_up_to_its_step() -> None:
    asked = problem([published(sharing(STEPS))], SLICE)
    assert broken(asked, allocation(share("3Gi"))) == set()


@pytest.mark.parametrize(
    ("amount", "rules"),
    [
        ("5Gi", {"every-share-says-what-it-consumes"}),
        ("2Gi", {"every-share-says-what-it-consumes", "stated-amounts-obey-their-policies"}),
        ("1Gi", {"every-share-says-what-it-consumes", "stated-amounts-obey-their-policies"}),
        (
            "9Gi",
            {
                "every-share-says-what-it-consumes",
                "stated-amounts-obey-their-policies",
                "no-capacity-is-exceeded",
            },
        ),
        ("3221225472", {"every-share-says-what-it-consumes"}),
    ],
)
def test_a_wrong_amount_is_named(amount: str, rules: set[str]) -> None:
    asked = problem([published(sharing(STEPS))], SLICE)
    assert broken(asked, allocation(share(amount))) == rules


def test_a_share_needs_an_id_and_its_amounts() -> None:
    asked = problem([published(sharing(STEPS))], SLICE)
    without_id = took("part", "gpu-0", consumedCapacity={"memory": "3Gi"})
    assert broken(asked, allocation(without_id)) == {"shares-and-nothing-else-have-a-share-id"}
    assert broken(asked, allocation(took("part", "gpu-0", shareID="share-1"))) == {"every-share-says-what-it-consumes"}


def test_exclusive_devices_get_neither() -> None:
    exclusive = device("gpu-0", capacity={"memory": {"value": "8Gi"}})
    asked = problem([published(exclusive)], SLICE)
    assert broken(asked, allocation(took("part", "gpu-0"))) == set()
    assert broken(asked, allocation(share("2Gi"))) == {
        "shares-and-nothing-else-have-a-share-id",
        "every-share-says-what-it-consumes",
    }


def test_capacity_filters_exclusive_devices_too() -> None:
    small = device("gpu-0", capacity={"memory": {"value": "1Gi"}})
    none = device("gpu-1")
    for each in (small, none):
        asked = problem([published(each)], SLICE)
        assert "every-device-can-give-the-capacity" in broken(asked, allocation(took("part", each.name)))


def test_shares_of_one_attempt_add_up() -> None:
    fits, full = sharing(STEPS), sharing(STEPS, value="5Gi")
    both = (allocation(share("3Gi", 1)), allocation(share("3Gi", 2)))
    assert broken(problem([published(fits)], SLICE, OTHER), *both) == set()
    assert broken(problem([published(full)], SLICE, OTHER), *both) == {"no-capacity-is-exceeded"}


def test_held_shares_count() -> None:
    held = [holding("held", share("5Gi", 9))]
    assert broken(problem([published(sharing(STEPS))], SLICE, held=held), allocation(share("3Gi"))) == set()
    held.append(holding("more", share("1Gi", 8)))
    assert broken(problem([published(sharing(STEPS))], SLICE, held=held), allocation(share("3Gi"))) == {
        "no-capacity-is-exceeded"
    }


def test_held_shares_count_for_a_device_that_is_exclusive_now() -> None:
    exclusive = device("gpu-0", capacity={"memory": {"value": "8Gi"}})
    held = [holding("held", share("7Gi", 9))]
    asked = problem([published(exclusive)], SLICE, held=held)
    assert broken(asked, allocation(took("part", "gpu-0"))) == {"no-capacity-is-exceeded"}


def test_capacity_without_policy_is_taken_whole() -> None:
    whole = claim("whole", wants("part"))
    asked = problem([published(sharing())], whole)
    assert broken(asked, allocation(share("8Gi"))) == set()
    assert broken(asked, allocation(share("1Gi"))) == {"every-share-says-what-it-consumes"}


def test_one_request_never_gets_two_shares_of_a_device() -> None:
    pair = claim("pair", wants("part", 2, capacity={"memory": "2Gi"}))
    twice = allocation(share("3Gi", 1), share("3Gi", 2))
    assert broken(problem([published(sharing(STEPS))], pair), twice) == {"no-request-shares-with-itself"}


def test_share_ids_are_fresh() -> None:
    same = (allocation(share("3Gi")), allocation(share("3Gi")))
    assert broken(problem([published(sharing(STEPS))], SLICE, OTHER), *same) == {
        "shares-and-nothing-else-have-a-share-id"
    }


def test_without_the_gate_every_device_is_exclusive() -> None:
    off = replace(Features(), consumable_capacity=False)
    plain = claim("plain", wants("part"))
    asked = problem([published(sharing(STEPS))], plain, features=off)
    assert broken(asked, allocation(took("part", "gpu-0"))) == set()
