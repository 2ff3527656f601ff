"""Hints: on which NUMA nodes one provider could serve a request, and which of these it would rather use."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from msgspec import Struct

from dractl.kubelet.faults import KubeletFault
from dractl.kubelet.stopped import KubeletStopped, Stop
from dractl.machine.idsets import NO_NODES, NumaSet


class Hint(Struct, frozen=True):
    """A set of NUMA nodes, None for any, and whether it is preferred."""

    nodes: NumaSet | None
    preferred: bool


MASK_WIDTH: Final = 64

NO_HINT: Final = Hint(None, preferred=False)
"""What is on record for a container before anything was stored for it."""

Hints = Mapping[str, tuple[Hint, ...] | None]
"""Hints by resource. No list: do not care. An empty list: impossible (kubelet.md §8.1)."""


class Group(Struct, frozen=True):
    """A set of NUMA nodes, with its two possible hints.

    `rest` is the position of the same set without its last node among all groups, -1 for a single node; `last` is that
    node's position among the nodes. Sums over many groups are built on each other this way.
    """

    mask: int
    size: int
    rest: int
    last: int
    preferred: Hint
    acceptable: Hint

    def hint(self, *, preferred: bool) -> Hint:
        """The group as a hint."""
        return self.preferred if preferred else self.acceptable


@lru_cache(maxsize=256)
def groups_over(nodes: tuple[int, ...]) -> tuple[Group, ...]:
    """Every non-empty set of the nodes, by size, then in lexicographic order.

    Raises KubeletStopped where a node's number is too large for the kubelet.
    """
    check_mask_width(max(nodes, default=0))
    groups: list[Group] = []
    position_of: dict[tuple[int, ...], int] = {}
    for size in range(1, len(nodes) + 1):
        for chosen in combinations(range(len(nodes)), size):
            members = NumaSet(nodes[position] for position in chosen)
            position_of[chosen] = len(groups)
            rest = position_of.get(chosen[:-1], -1)
            hints = Hint(members, preferred=True), Hint(members, preferred=False)
            groups.append(Group(members.mask, size, rest, chosen[-1], *hints))
    return tuple(groups)


def sums_over(groups: Iterable[Group], amounts: Sequence[int]) -> list[int]:
    """For each group the sum of its nodes' amounts."""
    sums: list[int] = []
    for group in groups:
        sums.append(amounts[group.last] if group.rest < 0 else sums[group.rest] + amounts[group.last])
    return sums


def check_mask_width(largest: int) -> None:
    """The kubelet holds sets of NUMA nodes in 64 bits, and crashes on larger numbers (kubelet.md §8)."""
    if largest >= MASK_WIDTH:
        raise KubeletStopped(
            Stop.CRASH,
            KubeletFault.LARGE_NODE_NUMBER,
            f"NUMA node {largest} does not fit into the kubelet's sets of nodes, which have {MASK_WIDTH} bits",
        )


def best_hint(hints: tuple[Hint, ...]) -> Hint | None:
    """The preferred ones first, then the narrowest; None if there is none."""
    return min(hints, key=_worth, default=None)


def _worth(hint: Hint) -> tuple[bool, int, int]:
    nodes = NO_NODES if hint.nodes is None else hint.nodes
    return not hint.preferred, len(nodes), nodes.mask
