"""All answers of a small world, one after the other: the order of dra.md §12 without any thought of speed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from dractl.api.core import Node
from dractl.api.resource import DeviceRequest, DeviceSubRequest, ExactDeviceRequest, ResourceClaim
from dractl.cluster.upstream import UpstreamFault
from tests.worlds.brute_rules import (
    Amounts,
    Holding,
    Seen,
    Taken,
    View,
    can_take,
    consumed_amounts,
    has,
    is_selectable,
    is_shareable,
    may_be_used,
    reaches,
    view,
)
from tests.worlds.world import World, WorldPod

MOST_PER_CLAIM = 32


MOST_LOOKS = 20_000
"""Devices tried until a world counts as too large."""


class TooLarge(Exception):
    """The world has more answers than a test should look at."""


class Patience:
    """Raises TooLarge after so many looks."""

    def __init__(self, looks: int = MOST_LOOKS) -> None:
        self._left = looks

    def look(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooLarge


def assignments(
    world: World, node: Node, claims: Sequence[ResourceClaim], holdings: tuple[Holding, ...], patience: Patience
) -> Iterator[tuple[Taken, ...]]:
    """Every way in which the claims can get their devices on the node, the scheduler's first."""
    yield from _Enumeration(view(world, node, holdings), patience).claims(claims, ())


@dataclass(frozen=True)
class _Enumeration:
    at: View
    patience: Patience

    def claims(self, claims: Sequence[ResourceClaim], before: tuple[Taken, ...]) -> Iterator[tuple[Taken, ...]]:
        if not claims:
            yield before
            return
        for taken in self._requests(claims[0], list(claims[0].spec.devices.requests or ()), before):
            if sum(each.claim is claims[0] for each in taken) <= MOST_PER_CLAIM:
                yield from self.claims(claims[1:], taken)

    def _requests(
        self, claim: ResourceClaim, requests: Sequence[DeviceRequest], before: tuple[Taken, ...]
    ) -> Iterator[tuple[Taken, ...]]:
        if not requests:
            yield before
            return
        for alternative, asked in _alternatives(requests[0]):
            for devices in _combinations(self.at, asked):
                takings = [Taken(claim, requests[0].name, alternative, asked, seen) for seen in devices]
                taken = self._take(before, takings)
                if taken is not None:
                    yield from self._requests(claim, requests[1:], taken)

    def _take(self, before: tuple[Taken, ...], takings: Sequence[Taken]) -> tuple[Taken, ...] | None:
        taken = before
        for one in takings:
            self.patience.look()
            if not can_take(self.at, taken, one):
                return None
            taken = (*taken, one)
        return taken


def _alternatives(
    request: DeviceRequest,
) -> list[tuple[str | None, ExactDeviceRequest | DeviceSubRequest]]:
    if request.exactly is not None:
        return [(None, request.exactly)]
    return [(alternative.name, alternative) for alternative in request.firstAvailable or ()]


def _combinations(at: View, asked: ExactDeviceRequest | DeviceSubRequest) -> Iterator[tuple[Seen, ...]]:
    matching = [
        seen for seen in at.devices if is_selectable(at, asked, seen) and consumed_amounts(asked, seen) is not None
    ]
    if asked.allocationMode == "All":
        if not has(at, UpstreamFault.ALL_TAKES_UNUSABLE):
            matching = [seen for seen in matching if may_be_used(seen, at.node)]
        if matching:
            yield tuple(matching)
        return
    yield from combinations(matching, asked.count)


# --- several pods ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """What matters to the pods that are still to come; `usable` are the nodes on which allocated claims can be used."""

    holdings: tuple[Holding, ...]
    usable: tuple[tuple[str, frozenset[str]], ...]
    free: tuple[tuple[str, str, int], ...]


Placed = tuple[int, ...]
"""Numbers of placed pods by priority, the highest first."""


def most_placed(world: World) -> Placed:
    """How many pods can be placed, those of higher priority first; raises TooLarge."""
    patience = Patience()
    levels = sorted({pod.priority for pod in world.pods}, reverse=True)
    reached = {_start(world): tuple(0 for _ in levels)}
    for pod in world.pods:
        level = levels.index(pod.priority)
        after = dict(reached)
        for state, placed in reached.items():
            more = tuple(number + (position == level) for position, number in enumerate(placed))
            for new in _placings(world, pod, state, patience):
                after[new] = max(more, after.get(new, more))
        reached = after
    return max(reached.values())


def held_in(world: World) -> tuple[Holding, ...]:
    """dra.md §3: admin access is not counted; a share has an id."""
    found: list[Holding] = []
    for claim in world.held:
        assert claim.status.allocation is not None
        for result in claim.status.allocation.devices.results or ():
            if not result.adminAccess:
                amounts = {name: amount.nano for name, amount in (result.consumedCapacity or {}).items()}
                key = (result.driver, result.pool, result.device)
                found.append(Holding(key, result.shareID is not None, _sorted(amounts)))
    return tuple(sorted(found))


def _start(world: World) -> State:
    free = tuple(
        sorted((node, resource, amount) for node, left in world.free.items() for resource, amount in left.items())
    )
    return State(held_in(world), (), free)


def _placings(world: World, pod: WorldPod, state: State, patience: Patience) -> Iterator[State]:
    for node in world.nodes:
        name = node.metadata.name
        free = _without(state.free, name, pod)
        usable = dict(state.usable)
        if free is None or any(name not in usable.get(claim, {name}) for claim in pod.claims):
            continue
        claims = [world.claim(claim) for claim in pod.claims if claim not in usable]
        for taken in assignments(world, node, claims, state.holdings, patience):
            new = usable | {claim.metadata.name: _usable(world, node, claim, taken) for claim in claims}
            holdings = (*state.holdings, *(_holding(one) for one in taken if not one.is_admin))
            yield State(tuple(sorted(holdings)), tuple(sorted(new.items(), key=lambda item: item[0])), free)


def _without(
    free: tuple[tuple[str, str, int], ...], node: str, pod: WorldPod
) -> tuple[tuple[str, str, int], ...] | None:
    taken = tuple(
        (name, resource, left - (pod.takes.get(resource, 0) if name == node else 0)) for name, resource, left in free
    )
    short = any(left < 0 and name == node and pod.takes.get(resource, 0) > 0 for name, resource, left in taken)
    return None if short else taken


def _holding(one: Taken) -> Holding:
    if not is_shareable(one.seen):
        return Holding(one.seen.key, False)
    return Holding(one.seen.key, True, _sorted(consumed_amounts(one.asked, one.seen) or {}))


def _usable(world: World, node: Node, claim: ResourceClaim, taken: Sequence[Taken]) -> frozenset[str]:
    """dra.md §17: on this node alone if a device is local, else where every device's slice can be used."""
    slices = [one.seen.slice for one in taken if one.claim is claim]
    if any(each.spec.nodeName is not None for each in slices):
        return frozenset({node.metadata.name})
    return frozenset(
        other.metadata.name
        for other in world.nodes
        if all(reaches(one.seen.slice, other) and may_be_used(one.seen, other) for one in taken if one.claim is claim)
    )


def _sorted(amounts: dict[str, int]) -> Amounts:
    return tuple(sorted(amounts.items()))
