"""`-o github`: workflow commands, which GitHub Actions shows at the lines of a pull request."""

from collections.abc import Sequence
from typing import Final

from dractl.finding import Finding, Severity
from dractl.planner.plan import Plan
from dractl.report.phrases import safe
from dractl.report.remarks import remarks
from dractl.report.view import View

_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(plan: Plan, view: View) -> str:
    """One command for each pod that is not placed and each finding."""
    return render_findings(remarks(plan, view), view)


def render_findings(findings: Sequence[Finding], view: View) -> str:
    """`::error file=F,line=N,col=N,title=RULE::MESSAGE`, one a line."""
    return "".join(f"{_command(finding, view)}\n" for finding in findings)


def _command(finding: Finding, view: View) -> str:
    spot = view.spot(finding)
    properties = {"title": finding.rule}
    if spot is not None:
        properties = {"file": spot.file, "line": str(spot.line), "col": str(spot.column), **properties}
    listed = ",".join(f"{name}={_escaped_property(value)}" for name, value in properties.items())
    text = f"{finding.subject}: {finding.message}" if finding.subject else finding.message
    lines = [text, *filter(None, [finding.remedy])]
    return f"::{_COMMANDS[finding.severity]} {listed}::{'%0A'.join(_escaped(safe(line)) for line in lines)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
