"""The topology manager: one hint out of those of all providers (kubelet.md §8.1 to §8.4)."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import islice, product
from typing import Final

from msgspec import Struct

from dractl.errors import FieldPath
from dractl.kubelet.faults import KubeletFault
from dractl.kubelet.hints import Hint, Hints, check_mask_width
from dractl.kubelet.options import OptionFault, TopologyOption, topology_options
from dractl.kubelet.reservations import Stage, StartFault
from dractl.kubelet.stopped import KubeletStopped, Stop
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.idsets import NO_NODES, NumaSet, members_of
from dractl.machine.machine import Machine

_LONGEST_WALK: Final = 500_000
_OPTIONS: Final = "topologyManagerPolicyOptions"


class TopologyPolicyName(StrEnum):
    """The topology manager's policies."""

    NONE = "none"
    BEST_EFFORT = "best-effort"
    RESTRICTED = "restricted"
    SINGLE_NUMA_NODE = "single-numa-node"


class Scope(StrEnum):
    """For what one hint is sought."""

    CONTAINER = "container"
    POD = "pod"


class TopologyPolicy(Struct, frozen=True):
    """Policy, scope and options. `distances` are the rows by NUMA node, looked at only where closest nodes win."""

    name: TopologyPolicyName
    scope: Scope = Scope.CONTAINER
    nodes: NumaSet = NO_NODES
    prefer_closest: bool = False
    distances: Mapping[int, tuple[int, ...]] | None = None

    def merge(self, provided: Sequence[Hints | None]) -> Hint:
        """The best hint that agrees with every provider; not preferred and on all nodes if there is none."""
        check_mask_width(self.nodes.mask.bit_length() - 1)
        lists = list(self._lists(provided))
        if self.name is TopologyPolicyName.SINGLE_NUMA_NODE:
            lists = [tuple(hint for hint in hints if _is_single(hint)) for hints in lists]
        elif self.prefer_closest and self._numbers_leave_gaps:
            self._walk(lists)
        merged = self._best_preferred(lists) or self._best_other(lists) or Hint(self.nodes, preferred=False)
        if self.name is TopologyPolicyName.SINGLE_NUMA_NODE and merged.nodes == self.nodes:
            return Hint(None, merged.preferred)
        return merged

    def admits(self, merged: Hint) -> bool:
        """Whether a pod with this hint is let in."""
        return merged.preferred or self.name is TopologyPolicyName.BEST_EFFORT

    def _lists(self, provided: Sequence[Hints | None]) -> Iterable[tuple[Hint, ...]]:
        for hints in provided:
            if not hints:
                yield _ANY
                continue
            for of_resource in hints.values():
                if of_resource is None:
                    yield _ANY
                else:
                    yield of_resource or _IMPOSSIBLE

    def _best_preferred(self, lists: Sequence[tuple[Hint, ...]]) -> Hint | None:
        """All hints are preferred, and all that name nodes name the same ones: the kubelet's preferred result."""
        named = [{hint.nodes.mask for hint in hints if hint.preferred and hint.nodes is not None} for hints in lists]
        indifferent = [any(hint.preferred and hint.nodes is None for hint in hints) for hints in lists]
        candidates = {
            mask
            for mask in set[int]().union(*named)
            if all(mask in masks or any_will_do for masks, any_will_do in zip(named, indifferent, strict=True))
        }
        if all(indifferent):
            candidates.add(self.nodes.mask)
        best = self._fittest(candidates)
        return None if best is None else Hint(NumaSet.of_mask(best), preferred=True)

    def _best_other(self, lists: Sequence[tuple[Hint, ...]]) -> Hint | None:
        """The nodes that one hint of each list have in common, as wide as the most demanding list needs (§8.3)."""
        masks = {self.nodes.mask}
        for hints in lists:
            own = {self.nodes.mask if hint.nodes is None else hint.nodes.mask for hint in hints}
            masks = {mask & other for mask in masks for other in own}
        masks.discard(0)
        wide = _widest_of_narrowest(lists)
        sizes = {mask.bit_count() for mask in masks}
        narrow_sizes = {size for size in sizes if size <= wide}
        size = max(narrow_sizes) if narrow_sizes else min(sizes, default=0)
        best = self._fittest(mask for mask in masks if mask.bit_count() == size)
        return None if best is None else Hint(NumaSet.of_mask(best), preferred=False)

    @property
    def _numbers_leave_gaps(self) -> bool:
        rows = (self.distances or {}).values()
        return self.nodes.mask.bit_length() > min((len(row) for row in rows), default=0)

    def _walk(self, lists: Sequence[tuple[Hint, ...]]) -> None:
        """Compare combination after combination as the kubelet does, because one of these comparisons may crash it.

        The result is no other than that of the direct way; only its first comparisons are looked at where combinations
        are very many.
        """
        wide = _widest_of_narrowest(lists)
        best: tuple[int, bool] | None = None
        for combination in islice(product(*lists), _LONGEST_WALK):
            candidate = _common(self.nodes.mask, combination)
            if candidate[0] and (best is None or self._wins(candidate, best, wide)):
                best = candidate

    def _wins(self, candidate: tuple[int, bool], current: tuple[int, bool], wide: int) -> bool:
        """Whether the candidate replaces the current best, step by step (§8.3)."""
        (new, new_preferred), (old, old_preferred) = candidate, current
        if new_preferred != old_preferred:
            return new_preferred
        new_size, old_size = new.bit_count(), old.bit_count()
        if new_preferred or old_size > wide or new_size == old_size:
            return self._fits_better(new, old)
        return old_size < wide and (new_size == wide or old_size < new_size < wide)

    def _fittest(self, masks: Iterable[int]) -> int | None:
        best: int | None = None
        for mask in masks:
            if best is None or self._fits_better(mask, best):
                best = mask
        return best

    def _fits_better(self, new: int, old: int) -> bool:
        if new == old:
            return False
        if new.bit_count() != old.bit_count():
            return new.bit_count() < old.bit_count()
        if self.prefer_closest and self.name is not TopologyPolicyName.SINGLE_NUMA_NODE:
            new_distance, old_distance = self._distance(new), self._distance(old)
            if new_distance != old_distance:
                return new_distance < old_distance
        return new < old

    def _distance(self, mask: int) -> float:
        """The average over all pairs, a node and itself included. Rows are looked up by node number.

        Raises KubeletStopped where a number is beyond the row: the kubelet crashes.
        """
        nodes = members_of(mask)
        rows = self.distances or {}
        total = 0
        for node in nodes:
            for other in nodes:
                row = rows.get(node, ())
                if other >= len(row):
                    raise KubeletStopped(
                        Stop.CRASH,
                        KubeletFault.SPARSE_DISTANCES,
                        f"NUMA node {node} has {len(row)} distances, and that to node {other} is looked up",
                    )
                total += row[other]
        return total / len(nodes) ** 2


