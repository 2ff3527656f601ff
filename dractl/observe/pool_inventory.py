"""What pools hold, as the pool status controller sees them: slices of the highest generation, and who has what.

Slices come by name, claims by namespace and name, because a cluster lists them in no fixed order (poolstatus.md §7).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from dractl.api.identities import ClaimRef, PoolId
from dractl.api.resource import (
    Device,
    DeviceRequestAllocationResult,
    DeviceTaintRule,
    ResourceClaim,
    ResourceSlice,
)
from dractl.api.tolerations import REPELLING
from dractl.cluster.pools import pool_of
from dractl.cluster.taint_rules import with_rule_taints


class Holding(Struct, frozen=True):
    """One device in an allocated claim; admin access is none."""

    claim: ClaimRef
    result: DeviceRequestAllocationResult


class PoolContent(Struct, frozen=True):
    """One pool: its slices of the highest generation by name, with the taints of rules, and what claims hold of it.

    `held` are the names of devices that some claim holds, published or not.
    """

    id: PoolId
    slices: tuple[ResourceSlice, ...]
    holdings: tuple[Holding, ...]
    held: frozenset[str]

    @property
    def generation(self) -> int:
        """The generation that counts."""
        return self.slices[0].spec.pool.generation

    @property
    def devices(self) -> Iterator[tuple[ResourceSlice, Device]]:
        """Every published device with its slice, repeats included, in slice order."""
        for slice_ in self.slices:
            for device in slice_.spec.devices or ():
                yield slice_, device


def is_repelling(device: Device) -> bool:
    """Whether a taint keeps claims away that do not tolerate it."""
    return any(taint.effect in REPELLING for taint in device.taints or ())


def pool_contents(
    slices: Iterable[ResourceSlice], claims: Iterable[ResourceClaim], rules: Sequence[DeviceTaintRule]
) -> list[PoolContent]:
    """All pools by driver and name (poolstatus.md §2)."""
    by_pool: dict[PoolId, list[ResourceSlice]] = {}
    for slice_ in sorted(slices, key=lambda each: each.metadata.name):
        by_pool.setdefault(pool_of(slice_), []).append(slice_)
    held = _holdings(claims)
    return [_content(pool, by_pool[pool], held.get(pool, ()), rules) for pool in sorted(by_pool)]


def _content(
    pool: PoolId, slices: Sequence[ResourceSlice], holdings: Sequence[Holding], rules: Sequence[DeviceTaintRule]
) -> PoolContent:
    newest = max(slice_.spec.pool.generation for slice_ in slices)
    counted = (slice_ for slice_ in slices if slice_.spec.pool.generation == newest)
    return PoolContent(
        pool,
        tuple(with_rule_taints(slice_, rules) for slice_ in counted),
        tuple(holdings),
        frozenset(holding.result.device for holding in holdings),
    )


def _holdings(claims: Iterable[ResourceClaim]) -> Mapping[PoolId, list[Holding]]:
    found: dict[PoolId, list[Holding]] = {}
    for claim in sorted(claims, key=lambda each: (each.metadata.namespace, each.metadata.name)):
        allocation = claim.status.allocation
        ref = ClaimRef(claim.metadata.namespace, claim.metadata.name)
        for result in (allocation.devices.results if allocation is not None else None) or ():
            if not result.adminAccess:
                found.setdefault(PoolId(result.driver, result.pool), []).append(Holding(ref, result))
    return found
