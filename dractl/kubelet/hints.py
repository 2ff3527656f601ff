"""Hints: on which NUMA nodes one provider could serve a request, and which of these it would rather use."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from dractl.machine.idsets import NumaSet


@dataclass(frozen=True, slots=True)
class Hint:
    """A set of NUMA nodes, None for any, and whether it is preferred."""

    nodes: NumaSet | None
    preferred: bool


NO_HINT: Final = Hint(None, preferred=False)
"""What is on record for a container before anything was stored for it."""

Hints = Mapping[str, tuple[Hint, ...] | None]
"""Hints by resource. No list: do not care. An empty list: impossible (kubelet.md §8.1)."""


@lru_cache(maxsize=256)
def masks_over(nodes: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Every non-empty set of the nodes as (bits, how many), by size, then in lexicographic order."""
    return tuple(_masks(nodes))


def _masks(nodes: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    bits = [1 << node for node in nodes]
    for size in range(1, len(nodes) + 1):
        for chosen in combinations(bits, size):
            yield sum(chosen), size


def narrower(first: NumaSet, second: NumaSet) -> bool:
    """Whether the first set has fewer nodes, or as many and the smaller number as a bit pattern (kubelet.md §8.3)."""
    return (len(first), first.mask) < (len(second), second.mask)


def best_hint(hints: tuple[Hint, ...]) -> Hint | None:
    """The preferred ones first, then the narrowest; None if there is none."""
    return min(hints, key=_worth, default=None)


def _worth(hint: Hint) -> tuple[bool, int, int]:
    nodes = hint.nodes if hint.nodes is not None else NumaSet()
    return not hint.preferred, len(nodes), nodes.mask
