"""Which devices a node sees: slices become pools, complete, incomplete or invalid (dra.md §4)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from enum import StrEnum
from functools import cached_property

import msgspec
from msgspec import Struct

from dractl.api.base import NodeSelector
from dractl.api.core import Node
from dractl.api.identities import DeviceId, PoolId
from dractl.api.resource import CounterSet, Device, ResourceSlice
from dractl.api.selectors import matches_node, why_unreadable
from dractl.cel import DeviceView, EvaluationFault, Selector
from dractl.cluster.features import Features, Implementation


class PoolState(StrEnum):
    """Only complete pools give devices; incomplete and invalid ones make "All" requests fail.

    One with a node selector that cannot be parsed is unreadable: it stands for all pools of the node, and `because` is
    the error that ends the scheduling of every pod with claims.
    """

    COMPLETE = "complete"
    INCOMPLETE = "incomplete"
    INVALID = "invalid"
    UNREADABLE = "unreadable"


class UnreadableSelector(ValueError):
    """A node selector that the scheduler cannot parse; the message is its own, without the dump of the object."""


class PoolDevice(Struct, frozen=True, eq=False, dict=True):
    """A device together with the slice that lists it.

    One object serves every node that sees it, so identity is equality.
    """

    id: DeviceId
    device: Device
    slice: ResourceSlice

    @cached_property
    def view(self) -> DeviceView:
        """What CEL expressions see of the device."""
        return DeviceView.of(self.id.driver, self.device)

    @cached_property
    def _verdicts(self) -> dict[str, bool | EvaluationFault]:
        return {}

    def verdict(self, selector: Selector) -> bool | EvaluationFault:
        """What the selector says of the device; equal expressions are evaluated once."""
        known = self._verdicts
        if selector.expression not in known:
            known[selector.expression] = selector.evaluate(self.view)
        return known[selector.expression]

    def is_on(self, node: Node) -> bool:
        """Whether the device's own node fields match; asked in slices with `perDeviceNodeSelection` only.

        Raises UnreadableSelector.
        """
        device = self.device
        if device.nodeName:
            return device.nodeName == node.metadata.name
        return bool(device.allNodes) or _matches(device.nodeSelector, node)


class Pool(Struct, frozen=True):
    """The devices of one driver and pool name at the newest generation, as one node sees them.

    `devices` are those of slices that are relevant for the node, in the scheduler's order; `elsewhere` are those of the
    pool's other slices, which count for counters and compatibility groups only. `because` says why a pool is not
    complete.
    """

    id: PoolId
    state: PoolState
    devices: tuple[PoolDevice, ...]
    elsewhere: tuple[PoolDevice, ...] = ()
    counter_sets: Mapping[str, CounterSet] | None = None
    has_binding_conditions: bool = False
    because: str = ""

    @property
    def comes_last(self) -> bool:
        """Complete pools with binding conditions are tried after all others."""
        return self.state is PoolState.COMPLETE and self.has_binding_conditions


class PoolIndex:
    """All slices of a cluster, prepared so that the pools of a node are quickly gathered.

    `slices` come in the order in which the scheduler's cache lists them; where that order is not fixed, by name.
    The stable allocator tries pools, and the slices in them, in no fixed order: here by name too.
    """

    def __init__(self, slices: Iterable[ResourceSlice], features: Features) -> None:
        self._features = features
        self._first: ResourceSlice | None = None
        self._is_stable = features.implementation is Implementation.STABLE
        self._by_node: dict[str, list[ResourceSlice]] = {}
        self._anywhere: list[ResourceSlice] = []
        self._by_pool: dict[PoolId, list[ResourceSlice]] = {}
        self._newest: dict[PoolId, int] = {}
        self._devices: dict[int, tuple[PoolDevice, ...]] = {}
        for slice_ in slices:
            pool = pool_of(slice_)
            generation = slice_.spec.pool.generation
            self._newest[pool] = max(self._newest.get(pool, generation), generation)
            if self._is_invisible(slice_):
                continue
            self._by_pool.setdefault(pool, []).append(slice_)
            if slice_.spec.nodeName:
                self._by_node.setdefault(slice_.spec.nodeName, []).append(slice_)
            else:
                self._anywhere.append(slice_)

    def for_node(self, node: Node) -> tuple[Pool, ...]:
        """The pools of a node in the order in which the scheduler tries them, or the unreadable one alone."""
        groups: dict[PoolId, list[ResourceSlice]] = {}
        for slice_ in (*self._by_node.get(node.metadata.name, ()), *self._anywhere):
            try:
                is_relevant = self._is_relevant(slice_, node)
            except UnreadableSelector as error:
                text = f"gather pool information: failed to perform node selection for {error}"
                return (Pool(pool_of(slice_), PoolState.UNREADABLE, (), because=text),)
            if is_relevant:
                _add_to_generation(groups.setdefault(pool_of(slice_), []), slice_)
        pools = [pool for pool_id, relevant in groups.items() if (pool := self._pool(pool_id, relevant)) is not None]
        if self._is_stable:
            first = pool_of(self._first) if self._first is not None else None
            return tuple(sorted(pools, key=lambda pool: (pool.id != first, pool.id)))
        return tuple(sorted(pools, key=lambda pool: (pool.comes_last, pool.id)))

    def slices_on(self, node: Node) -> tuple[ResourceSlice, ...]:
        """The slices that are relevant for a node, of every generation."""
        candidates = (*self._by_node.get(node.metadata.name, ()), *self._anywhere)
        return tuple(slice_ for slice_ in candidates if self._is_relevant(slice_, node))

    def devices_on(self, node: Node) -> Iterator[PoolDevice]:
        """The devices for a node, of slices of every generation: one is there again with each generation."""
        for slice_ in self.slices_on(node):
            for device in self._devices_of(slice_):
                if not slice_.spec.perDeviceNodeSelection or _is_for(device, node):
                    yield device

    def trying_first(self, slice_: ResourceSlice) -> "PoolIndex":
        """The same slices in another order that the stable allocator may take: this one and its pool before others."""
        other = copy(self)
        other._first = slice_
        return other

    def slices_of(self, pool: PoolId) -> Sequence[ResourceSlice]:
        """All slices of a pool that the allocator sees, of every generation and for every node."""
        return self._by_pool.get(pool, [])

    def _is_invisible(self, slice_: ResourceSlice) -> bool:
        """With compatibility groups off, slices that name them do not exist, but for their generation (dra.md §2)."""
        if self._features.compatibility_groups:
            return False
        return any(
            use.compatibilityGroups for device in slice_.spec.devices or () for use in device.consumesCounters or ()
        )

    def _is_relevant(self, slice_: ResourceSlice, node: Node) -> bool:
        spec = slice_.spec
        if not self._features.partitionable_devices and (
            spec.sharedCounters or spec.perDeviceNodeSelection is not None
        ):
            return False
        if self._is_stable and spec.sharedCounters:
            return True
        if spec.nodeName:
            return spec.nodeName == node.metadata.name
        if spec.allNodes:
            return True
        if spec.nodeSelector is not None:
            return _matches(spec.nodeSelector, node, f"slice {slice_.metadata.name}: ")
        return bool(spec.perDeviceNodeSelection) and any(_is_for(device, node) for device in self._devices_of(slice_))

    def _devices_of(self, slice_: ResourceSlice) -> tuple[PoolDevice, ...]:
        devices = self._devices.get(id(slice_))
        if devices is None:
            pool = pool_of(slice_)
            devices = tuple(
                PoolDevice(DeviceId(pool.driver, pool.pool, device.name), self._as_seen(device), slice_)
                for device in slice_.spec.devices or ()
            )
            self._devices[id(slice_)] = devices
        return devices

    def _as_seen(self, device: Device) -> Device:
        """The stable allocator does not know that devices can be shared, nor do its selectors (dra.md §2)."""
        if self._is_stable and device.allowMultipleAllocations:
            return msgspec.structs.replace(device, allowMultipleAllocations=None)
        return device

    def _pool(self, pool_id: PoolId, relevant: list[ResourceSlice]) -> Pool | None:
        """The pool of these relevant slices, or None if a newer generation elsewhere makes it vanish."""
        generation = relevant[0].spec.pool.generation
        expected = relevant[0].spec.pool.resourceSliceCount
        everywhere = relevant
        if len(relevant) != expected:
            if self._newest[pool_id] > generation:
                return None
            everywhere = [slice_ for slice_ in self._by_pool[pool_id] if slice_.spec.pool.generation == generation]
        return self._assemble(pool_id, relevant, everywhere, expected)

    def _assemble(
        self, pool_id: PoolId, relevant: list[ResourceSlice], everywhere: list[ResourceSlice], expected: int
    ) -> Pool:
        here = {id(slice_) for slice_ in relevant}
        elsewhere = [slice_ for slice_ in everywhere if id(slice_) not in here]
        if self._is_stable:
            relevant = sorted(relevant, key=lambda slice_: slice_ is not self._first)
        else:
            relevant = sorted(relevant, key=lambda slice_: slice_.metadata.name)
            elsewhere = sorted(elsewhere, key=lambda slice_: slice_.metadata.name)
        devices = self._published(relevant)
        others = self._published(elsewhere)
        binding = any(device.device.bindingConditions for device in devices)
        counter_sets, because = self._counter_sets((*relevant, *elsewhere))
        state = PoolState.COMPLETE
        if len(everywhere) != expected:
            state = PoolState.INCOMPLETE
            because = f"{len(everywhere)} of {expected} slices are there"
        elif because := because or self._why_invalid(devices, others, counter_sets):
            state = PoolState.INVALID
        return Pool(pool_id, state, devices, others, counter_sets, binding, because)

    def _published(self, slices: Iterable[ResourceSlice]) -> tuple[PoolDevice, ...]:
        """The devices of these slices; one with counter sets publishes none."""
        partitioned = self._features.partitionable_devices
        giving = (slice_ for slice_ in slices if not (partitioned and slice_.spec.sharedCounters))
        return tuple(device for slice_ in giving for device in self._devices_of(slice_))

    def _counter_sets(self, slices: Iterable[ResourceSlice]) -> tuple[dict[str, CounterSet], str]:
        """The counter sets by name, and what is wrong if a name occurs twice."""
        found: dict[str, CounterSet] = {}
        if not self._features.partitionable_devices:
            return found, ""
        for slice_ in slices:
            for counter_set in slice_.spec.sharedCounters or ():
                if counter_set.name in found:
                    return found, f"counter set {counter_set.name} is defined twice"
                found[counter_set.name] = counter_set
        return found, ""

    def _why_invalid(
        self, devices: Iterable[PoolDevice], elsewhere: Iterable[PoolDevice], counter_sets: Mapping[str, CounterSet]
    ) -> str:
        devices = tuple(devices)
        seen: set[str] = set()
        for device in devices:
            if device.id.device in seen:
                return f"device {device.id.device} is listed twice"
            seen.add(device.id.device)
        if not self._features.partitionable_devices:
            return ""
        return next(
            (fault for device in (*devices, *elsewhere) if (fault := _missing_counter(device, counter_sets))), ""
        )


def pool_of(slice_: ResourceSlice) -> PoolId:
    """The pool that a slice belongs to."""
    return PoolId(slice_.spec.driver, slice_.spec.pool.name)


def newest(slices: Iterable[ResourceSlice]) -> Iterator[ResourceSlice]:
    """The slices of each pool's newest generation, in their order, whatever nodes they are for."""
    known = tuple(slices)
    generations: dict[PoolId, int] = {}
    for slice_ in known:
        pool = pool_of(slice_)
        generations[pool] = max(generations.get(pool, slice_.spec.pool.generation), slice_.spec.pool.generation)
    return (slice_ for slice_ in known if slice_.spec.pool.generation == generations[pool_of(slice_)])


