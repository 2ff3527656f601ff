"""A plan as a list of findings, for formats that know nothing else: pods that are not placed come first."""

from collections.abc import Iterator
from typing import Final

from dractl.finding import Finding, Severity
from dractl.observe.lint import Page
from dractl.planner.plan import Plan
from dractl.planner.preempted import PREEMPTED
from dractl.report.explanation import Explainer, Explanation
from dractl.report.view import View
from dractl.solution.outcomes import PodOutcome, Verdict

_RULES: Final = {
    Verdict.DOES_NOT_FIT: ("plan/does-not-fit", Severity.ERROR, "A pod does not fit"),
    Verdict.WAITING: ("plan/waiting", Severity.ERROR, "A pod waits"),
    Verdict.UNDECIDED: ("plan/undecided", Severity.WARNING, "It is undecided what becomes of a pod"),
}
PLAN_PAGES: Final = tuple(
    Page(name, name, severity, title)
    for name, severity, title in (
        *_RULES.values(),
        (PREEMPTED, Severity.WARNING, "A running pod is deleted to make room for a more important one"),
    )
)
"""What a plan may say of a pod, as pages."""


def remarks(plan: Plan, view: View) -> tuple[Finding, ...]:
    """Pods that are shown and not placed, then the findings."""
    return (*_of_pods(plan, view), *plan.findings)


def _of_pods(plan: Plan, view: View) -> Iterator[Finding]:
    explainer = Explainer(plan)
    for outcome in plan.prediction.outcomes:
        if outcome.verdict is not Verdict.PLACED and view.shows(outcome.pod):
            rule, severity, _ = _RULES[outcome.verdict]
            explanation = explainer.of(outcome)
            yield Finding(
                rule, severity, message(outcome, explanation), outcome.place, f"Pod {outcome.pod}", _fix(explanation)
            )


def message(outcome: PodOutcome, explanation: Explanation) -> str:
    """`does not fit because A, and B.`"""
    is_not = {Verdict.WAITING: "waits", Verdict.UNDECIDED: "is undecided"}.get(outcome.verdict, "does not fit")
    reasons = [reason.sentence for reason in explanation.reasons]
    if not reasons:
        return is_not
    return f"{is_not} because {', and '.join(reasons)}"


def _fix(explanation: Explanation) -> str:
    return " ".join([*explanation.fixes, *filter(None, [explanation.upstream])])
