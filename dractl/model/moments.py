"""When a limit on devices has to hold: at the end, and while a pod is being decided that takes what nobody holds later.

Pods are decided in queue order, each against what the ones before hold. What is taken and stays held only adds up, so
that a limit that holds at the end held all the time. Two kinds of picks are not held afterwards, but need room while
their pod is decided: those with admin access (dra.md §3; whether they need counters is another question, §18), and
devices that count as allocated already because of shares from a time when they could be shared (dra.md §3).
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from dractl.model.formula import Formula, Literal
from dractl.model.variables import Choice, Variables
from dractl.problem.joint import PodDemand


class Counted(Struct, frozen=True):
    """A choice and when it counts: `taken` is true if the device is taken and the pick counts at this moment."""

    choice: Choice
    taken: Literal


def moments(formula: Formula, variables: Variables, choices: Iterable[Choice]) -> Iterator[list[Counted]]:
    """What counts of these choices at each moment at which a limit on them has to hold."""
    lasting: list[Choice] = []
    passing: list[Choice] = []
    for choice in choices:
        (lasting if _stays_held(variables, choice) else passing).append(choice)
    if lasting:
        yield [Counted(choice, choice.taken) for choice in lasting]
    users = {pod.ref for choice in passing for pod in variables.users[choice.at.claim]}
    for pod in variables.joint.pods:
        if pod.ref in users:
            yield [
                *_counted((choice, _by(formula, variables, choice, pod)) for choice in lasting),
                *_counted((choice, _with(formula, variables, choice, pod)) for choice in passing),
            ]


def _stays_held(variables: Variables, choice: Choice) -> bool:
    if choice.demand.admin_access:
        return False
    return choice.candidate.is_shareable or not variables.usage.is_allocated(choice.device)


def _counted(literals: Iterable[tuple[Choice, Literal | None]]) -> Iterator[Counted]:
    return (Counted(choice, taken) for choice, taken in literals if taken is not None)


def _by(formula: Formula, variables: Variables, choice: Choice, pod: PodDemand) -> Literal | None:
    """Whether the device was taken with this pod or an earlier one; None if that cannot be."""
    users = variables.users[choice.at.claim]
    earlier = [user for user in users if variables.turn[user.ref] <= variables.turn[pod.ref]]
    if not earlier:
        return None
    if len(earlier) == len(users):
        return choice.taken
    return formula.both(choice.taken, formula.any_of(variables.placed[user.ref] for user in earlier))


def _with(formula: Formula, variables: Variables, choice: Choice, pod: PodDemand) -> Literal | None:
    """Whether the device was taken with this pod; None if that cannot be."""
    allocates = variables.allocates.get((choice.at.claim, pod.ref))
    if allocates is None:
        return None
    return formula.both(choice.taken, allocates) if variables.is_shared(choice.at.claim) else choice.taken
