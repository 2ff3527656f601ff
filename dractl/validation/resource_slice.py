"""ResourceSlice (validation.md §7)."""

from collections.abc import Iterator

from dractl.api.resource import ResourceSlice
from dractl.validation.violation import Violation, ViolationType


def check_slice(resource_slice: ResourceSlice) -> Iterator[Violation]:
    """What is wrong with a slice."""
    if resource_slice.spec.pool.resourceSliceCount <= 0:
        yield Violation(
            ("spec", "pool", "resourceSliceCount"),
            ViolationType.INVALID,
            "must be greater than 0",
            "write how many slices the pool has in this generation",
        )
