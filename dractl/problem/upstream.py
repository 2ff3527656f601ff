"""Which known faults of v1.37.2 can make a difference to claims at all (dra.md §18): a quick look, never too narrow."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from msgspec import Struct

from dractl.api.identities import DeviceId
from dractl.api.resource import ResourceSlice
from dractl.cluster.features import Features, Implementation
from dractl.cluster.pools import PoolDevice, newest, pool_of
from dractl.cluster.upstream import UpstreamFault, in_order
from dractl.cluster.usage import Usage
from dractl.problem.counters import CounterId, consumption
from dractl.problem.demands import ClaimDemand, Demand, alternatives_of


class Inventory:
    """What the newest slices publish, looked at once for many questions."""

    def __init__(self, slices: Iterable[ResourceSlice]) -> None:
        self._slices: Final = tuple(newest(slices))

    @cached_property
    def skips_node_operations(self) -> bool:
        """Whether a driver skips node operations."""
        return any(slice_.spec.skipNodeOperations for slice_ in self._slices)

    @cached_property
    def consuming(self) -> Mapping[DeviceId, PoolDevice]:
        """The devices that consume counters."""
        found: dict[DeviceId, PoolDevice] = {}
        for slice_ in self._slices:
            pool = pool_of(slice_)
            for device in slice_.spec.devices or ():
                if device.consumesCounters:
                    known = PoolDevice(DeviceId(pool.driver, pool.pool, device.name), device, slice_)
                    found[known.id] = known
        return found

    @cached_property
    def counters(self) -> Mapping[CounterId, int]:
        """What there is of every counter while nothing is in use, in nano-units."""
        found: dict[CounterId, int] = {}
        for slice_ in self._slices:
            for counter_set in slice_.spec.sharedCounters or ():
                for name, counter in (counter_set.counters or {}).items():
                    key = CounterId(pool_of(slice_), counter_set.name, name)
                    found[key] = found.get(key, 0) + counter.value.nano
        return found


class Reach(Struct, frozen=True, eq=False):
    """What claims that are to be allocated together meet in a cluster."""

    claims: Collection[ClaimDemand]
    inventory: Inventory
    usage: Usage
    features: Features

    @property
    def demands(self) -> Iterator[Demand]:
        """Every demand of the claims."""
        for claim in self.claims:
            yield from alternatives_of(claim.requests)


def faults_in_reach(reach: Reach) -> tuple[UpstreamFault, ...]:
    """The faults whose rules may come to bear; undoing any other one changes nothing."""
    return in_order(fault for fault, may_matter in _QUESTIONS.items() if may_matter(reach))


def _has_admin_access(reach: Reach) -> bool:
    return any(demand.admin_access for demand in reach.demands)


def _admin_pays_counters(reach: Reach) -> bool:
    has_counters = reach.features.partitionable_devices or reach.features.compatibility_groups
    return has_counters and _has_admin_access(reach) and bool(reach.inventory.consuming)


def _all_takes_unusable(reach: Reach) -> bool:
    if not any(demand.wants_all for demand in reach.demands):
        return False
    is_experimental = reach.features.implementation is Implementation.EXPERIMENTAL
    if is_experimental and reach.inventory.skips_node_operations:
        return True
    return not reach.features.partitionable_devices and bool(reach.inventory.consuming)


def _overdrawn_set_blocks_pool(reach: Reach) -> bool:
    if not reach.features.partitionable_devices:
        return False
    used: Counter[CounterId] = Counter()
    for device in {*reach.usage.exclusive, *reach.usage.shared, *reach.usage.consumed}:
        known = reach.inventory.consuming.get(device)
        used.update(consumption(known) if known is not None else {})
    return any(amount > reach.inventory.counters.get(counter, 0) for counter, amount in used.items())


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
