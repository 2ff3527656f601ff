"""Devices of one counter set have a compatibility group in common, or none names any (dra.md §13)."""

from collections.abc import Iterator

from dractl.problem.compatibility import CounterSetId, Groups, GroupState, Ungrouped, groups_of
from dractl.solution.verify.attempt import Attempt, Take
from dractl.solution.verify.violations import Breach


def users_of_a_counter_set_are_compatible(attempt: Attempt) -> Iterator[Breach]:
    """All users of a counter set, those that hold their devices already included, share a group or have none."""
    if not attempt.problem.features.compatibility_groups:
        return
    users: dict[CounterSetId, list[tuple[Take, Groups]]] = {}
    for take in attempt.payers():
        for counter_set, groups in groups_of(take.device).items():
            users.setdefault(counter_set, []).append((take, groups))
    for counter_set, together in users.items():
        if not _are_compatible(attempt.problem.groups.get(counter_set), [groups for _, groups in together]):
            names = ", ".join(take.id.device for take, _ in together)
            what = f"{names} and what is in use have no compatibility group in common"
            yield Breach(f"counter set {counter_set.counter_set}: {what}", together[-1][0].claim, together[-1][0].id)


def _are_compatible(state: GroupState, users: list[Groups]) -> bool:
    """Whether all users are ungrouped, and nothing grouped is in use, or all are grouped and one group is common."""
    if not any(users):
        return state is None or isinstance(state, Ungrouped)
    if not all(users) or isinstance(state, Ungrouped):
        return False
    common = frozenset.intersection(*users)
    return bool(common if state is None else common & state)
