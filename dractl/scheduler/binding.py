"""What has to become true before a decided pod is bound to its node (scheduling.md §10)."""

from collections.abc import Iterable

from dractl.api.resource import AllocationResult


def binding_conditions(allocations: Iterable[AllocationResult]) -> str:
    """The conditions that new allocations wait for, in words, or nothing."""
    conditions = {
        f"{condition} of {result.driver}/{result.pool}/{result.device}"
        for allocation in allocations
        for result in allocation.devices.results or ()
        for condition in result.bindingConditions or ()
    }
    return "binding conditions " + ", ".join(sorted(conditions)) if conditions else ""
