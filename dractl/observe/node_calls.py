"""Which calls to a driver the kubelet leaves out for a claim (kubelet.md §14.6)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from dractl.api.identities import DeviceId, PoolId
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.resource import (
    AllocationResult,
    DeviceRequestAllocationResult,
    ResourceClaim,
    ResourceSlice,
)
from dractl.cluster.pools import pool_of
from dractl.errors import Place
from dractl.finding import Finding, Severity

PREPARE: Final = "NodePrepareResources"
UNPREPARE: Final = "NodeUnprepareResources"
_ANY: Final = "*"


def skipped_calls(allocation: AllocationResult) -> Mapping[str, tuple[str, ...]]:
    """For each driver the calls that are skipped, `NodePrepareResources` first; drivers that are called always lack.

    A call is skipped if every device of the driver in the claim says so; the allocation's copy counts, not the slice.
    """
    by_driver: dict[str, list[frozenset[str]]] = {}
    for result in allocation.devices.results or ():
        by_driver.setdefault(result.driver, []).append(_operations(result.skipNodeOperations))
    skipped = {driver: frozenset.intersection(*operations) for driver, operations in by_driver.items()}
    return {
        driver: tuple(call for call in (PREPARE, UNPREPARE) if call in calls)
        for driver, calls in skipped.items()
        if calls
    }


def _operations(written: Iterable[str] | None) -> frozenset[str]:
    names = frozenset(written or ())
    return frozenset({PREPARE, UNPREPARE}) if _ANY in names else names


def node_call_findings(objects: ObjectSet) -> Iterator[Finding]:
    """Allocations that differ by now from the slices that they were made from."""
    held = list(_held(objects))
    current = _current_slices(objects, {device for _, _, device, _ in held})
    for claim, result, device, place in held:
        if device in current:
            yield from _compare(claim, result, current[device], place)


def _held(
    objects: ObjectSet,
) -> Iterator[tuple[Sourced[ResourceClaim], DeviceRequestAllocationResult, DeviceId, Place]]:
    for claim in objects.of(ResourceClaim):
        allocation = claim.object.status.allocation
        for number, result in enumerate((allocation.devices.results if allocation is not None else None) or ()):
            place = claim.place.at("status", "allocation", "devices", "results", number)
            yield claim, result, DeviceId(result.driver, result.pool, result.device), place


def _current_slices(objects: ObjectSet, wanted: set[DeviceId]) -> Mapping[DeviceId, ResourceSlice]:
    """The slice of the newest generation that lists each of these devices."""
    pools = {device.pool_id for device in wanted}
    slices = [each.object for each in objects.of(ResourceSlice) if pool_of(each.object) in pools]
    newest: dict[PoolId, int] = {}
    for slice_ in slices:
        newest[pool_of(slice_)] = max(newest.get(pool_of(slice_), 0), slice_.spec.pool.generation)
    return {
        device: slice_
        for slice_ in slices
        if slice_.spec.pool.generation == newest[pool := pool_of(slice_)]
        for each in slice_.spec.devices or ()
        if (device := DeviceId(pool.driver, pool.pool, each.name)) in wanted
    }


def _compare(
    claim: Sourced[ResourceClaim], result: DeviceRequestAllocationResult, slice_: ResourceSlice, place: Place
) -> Iterator[Finding]:
    allocated, listed = _operations(result.skipNodeOperations), _operations(slice_.spec.skipNodeOperations)
    device = DeviceId(result.driver, result.pool, result.device)
    for call in (PREPARE, UNPREPARE):
        if (call in allocated) == (call in listed):
            continue
        does = "skips" if call in allocated else "makes"
        other = "no longer says so" if call in allocated else "now says that it is skipped"
        yield Finding(
            "node-calls/changed",
            Severity.WARNING,
            f"the kubelet {does} {call} for {device} as the allocation has it; slice {slice_.metadata.name} {other}",
            place.at("skipNodeOperations") if result.skipNodeOperations else place,
            str(claim.ref),
            "a claim takes over what the slice says only when it is allocated anew",
        )
