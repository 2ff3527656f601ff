"""The topology manager: one hint out of those of all providers (kubelet.md §8.1 to §8.4)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dractl.kubelet.hints import Hint, Hints
from dractl.kubelet.options import OptionFault, topology_options
from dractl.kubelet.reservations import Stage, StartFault
from dractl.kubelet.stopped import KubeletStopped, Stop
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.idsets import NO_NODES, NumaSet, members_of
from dractl.machine.machine import Machine

_MIXED: Final = -2
_NO_MASK_YET: Final = -1


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


@dataclass(frozen=True)
class TopologyPolicy:
    """Policy, scope and options. `distances` are the rows by NUMA node, looked at only where closest nodes win."""

    name: TopologyPolicyName
    scope: Scope = Scope.CONTAINER
    nodes: NumaSet = NO_NODES
    prefer_closest: bool = False
    distances: Mapping[int, tuple[int, ...]] | None = None

    def merge(self, provided: Sequence[Hints | None]) -> Hint:
        """The best hint that agrees with every provider; not preferred and on all nodes if there is none."""
        lists = list(self._lists(provided))
        if self.name is TopologyPolicyName.SINGLE_NUMA_NODE:
            lists = [tuple(hint for hint in hints if _is_single(hint)) for hints in lists]
        best = self._best(_combined(self.nodes.mask, lists), _widest_of_narrowest(lists))
        merged = Hint(self.nodes, preferred=False) if best is None else best
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

    def _best(self, candidates: Iterable[tuple[int, bool]], wide: int) -> Hint | None:
        best: tuple[int, bool] | None = None
        for candidate in candidates:
            if candidate[0] and (best is None or self._wins(candidate, best, wide)):
                best = candidate
        return None if best is None else Hint(NumaSet.of_mask(best[0]), best[1])

    def _wins(self, candidate: tuple[int, bool], current: tuple[int, bool], wide: int) -> bool:
        """Whether the candidate replaces the current best (§8.3)."""
        (new, new_preferred), (old, old_preferred) = candidate, current
        if new_preferred != old_preferred:
            return new_preferred
        new_size, old_size = new.bit_count(), old.bit_count()
        if new_preferred or old_size > wide or new_size == old_size:
            return self._fits_better(new, old)
        if old_size == wide:
            return False
        return new_size == wide or (old_size < new_size < wide)

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
                        Stop.CRASH, "NUMA distances are looked up by node number, which leave gaps here"
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
        raise _fault(str(error)) from None
    if closest and not all(node.distances for node in machine.nodes):
        raise _fault("cannot discover NUMA topology: error getting NUMA distances from cadvisor")
    if len(machine.nodes) > most:
        raise _fault(f"unsupported on machines with more than {most} NUMA Nodes")
    if name not in set(TopologyPolicyName):
        raise _fault(f'unknown policy: "{name}"')
    scope = configuration.topologyManagerScope or Scope.CONTAINER
    if scope not in set(Scope):
        raise _fault(f'unknown scope: "{scope}"')
    return TopologyPolicy(
        TopologyPolicyName(name),
        Scope(scope),
        machine.numa_nodes,
        closest,
        {node.node_id: node.distances for node in machine.nodes},
    )


def _is_single(hint: Hint) -> bool:
    return hint.preferred and (hint.nodes is None or len(hint.nodes) == 1)


def _combined(all_nodes: int, lists: Iterable[tuple[Hint, ...]]) -> Iterable[tuple[int, bool]]:
    """What all combinations of one hint per list come to: nodes in common, and whether the whole is preferred.

    Combinations are folded list by list over what decides: nodes in common, the one set that all named so far, and
    whether all were preferred. The kubelet walks every combination, with the same outcome.
    """
    states = {(all_nodes, _NO_MASK_YET, True)}
    for hints in lists:
        states = {_joined(state, hint) for state in states for hint in hints}
    return {(mask, preferred and common != _MIXED) for mask, common, preferred in states}


def _joined(state: tuple[int, int, bool], hint: Hint) -> tuple[int, int, bool]:
    mask, common, preferred = state
    preferred = preferred and hint.preferred
    if hint.nodes is None:
        return mask, common, preferred
    own = hint.nodes.mask
    return mask & own, own if common in (_NO_MASK_YET, own) else _MIXED, preferred


def _widest_of_narrowest(lists: Iterable[tuple[Hint, ...]]) -> int:
    """The largest of the sizes of each list's narrowest set: what any merged hint should at least span."""
    narrowest = (min((len(hint.nodes) for hint in hints if hint.nodes is not None), default=0) for hints in lists)
    return max(narrowest, default=0)


def _fault(message: str) -> StartFault:
    return StartFault(Stage.TOPOLOGY, message)
