"""The spread way of choosing CPUs: evenly over as few NUMA nodes as needed (kubelet.md §4.3, §4.4)."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from dractl.kubelet.cpu_topology import CpuTopology
from dractl.kubelet.faults import KubeletFault
from dractl.kubelet.packed import take_packed
from dractl.kubelet.shared_slices import SharedSlice, subsets
from dractl.kubelet.stopped import KubeletStopped, Stop
from dractl.kubelet.taking import Shortage, Taking, ceil_div, not_enough

_NONE: Final = SharedSlice([], 0)
_ENDLESS: Final = "the remainder of a distributed request is dealt to NUMA nodes without whole groups, for ever"


class Spreading(Struct, frozen=True):
    """CPUs go out in groups of `group` (whole cores or single CPUs); `by_socket` prefers nodes of one socket."""

    group: int = 1
    by_socket: bool = False


class _Choice(Struct, frozen=True):
    """NUMA nodes that share the CPUs, and those among them that take what is left over.

    `meant` are both as they were when they were chosen.
    """

    nodes: SharedSlice
    remainder: SharedSlice
    meant: tuple[list[int], list[int]]
    score: float
    in_socket: bool


def take_distributed(
    topology: CpuTopology, available: int, wanted: int, spreading: Spreading, noted: set[KubeletFault]
) -> int | Shortage:
    """Choose so many of the available CPUs, as bits. Raises KubeletStopped where the kubelet hangs.

    Faults that decide are added to `noted`.
    """
    group = spreading.group
    if wanted % group:
        return take_packed(topology, available, wanted)
    if wanted == 0:
        return 0
    taking = Taking(topology, available, wanted)
    if taking.free.bit_count() < wanted:
        return not_enough(wanted, taking.free)
    numas = taking.numas()
    per_node = ceil_div(ceil_div(topology.cpus.bit_count(), group), len(topology.numas))
    groups = ceil_div(wanted, group)
    for size in range(ceil_div(groups, per_node), min(groups, len(numas)) + 1):
        choice = _Search(taking, numas, size, spreading).best()
        if choice is not None:
            if choice.meant != (choice.nodes.now(), choice.remainder.now()):
                noted.add(KubeletFault.ALIASED_NODES)
            return _hand_out(taking, choice, size, group)
    return take_packed(topology, available, wanted)


class _Search:
    """The best set of one size among NUMA nodes; visits them in order, and stops when no better one is possible."""

    def __init__(self, taking: Taking, numas: Sequence[int], size: int, spreading: Spreading) -> None:
        self._topology = taking.topology
        self._free = {numa: taking.free_in(taking.topology.numas[numa]) for numa in numas}
        self._numas = numas
        self._size = size
        self._wanted = taking.wanted
        self._spreading = spreading

    def best(self) -> _Choice | None:
        best: _Choice | None = None
        for nodes in subsets(self._numas, self._size):
            if best is not None and best.score == 0 and (best.in_socket or not self._spreading.by_socket):
                break
            candidate = self._judged(nodes)
            if candidate is not None and self._better(candidate, best):
                best = candidate
        return best

    def _better(self, candidate: _Choice, best: _Choice | None) -> bool:
        in_socket = best is not None and best.in_socket
        if self._spreading.by_socket and candidate.in_socket != in_socket:
            return candidate.in_socket
        return candidate.score < (math.inf if best is None else best.score)

    def _judged(self, nodes: SharedSlice) -> _Choice | None:
        """The set with its best remainder and score, or None if it cannot hold what is wanted."""
        members, group = nodes.now(), self._spreading.group
        free = [self._free[numa] for numa in members]
        if sum(free) < self._wanted or sum(count // group for count in free) * group < self._wanted:
            return None
        share = self._wanted // self._size // group * group
        if self._spreading.by_socket:
            share = min([share, *(count // group * group for count in free)])
        if any(count < share for count in free):
            return None
        after = {numa: count - share if numa in members else count for numa, count in self._free.items()}
        rest = self._wanted - share * self._size
        in_socket = self._spreading.by_socket and self._one_socket(members)
        if rest == 0:
            return _Choice(nodes, _NONE, (members, []), _deviation(after), in_socket)
        score, remainder, takers = self._best_remainder(members, after, rest)
        return _Choice(nodes, remainder, (members, takers), score, in_socket)

    def _best_remainder(
        self, members: Sequence[int], after: Mapping[int, int], rest: int
    ) -> tuple[float, SharedSlice, list[int]]:
        """Which members take what is left over; wide sets first."""
        best_score, best, best_now = math.inf, _NONE, list[int]()
        candidates = [numa for numa in members if after[numa] >= self._spreading.group]
        for size in range(len(candidates), 0, -1):
            for takers in subsets(candidates, size):
                chosen = takers.now()
                if sum(after[numa] for numa in chosen) < rest:
                    continue
                score = _deviation(_dealt(after, chosen, rest, self._spreading.group))
                if score < best_score:
                    best_score, best, best_now = score, takers, chosen
        return best_score, best, best_now

    def _one_socket(self, numas: Sequence[int]) -> bool:
        cpus = self._topology.cpus_of_nodes(sum(1 << numa for numa in numas))
        return len(self._topology.sockets_of(cpus)) == 1


def _dealt(after: Mapping[int, int], takers: Sequence[int], rest: int, group: int) -> dict[int, int]:
    """Free CPUs per node when the rest is dealt round and round; endless where the takers lack whole groups."""
    left = dict(after)
    while rest > 0:
        before = rest
        for numa in takers:
            if rest > 0 and left[numa] >= group:
                left[numa] -= group
                rest -= group
        if rest == before:
            raise KubeletStopped(Stop.HANG, KubeletFault.ENDLESS_REMAINDER, _ENDLESS)
    return left


def _hand_out(taking: Taking, choice: _Choice, size: int, group: int) -> int | Shortage:
    """Take each node's share, then deal the rest. The sets are read as they stand now, overwritten or not (§4.4)."""
    wanted, masks = taking.wanted, taking.topology.numas
    nodes = choice.nodes.now()
    share = min([wanted // size // group * group, *(taking.free_in(masks[numa]) // group * group for numa in nodes)])
    for numa in nodes:
        _take_some(taking, masks[numa], share)
    rest, takers = wanted - share * len(nodes), choice.remainder.now()
    while rest > 0:
        before = rest
        for numa in takers:
            if rest > 0 and taking.free_in(masks[numa]) >= group:
                _take_some(taking, masks[numa], group)
                rest -= group
        if rest == before:
            raise KubeletStopped(Stop.HANG, KubeletFault.ENDLESS_REMAINDER, _ENDLESS)
    if taking.wanted > 0:
        return Shortage(f"accounting error, not enough CPUs allocated, remaining: {taking.wanted}")
    if taking.wanted < 0:
        return Shortage(f"accounting error, too many CPUs allocated, remaining: {taking.wanted}")
    return taking.taken


def _take_some(taking: Taking, cpus: int, wanted: int) -> None:
    """Packed within one node; the kubelet drops an error here, and the total tells."""
    taken = take_packed(taking.topology, taking.free & cpus, wanted)
    if not isinstance(taken, Shortage):
        taking.take(taken)


def _deviation(counts: Mapping[int, int]) -> float:
    """Population standard deviation, with the mean and the result rounded to three decimals."""
    values = counts.values()
    mean = _rounded(sum(values) / len(values))
    return _rounded(math.sqrt(sum((value - mean) ** 2 for value in values) / len(values)))


def _rounded(value: float) -> float:
    return math.floor(value * 1000 + 0.5) / 1000
