"""Devices in use whose counters v1.37.2 forgets, because today's slices do not have them (dra.md §14, §18).

What such a device consumed when it was allocated is written down nowhere, so the plan can only say so.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from dractl.api.identities import ClaimRef, DeviceId, PoolId
from dractl.api.resource import Device, ResourceClaim, ResourceSlice
from dractl.cluster.cluster import Cluster
from dractl.cluster.pools import PoolDevice, newest, pool_of
from dractl.cluster.upstream import UpstreamFault
from dractl.finding import Finding, Severity
from dractl.problem.compatibility import groups_of
from dractl.problem.counters import consumption

RULE: Final = f"upstream/{UpstreamFault.HELD_READ_FROM_SLICES.issue}"


def unplugged_findings(cluster: Cluster) -> Iterator[Finding]:
    """One for each claim and device; pools without counter sets have nothing to forget."""
    if not cluster.features.partitionable_devices:
        return
    pools = _Published(cluster)
    for ref, claim in cluster.claims.items():
        for number, device in _held(claim):
            if device.pool_id in pools.with_counters and (what := pools.why_forgotten(device)):
                yield _finding(cluster, ref, number, device, what)


class _Published:
    """What slices say about devices: those of the newest generation, and older ones that are still there."""

    def __init__(self, cluster: Cluster) -> None:
        current = tuple(newest(cluster.slices))
        self.with_counters: Final = {pool_of(each) for each in current if each.spec.sharedCounters}
        self._today: Final = _devices(current)
        newer = {id(each) for each in current}
        self._before: Final = _devices([each for each in cluster.slices if id(each) not in newer])
        self._complete: Final = _complete_pools(current)

    def why_forgotten(self, device: DeviceId) -> str:
        """What the slices hide, as a clause; nothing if they still say all."""
        today, before = self._today.get(device), self._before.get(device)
        if today is not None:
            return "is listed with less than an older slice says" if before and _consumes_less(today, before) else ""
        if device.pool_id not in self._complete or (before is not None and not before.device.consumesCounters):
            return ""
        return "is not in any slice of its pool any more"


def _devices(slices: Iterable[ResourceSlice]) -> dict[DeviceId, PoolDevice]:
    found: dict[DeviceId, PoolDevice] = {}
    for slice_ in slices:
        for device in slice_.spec.devices or ():
            known = _known(device, slice_)
            found[known.id] = known
    return found


def _known(device: Device, slice_: ResourceSlice) -> PoolDevice:
    pool = pool_of(slice_)
    return PoolDevice(DeviceId(pool.driver, pool.pool, device.name), device, slice_)


def _complete_pools(current: tuple[ResourceSlice, ...]) -> set[PoolId]:
    """Pools of which a slice is missing give nothing to anybody until it is there again."""
    numbers: dict[PoolId, int] = {}
    for slice_ in current:
        numbers[pool_of(slice_)] = numbers.get(pool_of(slice_), 0) + 1
    return {pool_of(each) for each in current if each.spec.pool.resourceSliceCount == numbers[pool_of(each)]}


def _consumes_less(today: PoolDevice, before: PoolDevice) -> bool:
    now = consumption(today)
    less = any(now.get(counter, 0) < amount for counter, amount in consumption(before).items())
    return less or any(groups and not groups_of(today).get(key) for key, groups in groups_of(before).items())


def _held(claim: ResourceClaim) -> Iterator[tuple[int, DeviceId]]:
    """The claim's devices with the numbers of their results; admin access consumes nothing."""
    allocation = claim.status.allocation
    for number, result in enumerate((allocation.devices.results if allocation is not None else None) or ()):
        if not result.adminAccess:
            yield number, DeviceId(result.driver, result.pool, result.device)


def _finding(cluster: Cluster, claim: ClaimRef, number: int, device: DeviceId, what: str) -> Finding:
    fault = UpstreamFault.HELD_READ_FROM_SLICES
    return Finding(
        rule=RULE,
        severity=Severity.WARNING,
        message=(
            f"the claim holds {device}, which {what}; v1.37.2 {fault.does} ({fault.reference}), "
            "so what they do not say counts as free"
        ),
        place=cluster.place_of_claim(claim).at("status", "allocation", "devices", "results", number),
        subject=f"ResourceClaim {claim}",
        remedy="other claims may get devices that share hardware with it, until its driver lists the device again",
    )
