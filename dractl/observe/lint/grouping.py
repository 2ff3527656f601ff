"""Compatibility groups of a counter set: who could be in use together."""

from msgspec import Struct

from dractl.api.resource import Device
from dractl.errors import Place
from dractl.observe.lint.context import PoolSlices
from dractl.observe.lint.partitions import Amounts, consumed, devices_of


class Member(Struct, frozen=True):
    """A device that takes from a counter set, with the groups that it names for it."""

    device: Device
    groups: frozenset[str]
    place: Place
    subject: str


def members_by_set(pool: PoolSlices) -> dict[str, list[Member]]:
    """The devices of each counter set."""
    found: dict[str, list[Member]] = {}
    for device, place, slice_ in devices_of(pool):
        for use in device.consumesCounters or ():
            member = Member(device, frozenset(use.compatibilityGroups or ()), place, str(slice_.ref))
            found.setdefault(use.counterSet, []).append(member)
    return found


def fit_together(first: Member, second: Member, held: Amounts) -> bool:
    """Whether the counters of an untouched pool suffice for both devices."""
    one, other = consumed(first.device), consumed(second.device)
    return all(one.get(key, 0) + other.get(key, 0) <= held.get(key, 0) for key in {*one, *other})
