"""Pools whose slices have come apart: some at another generation, or under a name that is nearly the pool's."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from dractl.api.identities import DeviceId, PoolId
from dractl.api.objects import Sourced
from dractl.api.resource import ResourceSlice
from dractl.near_misses import nearest
from dractl.observe.lint.context import LintContext, PoolSlices

_BETWEEN_WORDS: Final = re.compile(r"[./:_-]")


class Misnamed(Struct, frozen=True):
    """Slices that one pool lacks and that stand under another name of the same driver."""

    odd: PoolSlices
    meant: PoolId


def is_parted_by_generation(pool: PoolSlices) -> bool:
    """Whether the slices of all generations together are as many as each of them announces."""
    every = (*pool.current, *pool.stale)
    return bool(pool.stale) and _announced(every) == len(every) and len({_node(each) for each in every}) == 1


def misnamed_pools(context: LintContext) -> dict[PoolId, Misnamed]:
    """Pairs of pools that together have the slices that each of them announces, by both pools."""

    def lacking(pool: PoolSlices) -> bool:
        return not pool.stale and (_announced(pool.current) or 0) > len(pool.current)

    found: dict[PoolId, Misnamed] = {}
    waiting = [pool for pool in context.pools.values() if lacking(pool)]
    for number, one in enumerate(waiting):
        for other in waiting[number + 1 :]:
            if one.id not in found and other.id not in found and _belong_together(one, other):
                odd, right = sorted((other, one), key=lambda pool: _standing(context, pool, (one.id, other.id)))
                found[one.id] = found[other.id] = Misnamed(odd, right.id)
    return found


def told_otherwise(context: LintContext) -> Iterator[DeviceId]:
    """Devices that are missing where they seem to belong, for what is wrong with their slices is told there."""
    for pool in context.pools.values():
        yield from (DeviceId(pool.id.driver, pool.id.pool, name) for each in pool.stale for name in _names(each))
        if len(shared_by(pool)) > 1:
            for each in pool.current:
                yield from (DeviceId(pool.id.driver, _node(each) or pool.id.pool, name) for name in _names(each))
    for pair in misnamed_pools(context).values():
        for each in pair.odd.current:
            yield from (DeviceId(pair.meant.driver, pair.meant.pool, name) for name in _names(each))


def shared_by(pool: PoolSlices) -> frozenset[str]:
    """The nodes whose slices bear the pool's name."""
    return frozenset(filter(None, map(_node, pool.current)))


def _names(slice_: Sourced[ResourceSlice]) -> Iterator[str]:
    return (device.name for device in slice_.object.spec.devices or ())


def _announced(slices: tuple[Sourced[ResourceSlice], ...]) -> int | None:
    """The number of slices on which all of them agree."""
    numbers = {each.object.spec.pool.resourceSliceCount for each in slices}
    return numbers.pop() if len(numbers) == 1 else None


def _node(slice_: Sourced[ResourceSlice]) -> str | None:
    return slice_.object.spec.nodeName


def _belong_together(one: PoolSlices, other: PoolSlices) -> bool:
    every = (*one.current, *other.current)
    generations = {each.object.spec.pool.generation for each in every}
    is_near = one.id.driver == other.id.driver and bool(nearest(one.id.pool, [other.id.pool]))
    is_whole = _announced(every) == len(every)
    return is_near and is_whole and len(generations) == 1 and len({_node(each) for each in every}) == 1


def _standing(context: LintContext, pool: PoolSlices, pair: tuple[PoolId, ...]) -> tuple[int, int]:
    """How likely the name is right: slices that bear it, and words of it that stand elsewhere."""
    names = [each.pool for each in context.pools if each not in pair]
    names += [pool.id.driver, *context.cluster.nodes]
    words = {word for name in names for word in _BETWEEN_WORDS.split(name)}
    return len(pool.current), sum(word in words for word in _BETWEEN_WORDS.split(pool.id.pool))
