"""Rules on single devices: counts, alternatives, All, who has a device, capacity, taints."""

# FEATURE: P2

import pytest

from dractl.api.resource import DeviceRequest, ResourceSlice
from tests.model.worlds import placed, pod, together, world
from tests.verify.builders import (
    TAINTED,
    claim,
    device,
    holding,
    published,
    took,
    wants,
    wants_all,
    wants_first_of,
)

THREE = published(device("gpu-0"), device("gpu-1"), device("gpu-2"))


def shareable(name: str, slots: int) -> ResourceSlice:
    policy = {"value": str(slots), "requestPolicy": {"default": "1"}}
    return published(device(name, allowMultipleAllocations=True, capacity={"slots": policy}))


def test_a_request_gets_so_many_devices_the_first_in_order() -> None:
    assert placed(world([THREE], claim("c", wants("r", 2)))) == {"pod-0": "node-a r:gpu-0 r:gpu-1"}
    assert placed(world([THREE], claim("c", wants("r", 4)))) == {}


def test_the_first_alternative_that_fits_is_taken() -> None:
    assert placed(world([THREE], claim("c", wants_first_of("r", many=4, few=2)))) == {
        "pod-0": "node-a r/few:gpu-0 r/few:gpu-1"
    }


def test_one_alternative_is_taken_and_no_more() -> None:
    assert placed(world([THREE], claim("c", wants_first_of("r", one=1, two=2)))) == {"pod-0": "node-a r/one:gpu-0"}
    assert placed(world([THREE], claim("c", wants_first_of("r", four=4, five=5)))) == {}


def test_an_earlier_pod_takes_a_later_alternative_if_more_pods_fit_then() -> None:
    greedy = claim("greedy", wants_first_of("r", three=3, one=1))
    assert placed(world([THREE], greedy, claim("modest", wants("r", 2)))) == {
        "pod-0": "node-a r/one:gpu-0",
        "pod-1": "node-a r:gpu-1 r:gpu-2",
    }


def test_a_claim_holds_32_devices_at_most() -> None:
    many = published(*(device(f"gpu-{number:02}") for number in range(40)))
    alternatives = claim("c", wants("r", 20), wants_first_of("s", twenty=20, twelve=12))
    (found,) = placed(world([many], alternatives)).values()
    assert found.count("r:") == 20
    assert found.count("s/twelve:") == 12


def test_all_takes_every_device_or_the_pod_stays_out() -> None:
    everything = claim("c", wants_all("r"))
    assert placed(world([THREE], everything)) == {"pod-0": "node-a r:gpu-0 r:gpu-1 r:gpu-2"}
    assert placed(world([THREE], everything, held=[holding("h", took("r", "gpu-1"))])) == {}
    assert placed(world([published(device("gpu-0"), device("gpu-1", taints=[TAINTED]))], everything)) == {}
    assert placed(world([published()], everything)) == {}


def test_a_device_goes_to_one_claim() -> None:
    assert placed(world([published(device("gpu-0"))], claim("one", wants("r")), claim("two", wants("r")))) == {
        "pod-0": "node-a r:gpu-0"
    }


def test_a_held_device_is_gone_except_for_admin_access() -> None:
    only, held = published(device("gpu-0")), [holding("h", took("r", "gpu-0"))]
    assert placed(world([only], claim("c", wants("r")), held=held)) == {}
    assert placed(world([only], claim("c", wants("r", adminAccess=True)), held=held)) == {"pod-0": "node-a r:gpu-0"}


@pytest.mark.parametrize(
    "requests",
    [
        (wants("one"), wants("two", adminAccess=True)),
        (wants("one", adminAccess=True), wants("two")),
        (wants("one", adminAccess=True), wants("two", adminAccess=True)),
    ],
)
def test_a_claim_has_a_device_once_even_with_admin_access(requests: tuple[DeviceRequest, ...]) -> None:
    assert placed(world([published(device("gpu-0"))], claim("c", *requests))) == {}


