"""Gates select one of three implementations, which knows some features (dra.md §2). FEATURE: A6"""

from collections.abc import Iterable

import pytest

from dractl.cluster.features import GATES, Features, Implementation

DEFAULT_ON = {
    "DRAAdminAccess",
    "DRAPrioritizedList",
    "DRAPartitionableDevices",
    "DRADeviceTaints",
    "DRADeviceBindingConditions",
    "DRAResourceClaimDeviceStatus",
    "DRAConsumableCapacity",
}


@pytest.mark.parametrize(
    ("gates", "implementation"),
    [
        (DEFAULT_ON, Implementation.INCUBATING),
        (DEFAULT_ON | {"DRAListTypeAttributes"}, Implementation.EXPERIMENTAL),
        (DEFAULT_ON - {"DRADeviceBindingConditions", "DRAConsumableCapacity"}, Implementation.STABLE),
        (DEFAULT_ON - {"DRAResourceClaimDeviceStatus", "DRAConsumableCapacity"}, Implementation.STABLE),
    ],
)
def test_the_first_implementation_that_knows_everything(gates: Iterable[str], implementation: Implementation) -> None:
    assert Features.of(set(gates)).implementation is implementation


def test_a_forced_implementation_does_not_know_what_others_do() -> None:
    features = Features.of({*GATES.values(), "DRAResourceClaimDeviceStatus"}, Implementation.STABLE)
    assert features.partitionable_devices
    assert not features.consumable_capacity
    assert not features.list_type_attributes
