"""How claims on a node are decided: by the search, and by the model where the search explodes (DESIGN, decision 2)."""

from dractl.cluster.upstream import UpstreamFault
from dractl.model import lexicographically_first
from dractl.problem.demands import alternatives_of
from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem
from dractl.search import first_fit, nothing_fits
from dractl.solution.picks import Decision, Fitting, GaveUp, NoFit, Tries

SECONDS_OF_THE_MODEL = 10.0


def decide(problem: Problem) -> Decision:
    """The scheduler's answer, also where the scheduler itself would run out of time."""
    decision = first_fit(problem)
    if not isinstance(decision, GaveUp) or _may_fault(problem):
        return decision
    tries = Tries(decision.steps, are_all=False)
    found = lexicographically_first(problem, time_limit_seconds=SECONDS_OF_THE_MODEL)
    if isinstance(found, NoFit):
        return nothing_fits(problem, tries)
    return Fitting(found.claims, tries) if isinstance(found, Fitting) else found


def _may_fault(problem: Problem) -> bool:
    """Whether looking at any device raises an error: then the order of looking decides, which only the search knows."""
    ends_all = UpstreamFault.CONSTRAINT_ENDS_ALL in problem.features.faults
    for claim in problem.claims:
        for demand in alternatives_of(claim.requests):
            for device in problem.devices:
                if problem.candidates.look(demand, device).fault is not None:
                    return True
                for constraint in claim.constraints:
                    if not constraint.applies_to(demand.ref):
                        continue
                    if isinstance(problem.attributes.read(demand, device, constraint.attribute), AllocationFault):
                        return True
            if ends_all and demand.wants_all and claim.constraints:
                return True
    return False
