"""Compatibility groups of the devices that this attempt takes (dra.md §13)."""

from collections.abc import Mapping

from dractl.problem.candidates import Candidate
from dractl.problem.compatibility import UNGROUPED, CounterSetId, Groups, GroupState, Ungrouped, groups_of
from dractl.problem.demands import Demand


class GroupStates:
    """The state of every counter set; a device that consumes from several must be admitted to each."""

    def __init__(self, initial: Mapping[CounterSetId, GroupState]) -> None:
        self._states: dict[CounterSetId, GroupState] = dict(initial)
        self._before: list[dict[CounterSetId, GroupState]] = []

    def take(self, demand: Demand, candidate: Candidate) -> bool:  # noqa: ARG002
        """Admit the device and narrow the sets that it consumes from."""
        wanted = groups_of(candidate.device)
        if not all(_admits(self._states.get(counter_set), groups) for counter_set, groups in wanted.items()):
            return False
        self._before.append({counter_set: self._states.get(counter_set) for counter_set in wanted})
        for counter_set, groups in wanted.items():
            self._states[counter_set] = _narrowed(self._states.get(counter_set), groups)
        return True

    def release(self, demand: Demand, candidate: Candidate) -> None:  # noqa: ARG002
        """Restore the sets as they were before the latest device."""
        self._states.update(self._before.pop())


def _admits(state: GroupState, groups: Groups) -> bool:
    if state is None:
        return True
    if isinstance(state, Ungrouped):
        return not groups
    return bool(state & groups)


def _narrowed(state: GroupState, groups: Groups) -> GroupState:
    if not groups:
        return UNGROUPED
    return groups if state is None or isinstance(state, Ungrouped) else state & groups
