"""DeviceClass (validation.md §5)."""

from collections.abc import Iterator

from dractl.api.resource import DeviceClass
from dractl.validation.selectors import check_selectors
from dractl.validation.violation import Violation


def check_device_class(device_class: DeviceClass) -> Iterator[Violation]:
    """What is wrong with a class."""
    for violation in check_selectors(device_class.spec.selectors):
        yield violation.below("spec", "selectors")
