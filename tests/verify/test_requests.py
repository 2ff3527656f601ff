"""Requests get what they ask for: counts, alternatives, all devices, and devices that are there."""

# FEATURE: D1 D4 D6
import pytest

from dractl.api.resource import AllocationResult, ResourceSlice
from tests.verify.builders import (
    allocation,
    broken,
    claim,
    device,
    problem,
    published,
    took,
    wants,
    wants_all,
    wants_first_of,
)

FOUR = [published(*(device(f"gpu-{n}") for n in range(4)))]
PAIR = claim("pair", wants("gpus", 2))
EITHER = claim("either", wants_first_of("gpus", big=2, small=1))
ALL = claim("all", wants_all("gpus"))


def test_a_pair_is_sound() -> None:
    assert broken(problem(FOUR, PAIR), allocation(took("gpus", "gpu-0"), took("gpus", "gpu-2"))) == set()


@pytest.mark.parametrize(
    ("tampered", "rule"),
    [
        (allocation(took("gpus", "gpu-0")), "every-request-gets-its-count"),
        (allocation(*(took("gpus", f"gpu-{n}") for n in range(3))), "every-request-gets-its-count"),
        (allocation(took("gpus", "gpu-1"), took("gpus", "gpu-1")), "each-device-is-taken-once"),
        (allocation(took("gpus", "gpu-1"), took("gpus", "gpu-1")), "no-request-shares-with-itself"),
        (allocation(took("gpus", "gpu-0"), took("gpus", "gpu-9")), "every-device-is-offered-on-the-node"),
        (allocation(took("gpus", "gpu-0"), took("gpu", "gpu-1")), "every-result-names-a-request"),
        (allocation(), "every-request-is-answered"),
        (allocation(took("gpus", "gpu-2"), took("gpus", "gpu-0")), "results-come-in-the-order-of-taking"),
    ],
)
def test_a_tampered_pair_is_named(tampered: AllocationResult, rule: str) -> None:
    assert rule in broken(problem(FOUR, PAIR), tampered)


def test_every_claim_needs_its_allocation() -> None:
    one = allocation(took("gpus", "gpu-0"), took("gpus", "gpu-1"))
    assert broken(problem(FOUR, PAIR, claim("other", wants("gpus"))), one) == {"every-claim-has-one-allocation"}


def test_no_claims_need_nothing() -> None:
    assert broken(problem(FOUR)) == set()


def test_one_alternative_answers_a_prioritized_request() -> None:
    asked = problem(FOUR, EITHER)
    assert broken(asked, allocation(took("gpus/big", "gpu-0"), took("gpus/big", "gpu-1"))) == set()
    assert broken(asked, allocation(took("gpus/small", "gpu-3"))) == set()
    assert "every-result-names-a-request" in broken(asked, allocation(took("gpus", "gpu-0")))
    mixed = allocation(took("gpus/big", "gpu-0"), took("gpus/small", "gpu-1"))
    assert "every-request-keeps-to-one-alternative" in broken(asked, mixed)


def test_all_takes_every_device() -> None:
    asked = problem(FOUR, ALL)
    assert broken(asked, allocation(*(took("gpus", f"gpu-{n}") for n in range(4)))) == set()
    assert broken(asked, allocation(*(took("gpus", f"gpu-{n}") for n in range(3)))) == {
        "all-leaves-no-matching-device-out"
    }


def test_all_without_devices_is_no_answer() -> None:
    assert "every-request-is-answered" in broken(problem([], ALL), allocation(usable=None))


def _incomplete() -> ResourceSlice:
    slice_ = published(device("gpu-0"), pool="torn")
    pool = slice_.spec.pool
    torn = type(pool)(name=pool.name, generation=pool.generation, resourceSliceCount=2)
    return type(slice_)(
        metadata=slice_.metadata,
        spec=type(slice_.spec)(
            driver=slice_.spec.driver, pool=torn, nodeName=slice_.spec.nodeName, devices=slice_.spec.devices
        ),
    )


def test_incomplete_pools_give_nothing_and_stop_all() -> None:
    slices = [*FOUR, _incomplete()]
    single = claim("single", wants("gpu"))
    assert broken(problem(slices, single), allocation(took("gpu", "gpu-0"))) == set()
    assert "every-device-is-offered-on-the-node" in broken(
        problem(slices, single), allocation(took("gpu", "gpu-0", pool="torn"))
    )
    assert {"the-allocator-would-search", "all-sees-no-unfinished-pool"} <= broken(
        problem(slices, ALL), allocation(*(took("gpus", f"gpu-{n}") for n in range(4)))
    )


def test_a_claim_holds_at_most_32_devices() -> None:
    many = [published(*(device(f"gpu-{n:02}") for n in range(33)))]
    asked = problem(many, claim("many", wants("some", 32), wants("one")))
    results = [*(took("some", f"gpu-{n:02}") for n in range(32)), took("one", "gpu-32")]
    assert {"no-claim-exceeds-the-limit", "the-allocator-would-search"} <= broken(asked, allocation(*results))


def test_an_unknown_class_is_refused() -> None:
    asked = problem(FOUR, claim("odd", wants("gpu", deviceClassName="missing")))
    assert "the-allocator-would-search" in broken(asked, allocation(took("gpu", "gpu-0")))
