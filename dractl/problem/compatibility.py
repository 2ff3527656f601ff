"""Compatibility groups: which devices of a counter set may be in use together (dra.md §13)."""

from collections.abc import Mapping

from msgspec import Struct

from dractl.api.identities import PoolId
from dractl.cluster.pools import Pool, PoolDevice
from dractl.cluster.usage import Usage

Groups = frozenset[str]


class CounterSetId(Struct, frozen=True, order=True):
    """A counter set of a pool: groups bind devices per set."""

    pool: PoolId
    counter_set: str


class Ungrouped(Struct, frozen=True):
    """The state of a counter set that devices without groups use."""


GroupState = Groups | Ungrouped | None
"""`None` means that nothing uses the counter set yet; an empty set admits nothing."""

UNGROUPED = Ungrouped()


def groups_of(device: PoolDevice) -> Mapping[CounterSetId, Groups]:
    """The groups that the device names for each counter set it consumes from; none means ungrouped."""
    pool = device.id.pool_id
    return {
        CounterSetId(pool, use.counterSet): frozenset(use.compatibilityGroups or ())
        for use in device.device.consumesCounters or ()
    }


def initial_groups(pool: Pool, usage: Usage) -> Mapping[CounterSetId, GroupState]:
    """The state of the pool's counter sets that the devices in use leave; nothing is refused while folding."""
    states: dict[CounterSetId, GroupState] = {}
    for device in (*pool.devices, *pool.elsewhere):
        if usage.is_allocated(device.id):
            for counter_set, groups in groups_of(device).items():
                states[counter_set] = _fold(states.get(counter_set), groups)
    return states


def _fold(state: GroupState, groups: Groups) -> GroupState:
    if state is None:
        return groups or UNGROUPED
    if isinstance(state, Ungrouped) or not groups:
        return state
    return state & groups
