"""What the exit codes mean; the same for every command."""

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from dractl.finding import Finding, Severity

if TYPE_CHECKING:
    from dractl.planner.plan import Plan


class ExitCode(IntEnum):
    """The codes that scripts see."""

    OK = 0
    NOT_PLACED = 1
    BAD_INPUT = 2
    UNDECIDED = 3
    INTERNAL = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class FailOn(StrEnum):
    """From which severity on a finding turns exit code 0 into 1."""

    NEVER = "never"
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    def is_met_by(self, findings: Iterable[Finding]) -> bool:
        """Whether any of the findings is at or above the threshold."""
        if self is FailOn.NEVER:
            return False
        threshold = Severity[self.name]
        return any(finding.severity >= threshold for finding in findings)


def code_of(plan: "Plan", fail_on: FailOn, *, exit_zero: bool) -> ExitCode:
    """The code follows the prediction, never the optimum; undecided beats does not fit."""
    from dractl.solution.outcomes import Verdict

    prediction = plan.prediction
    if exit_zero:
        return ExitCode.OK
    if prediction.count(Verdict.UNDECIDED):
        return ExitCode.UNDECIDED
    if prediction.count(Verdict.PLACED) < len(prediction.outcomes) or fail_on.is_met_by(plan.findings):
        return ExitCode.NOT_PLACED
    return ExitCode.OK
