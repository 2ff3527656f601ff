"""The optimum: as many pods as possible, with a proven bound; of the best answers the one in the scheduler's order."""

from typing import Final

from msgspec import Struct

from dractl.api.identities import PodRef
from dractl.model.formula import Formula, opposite
from dractl.model.preference import decisions, levels
from dractl.model.rules import ON_DEVICES, ON_PLACEMENTS
from dractl.model.solving import Answer, Solving, State
from dractl.model.takeable import LeftOut
from dractl.model.variables import Variables, declare
from dractl.problem.joint import ClaimOnNode, JointProblem, PodDemand
from dractl.solution.picks import ClaimPicks, Pick

DEFAULT_WORKERS: Final = 8

QUICK: Final = 1_000
"""Conflicts after which deciding in order has turned out not to be quick."""


class ModelPlacement(Struct, frozen=True):
    """A pod on a node. `claims` are those that get their devices with this pod, each in the allocator's order.

    A claim of several pods is with the first of them in queue order.
    """

    pod: PodRef
    node: str
    claims: tuple[ClaimPicks, ...]


class Optimum(Struct, frozen=True):
    """What could be done.

    `placements` are in queue order, `placed` is their number. No answer that does as well for pods of higher priority
    places more than `bound` pods; that is proven, whatever the other fields say. `is_proven`: nothing does better.
    `is_unique`: the same problem gives the same placements again; without it, time ran out, and another run may differ.
    `left_out` is what the model did without because the allocator would end with an error there. `seconds` were spent.
    """

    placements: tuple[ModelPlacement, ...]
    placed: int
    bound: int
    is_proven: bool
    is_unique: bool
    left_out: tuple[LeftOut, ...]
    seconds: float = 0.0


def optimize(problem: JointProblem, *, time_limit_seconds: float, workers: int = DEFAULT_WORKERS) -> Optimum:
    """Place as many pods as possible, those of higher priority first.

    The time limit, in seconds, is that of the solver; making the model comes on top. When time runs out the best answer
    found so far is given, which may be that no pod is placed.
    """
    formula = Formula()
    variables = declare(formula, problem)
    for rule in (*ON_PLACEMENTS, *ON_DEVICES):
        rule(formula, variables)
    solving = Solving(formula, time_limit_seconds=time_limit_seconds, workers=workers)
    best = _place_most(formula, variables, solving)
    first = _first_of_the_best(formula, variables, solving, best) if best.is_proven else Answer(State.UNKNOWN)
    placements = placements_of(variables, first if first.state is State.PROVEN else best.answer)
    return Optimum(
        placements=placements,
        placed=len(placements),
        bound=best.bound,
        is_proven=best.is_proven,
        is_unique=first.state is State.PROVEN,
        left_out=variables.left_out,
        seconds=time_limit_seconds - solving.seconds_left,
    )


class _Best(Struct, frozen=True):
    answer: Answer
    bound: int
    is_proven: bool


def _place_most(formula: Formula, variables: Variables, solving: Solving) -> _Best:
    """Level by level: what was proven for a level is a fact for the ones below."""
    answer: Answer | None = None
    bound = 0
    remaining = levels(variables)
    while remaining:
        level = remaining.pop(0)
        answer = solving.most(level, answer) if answer is None else _better(solving.most(level, answer), answer)
        bound += answer.bound
        if answer.state is not State.PROVEN:
            return _Best(answer, bound + sum(map(len, remaining)), False)
        formula.number_is_exactly(level, answer.number_of(level))
    return _Best(answer or Answer(State.PROVEN), bound, True)


def _better(found: Answer, before: Answer) -> Answer:
    """Where time was too short to find anything, the answer for the levels above still holds."""
    return found if found.values else Answer(found.state, before.values, found.bound, found.steps)


def _first_of_the_best(formula: Formula, variables: Variables, solving: Solving, best: _Best) -> Answer:
    """The scheduler's first among the answers that place as many.

    Deciding in order is quick unless pods have to be packed tightly. Then each pod's node is settled by itself.
    """
    order = decisions(variables)
    found = solving.first(order, conflicts=QUICK)
    if found.state is State.UNKNOWN and _settle_nodes(formula, variables, solving, best.answer):
        return solving.first(order)
    return found


def _settle_nodes(formula: Formula, variables: Variables, solving: Solving, answer: Answer) -> bool:
    """Make it a fact for each pod in queue order that it is on the first node that is possible; false without time."""
    for pod in variables.joint.pods:
        on = [literal for _, literal in variables.nodes_of(pod)]
        if on and not answer.is_true(on[0]):
            answer = solving.earliest(on, answer)
            if answer.state is not State.PROVEN:
                return False
        settled = next((literal for literal in on if answer.is_true(literal)), opposite(variables.placed[pod.ref]))
        formula.at_least_one([settled])
    return True


def placements_of(variables: Variables, answer: Answer) -> tuple[ModelPlacement, ...]:
    """What an answer says, in queue order."""
    return tuple(
        ModelPlacement(pod.ref, node, _picks(variables, answer, pod, node))
        for pod in variables.joint.pods
        for node, on in variables.nodes_of(pod)
        if answer.is_true(on)
    )


def _picks(variables: Variables, answer: Answer, pod: PodDemand, node: str) -> tuple[ClaimPicks, ...]:
    found: list[ClaimPicks] = []
    for claim in dict.fromkeys(pod.claims):
        if answer.is_true(variables.allocates[claim, pod.ref]):
            site = variables.sites[ClaimOnNode(claim, node)]
            taken = sorted(
                (choice for choice in site.choices if answer.is_true(choice.taken)), key=lambda c: c.position
            )
            found.append(ClaimPicks(site.claim, tuple(Pick(choice.demand, choice.candidate) for choice in taken)))
    return tuple(found)
