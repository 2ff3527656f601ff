"""Pools whose slices contradict each other, so that the answer rests on the order of the scheduler's cache (dra.md §4).

Completeness is judged by the `resourceSliceCount` of the slice that happens to be listed first. Where slices of one
generation disagree about it, that order decides, and it is not fixed.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from dractl.api.identities import PoolId
from dractl.api.resource import ResourceSlice
from dractl.cluster.pools import pool_of


class Contradiction(Struct, frozen=True):
    """Slices of a pool's newest generation that declare different slice counts, by name."""

    pool: PoolId
    slices: tuple[ResourceSlice, ...]

    def __str__(self) -> str:
        counts = ", ".join(f"{each.metadata.name} says {each.spec.pool.resourceSliceCount}" for each in self.slices)
        return f"slices of pool {self.pool} disagree about resourceSliceCount ({counts})"

    def orders(self, slices: Sequence[ResourceSlice]) -> Iterator[list[ResourceSlice]]:
        """The slices in another order for each further declared count, with a slice that declares it first."""
        seen = {self.slices[0].spec.pool.resourceSliceCount}
        for first in self.slices[1:]:
            count = first.spec.pool.resourceSliceCount
            if count not in seen:
                seen.add(count)
                yield [first, *(each for each in slices if each is not first)]


def contradictions(slices: Sequence[ResourceSlice]) -> list[Contradiction]:
    """Every pool of which slices of the newest generation declare different counts."""
    by_pool: dict[PoolId, list[ResourceSlice]] = {}
    for slice_ in slices:
        by_pool.setdefault(pool_of(slice_), []).append(slice_)
    found = []
    for pool, members in by_pool.items():
        newest = max(slice_.spec.pool.generation for slice_ in members)
        current = tuple(slice_ for slice_ in members if slice_.spec.pool.generation == newest)
        if len({slice_.spec.pool.resourceSliceCount for slice_ in current}) > 1:
            found.append(Contradiction(pool, current))
    return found
