"""Taints that evict, and where they come from: the driver's slices and DeviceTaintRules (taints.md §1)."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TypeAlias

from msgspec import Struct

from dractl.api.base import Taint
from dractl.api.identities import DeviceId, PoolId
from dractl.api.resource import DeviceTaintRule, DeviceTaintSelector, ResourceSlice
from dractl.api.times import parse_time
from dractl.cluster.pools import pool_of

EVICTING = "NoExecute"


class RuleOrigin(Struct, frozen=True):
    """A DeviceTaintRule by name."""

    rule: str


class SliceOrigin(Struct, frozen=True):
    """A taint that the driver published: the slice, the device, and which of its taints, counted from 0."""

    slice: str
    device: DeviceId
    index: int


Origin: TypeAlias = RuleOrigin | SliceOrigin


def origin_text(origin: Origin) -> str:
    """`rule fw`, or `slice node-a-gpus`."""
    return f"rule {origin.rule}" if isinstance(origin, RuleOrigin) else f"slice {origin.slice}"


def origin_order(origin: Origin) -> tuple[bool, str, str, str, int]:
    """Sorts as the controller lists reasons: rules by name, then taints of slices by device and index."""
    if isinstance(origin, RuleOrigin):
        return False, origin.rule, "", "", 0
    return True, origin.device.driver, origin.device.pool, origin.device.device, origin.index


class EvictingTaint(Struct, frozen=True):
    """A taint with the effect NoExecute. `added` is its `timeAdded`, or the time of asking where it has none."""

    origin: Origin
    taint: Taint
    added: datetime


class PublishedDevice(Struct, frozen=True):
    """One entry of a slice of its pool's highest generation."""

    id: DeviceId
    slice: ResourceSlice
    taints: Sequence[Taint]


def published_devices(slices: Iterable[ResourceSlice]) -> list[PublishedDevice]:
    """All entries of slices that have the highest generation of their pool, complete or not, slices by name."""
    ordered = sorted(slices, key=lambda each: each.metadata.name)
    newest: dict[PoolId, int] = {}
    for slice_ in ordered:
        pool = pool_of(slice_)
        newest[pool] = max(newest.get(pool, slice_.spec.pool.generation), slice_.spec.pool.generation)
    return [
        PublishedDevice(DeviceId(pool.driver, pool.pool, device.name), slice_, device.taints or ())
        for slice_ in ordered
        if slice_.spec.pool.generation == newest[pool := pool_of(slice_)]
        for device in slice_.spec.devices or ()
    ]


def selects(selector: DeviceTaintSelector | None, device: DeviceId) -> bool:
    """Whether a rule's selector matches: all given names are equal; without a selector it matches nothing."""
    if selector is None:
        return False
    return (
        selector.driver in (None, device.driver)
        and selector.pool in (None, device.pool)
        and selector.device in (None, device.device)
    )


class EvictingTaints:
    """The NoExecute taints of every device, published or not.

    Of a device that is published twice the first entry counts, slices by name.
    """

    def __init__(self, devices: Iterable[PublishedDevice], rules: Iterable[DeviceTaintRule], now: datetime) -> None:
        self._published: dict[DeviceId, list[EvictingTaint]] = {}
        for device in devices:
            if device.id not in self._published:
                self._published[device.id] = list(_published(device, now))
        self._rules = [
            (rule.spec.deviceSelector, _evicting(RuleOrigin(rule.metadata.name), rule.spec.taint, now))
            for rule in rules
            if rule.spec.taint.effect == EVICTING
        ]

    def on(self, device: DeviceId) -> Iterator[EvictingTaint]:
        """The device's own taints first, then those of rules."""
        yield from self._published.get(device, ())
        yield from (taint for selector, taint in self._rules if selects(selector, device))


def _published(device: PublishedDevice, now: datetime) -> Iterator[EvictingTaint]:
    for index, taint in enumerate(device.taints):
        if taint.effect == EVICTING:
            yield _evicting(SliceOrigin(device.slice.metadata.name, device.id, index), taint, now)


def _evicting(origin: Origin, taint: Taint, now: datetime) -> EvictingTaint:
    return EvictingTaint(origin, taint, now if taint.timeAdded is None else parse_time(taint.timeAdded))
