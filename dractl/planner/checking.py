"""No answer leaves unchecked: the independent checker sees every allocation before it counts."""

from dractl.errors import InternalError
from dractl.scheduler.schedule import Attempt
from dractl.solution.verify import check_allocations


def check_attempt(attempt: Attempt) -> None:
    """Raises InternalError if the allocations of the attempt break a rule."""
    placement = attempt.outcome.placement
    if attempt.problem is None or placement is None:
        return
    allocations = [placement.allocations[claim.ref] for claim in attempt.problem.claims]
    violations = check_allocations(attempt.problem, allocations)
    if violations:
        listed = "; ".join(f"{violation.rule}: {violation.message}" for violation in violations)
        raise InternalError(f"the allocation of pod {placement.pod} on {placement.node} breaks a rule: {listed}")
