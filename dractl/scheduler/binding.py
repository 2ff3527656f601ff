"""What has to become true before a decided pod is bound to its node (scheduling.md §10)."""

from collections.abc import Iterable, Mapping
from datetime import timedelta

from dractl.api.identities import ClaimRef, DeviceId
from dractl.api.resource import AllocationResult, ResourceClaim
from dractl.api.times import time_text
from dractl.cluster.binding import binding_of
from dractl.cluster.features import Features


def binding_wait(new: Mapping[ClaimRef, AllocationResult], held: Iterable[ResourceClaim], features: Features) -> str:
    """The conditions that a pod waits for, in words, or nothing: those of new allocations and of claims that it has."""
    if not features.binding_conditions:
        return ""
    timeout = features.binding_timeout
    waits = [*_of_new(new.values(), timeout), *(wait for claim in held for wait in _of_held(claim, timeout))]
    return f"binding conditions are not true yet: {', '.join(sorted(set(waits)))}" if waits else ""


def _of_new(allocations: Iterable[AllocationResult], timeout: timedelta) -> Iterable[str]:
    for allocation in allocations:
        for result in allocation.devices.results or ():
            for condition in result.bindingConditions or ():
                device = DeviceId(result.driver, result.pool, result.device)
                yield f"{condition} of {device} ({_at_most(timeout)})"


def _of_held(claim: ResourceClaim, timeout: timedelta) -> Iterable[str]:
    binding = binding_of(claim, timeout)
    until = f"until {time_text(binding.until)}" if binding.until is not None else _at_most(timeout)
    for condition, device in binding.pending:
        yield f"{condition} of {device} ({until})"


def _at_most(timeout: timedelta) -> str:
    minutes, seconds = divmod(timeout.total_seconds(), 60)
    return f"for at most {minutes:g} minutes" if not seconds else f"for at most {timeout.total_seconds():g} s"