_ANY: Final = (Hint(None, preferred=True),)
_IMPOSSIBLE: Final = (Hint(None, preferred=False),)


def topology_policy_of(machine: Machine, configuration: KubeletConfiguration) -> TopologyPolicy:
    """The policy that the configuration names. Raises StartFault.

    Under `none` nothing else is looked at (kubelet.md §1.2).
    """
    name = configuration.topologyManagerPolicy or TopologyPolicyName.NONE
    if name == TopologyPolicyName.NONE:
        return TopologyPolicy(TopologyPolicyName.NONE)
    try:
        closest, most = topology_options(configuration.topologyManagerPolicyOptions or {})
    except OptionFault as error:
        raise _fault(str(error), *((_OPTIONS, option) for option in error.names)) from None
    if closest and not all(node.distances for node in machine.nodes):
        message = "cannot discover NUMA topology: error getting NUMA distances from cadvisor"
        raise _fault(message, (_OPTIONS, TopologyOption.PREFER_CLOSEST))
    if len(machine.nodes) > most:
        message = f"unsupported on machines with more than {most} NUMA Nodes"
        raise _fault(message, (_OPTIONS, TopologyOption.MAX_NODES))
    if name not in set(TopologyPolicyName):
        raise _fault(f'unknown policy: "{name}"', ("topologyManagerPolicy",))
    scope = configuration.topologyManagerScope or Scope.CONTAINER
    if scope not in set(Scope):
        raise _fault(f'unknown scope: "{scope}"', ("topologyManagerScope",))
    return TopologyPolicy(
        TopologyPolicyName(name),
        Scope(scope),
        machine.numa_nodes,
        closest,
        {node.node_id: node.distances for node in machine.nodes},
    )


def looks_at_distances(configuration: KubeletConfiguration) -> bool:
    """Whether the start comes to the distances between NUMA nodes: options that are wrong end it before."""
    if configuration.topologyManagerPolicy in ("", TopologyPolicyName.NONE):
        return False
    try:
        closest, _ = topology_options(configuration.topologyManagerPolicyOptions or {})
    except OptionFault:
        return False
    return closest


def _is_single(hint: Hint) -> bool:
    return hint.preferred and (hint.nodes is None or len(hint.nodes) == 1)


def _common(all_nodes: int, combination: Sequence[Hint]) -> tuple[int, bool]:
    """The nodes that all hints have in common, and whether that is preferred."""
    named = [hint.nodes.mask for hint in combination if hint.nodes is not None]
    mask = all_nodes
    for other in named:
        mask &= other
    return mask, len(set(named)) < 2 and all(hint.preferred for hint in combination)


def _widest_of_narrowest(lists: Iterable[tuple[Hint, ...]]) -> int:
    """The largest of the sizes of each list's narrowest set: what any merged hint should at least span."""
    narrowest = (min((len(hint.nodes) for hint in hints if hint.nodes is not None), default=0) for hints in lists)
    return max(narrowest, default=0)


def _fault(message: str, *fields: FieldPath) -> StartFault:
    return StartFault(Stage.TOPOLOGY, message, *fields)
