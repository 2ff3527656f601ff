"""How far drivers are with preparing allocated devices for their node: binding conditions (scheduling.md §5, §10)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum

from msgspec import Struct

from dractl.api.base import Condition
from dractl.api.identities import DeviceId
from dractl.api.resource import DeviceRequestAllocationResult, ResourceClaim
from dractl.api.times import parse_time


class BindingState(StrEnum):
    """Where the binding of a claim stands; a failed or overdue one makes the claim unavailable."""

    READY = "ready"
    WAITING = "waiting"
    OVERDUE = "overdue"
    FAILED = "failed"


class Binding(Struct, frozen=True):
    """The binding of one allocated claim.

    `failed` are failure conditions that are true, `pending` binding conditions that are not true yet, each with its
    device. `until` is when the scheduler gives up, None if it never does: then nobody wrote down when the claim was
    allocated.
    """

    pending: tuple[tuple[str, DeviceId], ...] = ()
    failed: tuple[tuple[str, DeviceId], ...] = ()
    until: datetime | None = None

    def is_overdue(self, now: datetime | None) -> bool:
        """Whether the scheduler has given up waiting; never where nobody says what time it is."""
        return bool(self.pending) and self.until is not None and now is not None and self.until < now

    def state(self, now: datetime | None) -> BindingState:
        """What a pod that uses the claim meets."""
        if self.failed:
            return BindingState.FAILED
        if self.is_overdue(now):
            return BindingState.OVERDUE
        return BindingState.WAITING if self.pending else BindingState.READY


def binding_of(claim: ResourceClaim, timeout: timedelta) -> Binding:
    """What `status.devices` says about the conditions of the claim's allocation; without any the claim is ready.

    `timeout` is how long the scheduler waits.
    """
    allocation = claim.status.allocation
    results = [
        result for result in (allocation.devices.results if allocation else None) or () if result.bindingConditions
    ]
    if allocation is None or not results:
        return Binding()
    stamp = allocation.allocationTimestamp
    return Binding(
        pending=tuple(_pending(claim, results)),
        failed=tuple(_failed(claim, results)),
        until=parse_time(stamp) + timeout if stamp else None,
    )


def _pending(claim: ResourceClaim, results: list[DeviceRequestAllocationResult]) -> Iterator[tuple[str, DeviceId]]:
    for result in results:
        true = _true_conditions(claim, result)
        for condition in result.bindingConditions or ():
            if condition not in true:
                yield condition, _device(result)


def _failed(claim: ResourceClaim, results: list[DeviceRequestAllocationResult]) -> Iterator[tuple[str, DeviceId]]:
    for result in results:
        true = _true_conditions(claim, result)
        for condition in result.bindingFailureConditions or ():
            if condition in true:
                yield condition, _device(result)


def _true_conditions(claim: ResourceClaim, result: DeviceRequestAllocationResult) -> frozenset[str]:
    return frozenset(each.type for each in device_conditions(claim, result) if each.status == "True")


def _device(result: DeviceRequestAllocationResult) -> DeviceId:
    return DeviceId(result.driver, result.pool, result.device)


def device_conditions(claim: ResourceClaim, result: DeviceRequestAllocationResult) -> list[Condition]:
    """What the driver says of an allocated device in `status.devices`; `status.conditions` counts for nothing."""
    where = (result.driver, result.pool, result.device)
    for status in claim.status.devices or ():
        if (status.driver, status.pool, status.device) == where:
            return status.conditions or []
    return []
