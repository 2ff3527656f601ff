"""Which known faults of v1.37.2 can make a difference to claims at all (dra.md §18): a quick look, never too narrow."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from dractl.api.identities import DeviceId
from dractl.api.resource import Device, ResourceSlice
from dractl.cluster.features import Features, Implementation
from dractl.cluster.pools import PoolDevice, newest, pool_of
from dractl.cluster.upstream import UpstreamFault, in_order
from dractl.cluster.usage import Usage
from dractl.problem.counters import CounterId, consumption
from dractl.problem.demands import ClaimDemand, Demand, alternatives_of


@dataclass(frozen=True, eq=False)
class Reach:
    """What a pod's unallocated claims, and those of others, meet in a cluster."""

    claims: Collection[ClaimDemand]
    slices: Collection[ResourceSlice]
    usage: Usage
    features: Features

    @property
    def demands(self) -> Iterator[Demand]:
        """Every demand of the claims."""
        for claim in self.claims:
            yield from alternatives_of(claim.requests)

    @property
    def devices(self) -> Iterator[Device]:
        """Every device that is published."""
        return (device for slice_ in self.slices for device in slice_.spec.devices or ())


def faults_in_reach(reach: Reach) -> tuple[UpstreamFault, ...]:
    """The faults whose rules may come to bear; undoing any other one changes nothing."""
    return in_order(fault for fault, may_matter in _QUESTIONS.items() if may_matter(reach))


def _has_admin_access(reach: Reach) -> bool:
    return any(demand.admin_access for demand in reach.demands)


def _admin_pays_counters(reach: Reach) -> bool:
    has_counters = reach.features.partitionable_devices or reach.features.compatibility_groups
    return has_counters and _has_admin_access(reach) and any(device.consumesCounters for device in reach.devices)


def _all_takes_unusable(reach: Reach) -> bool:
    return any(demand.wants_all for demand in reach.demands) and any(_unusable(reach))


def _overdrawn_set_blocks_pool(reach: Reach) -> bool:
    return reach.features.partitionable_devices and any(amount < 0 for amount in _left(reach).values())


def _constraint_ends_all(reach: Reach) -> bool:
    return any(
        demand.wants_all and constraint.applies_to(demand.ref)
        for claim in reach.claims
        for demand in alternatives_of(claim.requests)
        for constraint in claim.constraints
    )


_QUESTIONS: Final[dict[UpstreamFault, Callable[[Reach], bool]]] = {
    UpstreamFault.ADMIN_PAYS_COUNTERS: _admin_pays_counters,
    UpstreamFault.ALL_TAKES_UNUSABLE: _all_takes_unusable,
    UpstreamFault.OVERDRAWN_SET_BLOCKS_POOL: _overdrawn_set_blocks_pool,
    UpstreamFault.CONSTRAINT_ENDS_ALL: _constraint_ends_all,
    UpstreamFault.ADMIN_BLOCKS_LATER: _has_admin_access,
}
"""The faults that are rules; what held devices consumed when they were allocated cannot be known any more."""


def _unusable(reach: Reach) -> Iterable[bool]:
    if reach.features.implementation is Implementation.EXPERIMENTAL:
        yield from (bool(slice_.spec.skipNodeOperations) for slice_ in reach.slices)
    if not reach.features.partitionable_devices:
        yield from (bool(device.consumesCounters) for device in reach.devices)


def _left(reach: Reach) -> dict[CounterId, int]:
    """What the devices in use leave of every counter, as the newest slices have it."""
    left: dict[CounterId, int] = {}
    for slice_ in newest(reach.slices):
        pool = pool_of(slice_)
        for counter_set in slice_.spec.sharedCounters or ():
            for name, counter in (counter_set.counters or {}).items():
                key = CounterId(pool, counter_set.name, name)
                left[key] = left.get(key, 0) + counter.value.nano
        for device in slice_.spec.devices or ():
            known = PoolDevice(DeviceId(pool.driver, pool.pool, device.name), device, slice_)
            if reach.usage.is_allocated(known.id):
                for key, amount in consumption(known).items():
                    left[key] = left.get(key, 0) - amount
    return left