def test_in_one_pod_admin_access_blocks_a_later_claim_and_no_earlier_one() -> None:
    only = published(device("gpu-0"))
    admin, normal = claim("admin", wants("a", adminAccess=True)), claim("normal", wants("n"))
    assert placed(together(world([only], admin, normal))) == {}
    assert placed(together(world([only], normal, admin))) == {"pod-0": "node-a n:gpu-0 a:gpu-0"}


def test_admin_access_of_one_pod_does_not_block_another() -> None:
    admin, normal = claim("admin", wants("a", adminAccess=True)), claim("normal", wants("n"))
    assert placed(world([published(device("gpu-0"))], admin, normal)) == {
        "pod-0": "node-a a:gpu-0",
        "pod-1": "node-a n:gpu-0",
    }


def test_admin_access_of_a_shared_claim_blocks_only_the_pod_that_has_it_allocated() -> None:
    """The second pod finds the shared claim allocated, so that its own claim is decided alone."""
    admin, normal = claim("admin", wants("a", adminAccess=True)), claim("normal", wants("n"))
    only = published(device("gpu-0"))
    pods = [pod("first", "admin"), pod("second", "admin", "normal")]
    assert placed(world([only], admin, normal, pods=pods)) == {"first": "node-a a:gpu-0", "second": "node-a n:gpu-0"}
    pods = [pod("first", "admin", "normal"), pod("second", "admin")]
    assert placed(world([only], admin, normal, pods=pods)) == {"second": "node-a a:gpu-0"}


def test_shares_fill_a_device_and_no_more() -> None:
    claims = [claim(name, wants("r", capacity={"slots": "2"})) for name in ("one", "two", "three")]
    assert placed(world([shareable("gpu-0", 4)], *claims)) == {"pod-0": "node-a r:gpu-0", "pod-1": "node-a r:gpu-0"}


def test_held_shares_leave_less() -> None:
    held = [holding("h", took("r", "gpu-0", shareID="s", consumedCapacity={"slots": "3"}))]
    assert placed(world([shareable("gpu-0", 4)], claim("c", wants("r", capacity={"slots": "2"})), held=held)) == {}


def test_shares_from_former_times_stand_against_taking_the_device_alone() -> None:
    """dra.md §3: the device could be shared once, and its slice does not say so any more."""
    alone = published(device("gpu-0", capacity={"slots": {"value": "4"}}))
    without = holding("h", took("r", "gpu-0", shareID="s"))
    consuming = holding("h", took("r", "gpu-0", shareID="s", consumedCapacity={"slots": "3"}))
    assert placed(world([alone], claim("c", wants("r")), held=[without])) == {"pod-0": "node-a r:gpu-0"}
    assert placed(world([alone], claim("c", wants("r")), held=[consuming])) == {}


def test_a_share_with_admin_access_needs_room_only_while_its_pod_is_decided() -> None:
    shares = shareable("gpu-0", 2)
    admin = claim("admin", wants("r", adminAccess=True, capacity={"slots": "2"}))
    normal = claim("normal", wants("r", capacity={"slots": "2"}))
    assert len(placed(world([shares], admin, normal))) == 2
    assert len(placed(world([shares], normal, admin))) == 1
    assert placed(together(world([shares], admin, normal))) == {}


def test_amounts_beyond_64_bits_are_added_exactly() -> None:
    sizes = ("9223372036854775807", "20E", "1m")
    total = "29223372036854775807.001"
    for value, number in ((total, 3), ("29223372036854775807", 2)):
        shared = published(device("gpu-0", allowMultipleAllocations=True, capacity={"slots": {"value": value}}))
        claims = [claim(f"c-{size}", wants("r", capacity={"slots": size})) for size in sizes]
        assert len(placed(world([shared], *claims))) == number


def test_a_taint_needs_a_toleration() -> None:
    tainted = published(device("gpu-0", taints=[TAINTED]))
    assert placed(world([tainted], claim("c", wants("r")))) == {}
