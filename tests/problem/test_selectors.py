"""What selectors say of devices (dra.md §6). FEATURE: D5"""

import pytest

from dractl.api.resource import CELDeviceSelector, DeviceAttribute, DeviceSelector
from dractl.problem.faults import AllocationFault
from tests.verify.builders import claim, device, problem, published, wants

EVERYTHING = DeviceSelector(cel=CELDeviceSelector(expression="true"))


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (DeviceAttribute(), "attribute model: unsupported attribute value"),
        (DeviceAttribute(version="1.x"), "attribute model: parse semantic version: "),
        (DeviceAttribute(versions=["1.0.0", ""]), "attribute model: parse semantic version: "),
    ],
)
def test_a_device_with_a_broken_attribute_fails_every_selector(broken: DeviceAttribute, why: str) -> None:
    slices = [published(device("a", attributes={"model": broken}))]
    asked = problem(slices, claim("c", wants("r", selectors=[EVERYTHING])))
    found = asked.candidates.look(asked.claims[0].requests[0].alternatives[0], asked.devices[0]).fault
    assert isinstance(found, AllocationFault)
    where = "claim lab/c: selector #0 on device gpu.example.com/pool/a"
    assert found.text.startswith(f"{where}: CEL runtime error: {why}")


def test_a_broken_attribute_is_no_harm_without_selectors() -> None:
    slices = [published(device("a", attributes={"model": DeviceAttribute()}))]
    asked = problem(slices, claim("c", wants("r")))
    assert asked.candidates.look(asked.claims[0].requests[0].alternatives[0], asked.devices[0]).is_usable
