"""One pod on one node, where the scheduler's search explodes: the answer it would find, or that there is none."""

from typing import Final

from dractl.api.identities import ClaimRef, PodRef
from dractl.model.formula import Formula
from dractl.model.optimum import placements_of
from dractl.model.preference import decisions
from dractl.model.rules import ON_DEVICES, ON_PLACEMENTS
from dractl.model.solving import Solving, State
from dractl.model.variables import declare
from dractl.problem.demands import ClaimDemand
from dractl.problem.joint import ClaimOnNode, JointProblem, PodDemand
from dractl.problem.problem import Problem
from dractl.solution.picks import Fitting, GaveUp, NoFit

_POD: Final = PodRef("", "")
"""The search knows no pods; this one stands for whoever the claims belong to."""


def lexicographically_first(problem: Problem, *, time_limit_seconds: float) -> Fitting | NoFit | GaveUp:
    """What first fit finds when it is given enough time (DESIGN, decision 2), unless it would end with an error.

    Devices that raise an error when they are looked at are left out, and claims with a refusal do not fit; whoever asks
    has to have excluded both. The time limit, in seconds, is the solver's.
    """
    formula = Formula()
    variables = declare(formula, _alone(problem))
    placed = variables.placed[_POD]
    for rule in (*ON_PLACEMENTS[:1], *ON_DEVICES):
        rule(formula, variables)
    formula.at_least_one([placed])
    answer = Solving(formula, time_limit_seconds=time_limit_seconds, workers=1).first(decisions(variables))
    if answer.state is State.IMPOSSIBLE:
        return NoFit()
    if answer.state is State.UNKNOWN:
        return GaveUp(answer.steps)
    return Fitting(placements_of(variables, answer)[0].claims)


def _alone(problem: Problem) -> JointProblem:
    node = problem.node.metadata.name
    claims: dict[ClaimRef, ClaimDemand] = {claim.ref: claim for claim in problem.claims}
    return JointProblem(
        pods=(PodDemand(_POD, 0, {}, tuple(claims), (node,)),),
        nodes={node: problem.node},
        free={},
        claims=claims,
        problems={ClaimOnNode(claim, node): problem for claim in claims},
        usage=problem.usage,
        features=problem.features,
    )
