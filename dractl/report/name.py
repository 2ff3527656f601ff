"""`-o name`: the pods that are not placed, one a line, for scripts."""

from dractl.planner.plan import Plan
from dractl.report.view import View
from dractl.solution.outcomes import Verdict


def render(plan: Plan, view: View) -> str:
    """`pod/NAMESPACE/NAME`, in queue order."""
    return "".join(
        f"pod/{outcome.pod}\n"
        for outcome in plan.prediction.outcomes
        if outcome.verdict is not Verdict.PLACED and view.shows(outcome.pod)
    )
