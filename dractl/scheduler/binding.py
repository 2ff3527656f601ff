"""What has to become true before a decided pod is bound to its node (scheduling.md §10)."""

from collections.abc import Iterable, Mapping
from typing import Final

from dractl.api.identities import ClaimRef, DeviceId
from dractl.api.resource import AllocationResult, ResourceClaim
from dractl.api.times import time_text
from dractl.cluster.binding import BINDING_TIMEOUT, binding_of
from dractl.cluster.features import Features

_AT_MOST: Final = f"for at most {BINDING_TIMEOUT.seconds // 60} minutes"


def binding_wait(new: Mapping[ClaimRef, AllocationResult], held: Iterable[ResourceClaim], features: Features) -> str:
    """The conditions that a pod waits for, in words, or nothing: those of new allocations and of claims that it has."""
    if not features.binding_conditions:
        return ""
    waits = [*_of_new(new.values()), *(wait for claim in held for wait in _of_held(claim))]
    return f"binding conditions are not true yet: {', '.join(sorted(set(waits)))}" if waits else ""


def _of_new(allocations: Iterable[AllocationResult]) -> Iterable[str]:
    for allocation in allocations:
        for result in allocation.devices.results or ():
            for condition in result.bindingConditions or ():
                device = DeviceId(result.driver, result.pool, result.device)
                yield f"{condition} of {device} ({_AT_MOST})"


def _of_held(claim: ResourceClaim) -> Iterable[str]:
    binding = binding_of(claim)
    until = f"until {time_text(binding.until)}" if binding.until is not None else _AT_MOST
    for condition, device in binding.pending:
        yield f"{condition} of {device} ({until})"