def _matches(selector: NodeSelector | None, node: Node, owner: str = "") -> bool:
    """Whether the selector matches; all of its terms are parsed first."""
    if fault := why_unreadable(selector):
        raise UnreadableSelector(f"{owner}failed to parse node selector: {fault}")
    return matches_node(selector, node)


def _is_for(device: PoolDevice, node: Node) -> bool:
    try:
        return device.is_on(node)
    except UnreadableSelector as error:
        raise UnreadableSelector(f"device {device.id.device}: {error}") from error


def _add_to_generation(group: list[ResourceSlice], slice_: ResourceSlice) -> None:
    """Older slices than the group's are dropped, a newer one replaces the whole group."""
    if group and slice_.spec.pool.generation > group[0].spec.pool.generation:
        group.clear()
    if not group or slice_.spec.pool.generation == group[0].spec.pool.generation:
        group.append(slice_)


def _missing_counter(device: PoolDevice, counter_sets: Mapping[str, CounterSet]) -> str:
    for use in device.device.consumesCounters or ():
        counter_set = counter_sets.get(use.counterSet)
        if counter_set is None:
            return f"device {device.id.device} consumes from counter set {use.counterSet}, which does not exist"
        for counter in use.counters or ():
            if counter not in (counter_set.counters or {}):
                return f"device {device.id.device} consumes counter {counter}, which counter set {use.counterSet} lacks"
    return ""
