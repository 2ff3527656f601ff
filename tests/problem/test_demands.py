"""What the allocator refuses before it looks at devices, and in which order (dra.md §5). FEATURE: A6, D2"""

from msgspec.structs import replace

from dractl.api.resource import CapacityRequirements, DeviceRequest, DeviceSubRequest
from dractl.cluster.features import Features
from tests.verify.builders import claim, device, problem, published, wants

NO_CAPACITY = replace(Features(), consumable_capacity=False)


def refusal(*requests: DeviceRequest, features: Features = NO_CAPACITY) -> str:
    found = problem([published(device("a"))], claim("c", *requests), features=features).refusal
    return found.text if found else ""


def either(*alternatives: DeviceSubRequest) -> DeviceRequest:
    return DeviceRequest(name="r", firstAvailable=list(alternatives))


def test_capacity_of_any_alternative_is_refused_before_the_first_one_is_checked() -> None:
    unknown = DeviceSubRequest(name="s0", deviceClassName="unknown")
    asking = DeviceSubRequest(name="s1", deviceClassName="gpu", capacity=CapacityRequirements())
    why = "has capacity requests, but the DRAConsumableCapacity feature is disabled"
    assert refusal(either(unknown, asking)) == f"claim lab/c, subrequest s1: {why}"


def test_requests_are_checked_one_after_the_other() -> None:
    first = wants("q", deviceClassName="unknown")
    assert refusal(first, wants("r", capacity={})).startswith("claim lab/c, request q: could not retrieve device class")


def test_alternatives_are_refused_as_a_whole_without_their_gate() -> None:
    request = either(DeviceSubRequest(name="s0", deviceClassName="unknown"))
    why = "has subrequests, but the DRAPrioritizedList feature is disabled"
    assert refusal(request, features=replace(Features(), prioritized_list=False)) == f"claim lab/c, request r: {why}"
