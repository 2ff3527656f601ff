"""Pools as people ask about them: on each node how many devices there are, held, tainted, blocked and free, by whom.

The status of a ResourcePoolStatusRequest counts otherwise (`dractl.observe.pool_status`): it takes a device off twice
that is both held and tainted, and does not know that a held partition blocks others.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct, field

from dractl.api.base import ObjectMeta
from dractl.api.core import Node
from dractl.api.identities import ClaimRef, DeviceId, PoolId
from dractl.api.resource import Device, ResourceSlice
from dractl.cluster.contradictions import contradictions
from dractl.cluster.pools import Pool, PoolIndex, PoolState
from dractl.observe.counters_left import counters_left, fits
from dractl.observe.pool_inventory import PoolContent, is_repelling

HOSTNAME: Final = "kubernetes.io/hostname"


class Reach(StrEnum):
    """Where devices are that are not bound to one node by name."""

    ALL_NODES = "all nodes"
    SELECTED = "selected nodes"
    UNPUBLISHED = "not published"


class PoolShare(Struct, frozen=True):
    """What one pool has on one node, or in one other reach.

    `held` and `tainted` may overlap. `blocked` are neither, but the shared counters have too little left for them;
    `free` are the rest, none in a pool that gives no devices: then `state` and `because` say why. In a pool that
    `is_open` slices contradict each other, so that it may give all or nothing.
    """

    pool: PoolId
    where: str
    is_node: bool
    devices: int
    held: int
    tainted: int
    blocked: int
    free: int
    holders: Mapping[DeviceId, tuple[ClaimRef, ...]]
    state: PoolState
    because: str = ""
    is_open: bool = False


class _Tally(Struct):
    is_node: bool
    devices: int = 0
    held: int = 0
    tainted: int = 0
    blocked: int = 0
    free: int = 0
    names: list[str] = field(default_factory=list)


class Overview:
    """Counts the devices of pools. `index` is what the scheduler sees of them, `nodes` those of the input by name."""

    def __init__(self, index: PoolIndex, nodes: Mapping[str, Node]) -> None:
        self._index: Final = index
        self._nodes: Final = nodes
        self._pools: Final[dict[str, dict[PoolId, Pool]]] = {}

    def shares(self, contents: Iterable[PoolContent]) -> list[PoolShare]:
        """One share for each pool and place, nodes by name."""
        return [share for content in contents for share in self._shares_of(content)]

    def _shares_of(self, content: PoolContent) -> list[PoolShare]:
        tallies = _tallies(content)
        is_open = bool(contradictions(content.slices))
        holders: dict[str, dict[ClaimRef, None]] = {}
        for holding in content.holdings:
            holders.setdefault(holding.result.device, {})[holding.claim] = None
        shares = []
        for where, tally in sorted(tallies.items(), key=lambda each: (not each[1].is_node, each[0])):
            state, because = self._state(content, where, is_node=tally.is_node)
            shares.append(
                PoolShare(
                    pool=content.id,
                    where=where,
                    is_node=tally.is_node,
                    devices=tally.devices,
                    held=tally.held,
                    tainted=tally.tainted,
                    blocked=tally.blocked,
                    free=tally.free if state is PoolState.COMPLETE or is_open else 0,
                    holders={_id(content, name): tuple(holders[name]) for name in dict.fromkeys(tally.names)},
                    state=state,
                    because=because,
                    is_open=is_open,
                )
            )
        return shares

    # --- as the scheduler sees it ---

    def _state(self, content: PoolContent, where: str, *, is_node: bool) -> tuple[PoolState, str]:
        """Whether the scheduler takes devices from the pool, on the node or on the first one that sees the pool."""
        for name in [where] if is_node else sorted(self._nodes):
            pools = self._pools_on(name)
            if content.id in pools:
                return pools[content.id].state, pools[content.id].because
            unreadable = next((pool for pool in pools.values() if pool.state is PoolState.UNREADABLE), None)
            if unreadable is not None:
                return unreadable.state, unreadable.because
        return PoolState.COMPLETE, ""

    def _pools_on(self, name: str) -> dict[PoolId, Pool]:
        if name not in self._pools:
            node = self._nodes.get(name) or Node(metadata=ObjectMeta(name=name, labels={HOSTNAME: name}))
            self._pools[name] = {pool.id: pool for pool in self._index.for_node(node)}
        return self._pools[name]


def _tallies(content: PoolContent) -> dict[str, _Tally]:
    left = counters_left(content)
    tallies: dict[str, _Tally] = {}
    published = set()
    for slice_, device in content.devices:
        published.add(device.name)
        where, is_node = _place_of(slice_, device)
        tally = tallies.setdefault(where, _Tally(is_node))
        tally.devices += 1
        is_held, is_tainted = device.name in content.held, is_repelling(device)
        tally.held += is_held
        tally.tainted += is_tainted
        if is_held:
            tally.names.append(device.name)
        elif not is_tainted:
            has_room = fits(left, device)
            tally.free += has_room
            tally.blocked += not has_room
    if gone := sorted(content.held - published):
        tallies[Reach.UNPUBLISHED] = _Tally(is_node=False, held=len(gone), names=gone)
    return tallies or {where: _Tally(is_node) for where, is_node in map(_place_of_slice, content.slices)}


def _place_of(slice_: ResourceSlice, device: Device) -> tuple[str, bool]:
    if slice_.spec.perDeviceNodeSelection:
        return _place(device.nodeName, all_nodes=bool(device.allNodes))
    return _place_of_slice(slice_)


def _place_of_slice(slice_: ResourceSlice) -> tuple[str, bool]:
    return _place(slice_.spec.nodeName, all_nodes=bool(slice_.spec.allNodes))


def _place(node: str | None, *, all_nodes: bool) -> tuple[str, bool]:
    """The node by name, or how far the devices reach; and whether it is a node."""
    if node:
        return node, True
    return (Reach.ALL_NODES if all_nodes else Reach.SELECTED), False


def _id(content: PoolContent, device: str) -> DeviceId:
    return DeviceId(content.id.driver, content.id.pool, device)


def unusable(shares: Sequence[PoolShare]) -> list[PoolShare]:
    """Those of which the scheduler takes nothing."""
    return [share for share in shares if share.state is not PoolState.COMPLETE and not share.is_open]
