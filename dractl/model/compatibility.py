"""Compatibility groups: devices of a counter set that are in use together have a group in common (dra.md §13).

The allocator narrows a set of groups with every device. The set stays non-empty exactly if there is one group that all
devices have, so the model chooses that group, or that no device has any.
"""

from collections.abc import Iterable

from dractl.api.identities import PoolId
from dractl.model.formula import Formula, Literal, opposite
from dractl.model.moments import Counted, moments
from dractl.model.variables import Choice, Variables
from dractl.problem.compatibility import CounterSetId, Groups, GroupState, Ungrouped, groups_of
from dractl.problem.problem import Problem


def devices_of_a_counter_set_have_a_group_in_common(formula: Formula, variables: Variables) -> None:
    """Also with those that are held; for a device of which shares are held that was settled before."""
    if not variables.joint.features.compatibility_groups:
        return
    consumers: dict[CounterSetId, list[Choice]] = {}
    for choice in variables.choices:
        if variables.has_to_join(choice):
            for counter_set in groups_of(choice.candidate.device):
                consumers.setdefault(counter_set, []).append(choice)
    viewers = _viewers(variables.problems)
    for counter_set, choices in consumers.items():
        for initial in _initial_states(viewers[counter_set.pool], counter_set):
            for counted in moments(formula, variables, choices):
                _agree_on_a_group(formula, counted, counter_set, initial)


def _initial_states(problems: Iterable[Problem], counter_set: CounterSetId) -> tuple[GroupState, ...]:
    """The same by the view of every node, unless slices of the pool contradict each other; then each is respected."""
    return tuple(dict.fromkeys(problem.groups.get(counter_set) for problem in problems))


def _viewers(problems: Iterable[Problem]) -> dict[PoolId, list[Problem]]:
    """The nodes that see each pool."""
    found: dict[PoolId, list[Problem]] = {}
    for problem in problems:
        for pool in problem.pools:
            found.setdefault(pool.id, []).append(problem)
    return found


def _agree_on_a_group(
    formula: Formula, counted: Iterable[Counted], counter_set: CounterSetId, initial: GroupState
) -> None:
    wanted = [(entry.taken, groups_of(entry.choice.candidate.device)[counter_set]) for entry in counted]
    agreed: dict[str, Literal] = {group: formula.new() for group in _open_groups(initial, (own for _, own in wanted))}
    none: Literal | None = formula.new() if initial is None or isinstance(initial, Ungrouped) else None
    formula.at_most_one([*agreed.values(), *([none] if none is not None else [])])
    for taken, groups in wanted:
        fitting = [agreed[group] for group in sorted(groups) if group in agreed]
        if not groups and none is not None:
            fitting = [none]
        formula.at_least_one([opposite(taken), *fitting])


def _open_groups(initial: GroupState, wanted: Iterable[Groups]) -> list[str]:
    """Groups on which the devices might agree."""
    if isinstance(initial, Ungrouped):
        return []
    known = sorted(frozenset[str]().union(*wanted))
    return known if initial is None else [group for group in known if group in initial]
