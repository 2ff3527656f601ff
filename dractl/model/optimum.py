"""The optimum: as many pods as possible, with a proven bound; of the best answers the one in the scheduler's order.

Where alignment is wanted it comes between the two: it never costs a placement, and the scheduler's order gives way.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from dractl.api.identities import PodRef
from dractl.model.alignment import alignment_levels
from dractl.model.formula import Formula, Literal, opposite
from dractl.model.preference import decisions, levels
from dractl.model.rules import ON_DEVICES, ON_PLACEMENTS
from dractl.model.solving import Answer, Solving, State
from dractl.model.takeable import LeftOut
from dractl.model.variables import PodOnNode, Variables, declare
from dractl.problem.joint import ClaimOnNode, JointProblem, PodDemand
from dractl.solution.picks import ClaimPicks, Pick

DEFAULT_WORKERS: Final = 8

QUICK: Final = 1_000
"""Conflicts after which deciding in order has turned out not to be quick."""


class ModelPlacement(Struct, frozen=True):
    """A pod on a node. `claims` are those that get their devices with this pod, each in the allocator's order.

    A claim of several pods is with the first of them in queue order. `home` is the NUMA node on which the model wants
    all that the pod has; None where it wants nothing.
    """

    pod: PodRef
    node: str
    claims: tuple[ClaimPicks, ...]
    home: int | None = None


class Optimum(Struct, frozen=True):
    """What could be done.

    `placements` are in queue order, `placed` is their number. No answer that does as well for pods of higher priority
    places more than `bound` pods; that is proven, whatever the other fields say. `is_proven`: nothing does better.
    `is_unique`: the same problem gives the same placements again; without it, time ran out, and another run may differ.
    `left_out` is what the model did without because the allocator would end with an error there. `seconds` were spent.
    `is_aligned_proven`: with as many pods placed, no more can be aligned.
    """

    placements: tuple[ModelPlacement, ...]
    placed: int
    bound: int
    is_proven: bool
    is_unique: bool
    left_out: tuple[LeftOut, ...]
    seconds: float = 0.0
    is_aligned_proven: bool = False


def optimize(
    problem: JointProblem,
    *,
    time_limit_seconds: float,
    workers: int = DEFAULT_WORKERS,
    start: Sequence[ModelPlacement] = (),
) -> Optimum:
    """Place as many pods as possible, those of higher priority first.

    `start` is an answer to begin with, if one is known. The time limit, in seconds, is that of the solver; making the
    model comes on top. When time runs out the best answer found so far is given, which may be that no pod is placed.
    """
    formula = Formula()
    variables = declare(formula, problem)
    for rule in (*ON_PLACEMENTS, *ON_DEVICES):
        rule(formula, variables)
    known = _values_of(variables, start) if start else {}
    solving = Solving(formula, time_limit_seconds=time_limit_seconds, workers=workers, start=known)
    alignment = alignment_levels(formula, variables)
    best = _reach(formula, solving, levels(variables))
    aligned = _reach(formula, solving, alignment, best) if best.is_proven else best
    first = _first_of_the_best(formula, variables, solving, aligned) if aligned.is_proven else Answer(State.UNKNOWN)
    placements = placements_of(variables, first if first.state is State.PROVEN else aligned.answer)
    return Optimum(
        placements=placements,
        placed=len(placements),
        bound=best.bound,
        is_proven=best.is_proven,
        is_unique=first.state is State.PROVEN,
        left_out=variables.left_out,
        seconds=time_limit_seconds - solving.seconds_left,
        is_aligned_proven=aligned.is_proven,
    )


class _Best(Struct, frozen=True):
    answer: Answer
    bound: int
    is_proven: bool


def _reach(formula: Formula, solving: Solving, wanted: list[list[Literal]], known: _Best | None = None) -> _Best:
    """Level by level, from what is `known` already: what was proven for a level is a fact for the ones below."""
    answer = known.answer if known is not None else None
    bound = 0
    for number, level in enumerate(wanted):
        answer = solving.most(level, answer) if answer is None else _better(solving.most(level, answer), answer)
        bound += answer.bound
        if answer.state is not State.PROVEN:
            return _Best(answer, bound + sum(map(len, wanted[number + 1 :])), False)
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
        ModelPlacement(pod.ref, node, _picks(variables, answer, pod, node), _home(variables, answer, pod, node))
        for pod in variables.joint.pods
        for node, on in variables.nodes_of(pod)
        if answer.is_true(on)
    )


def _values_of(variables: Variables, placements: Sequence[ModelPlacement]) -> dict[Literal, bool]:
    """What placements say of the variables, the other way round."""
    found = {each.pod: each for each in placements}
    picked = {
        (picks.claim.ref, each.node, pick.demand, pick.candidate.device.id)
        for each in placements
        for picks in each.claims
        for pick in picks.picks
    }
    values = {placed: ref in found for ref, placed in variables.placed.items()}
    for place, on in variables.on.items():
        values[on] = place.pod in found and found[place.pod].node == place.node
        numa_nodes = variables.joint.layouts[place.node].numa_nodes if place in variables.homes else ()
        for numa_node, home in zip(numa_nodes, variables.homes.get(place, ()), strict=True):
            values[home] = values[on] and found[place.pod].home == numa_node
    for choice in variables.choices:
        values[choice.taken] = (choice.at.claim, choice.at.node, choice.demand, choice.device) in picked
    return values


def _home(variables: Variables, answer: Answer, pod: PodDemand, node: str) -> int | None:
    homes = variables.homes.get(PodOnNode(pod.ref, node), ())
    numa_nodes = variables.joint.layouts[node].numa_nodes if homes else ()
    return next((each for each, home in zip(numa_nodes, homes, strict=True) if answer.is_true(home)), None)


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
