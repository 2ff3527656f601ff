"""Findings, one a line, with the place first so that editors can jump there."""

from collections import Counter
from collections.abc import Iterator, Sequence

from dractl.finding import Finding, Severity
from dractl.report.canvas import Canvas
from dractl.report.view import View

SHOWN_PER_RULE = 5

_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


def draw_findings(canvas: Canvas, findings: Sequence[Finding], view: View) -> None:
    """The findings in order; of each rule the first few, and how many more there are."""
    seen: Counter[str] = Counter()
    for finding in findings:
        seen[finding.rule] += 1
        if seen[finding.rule] <= SHOWN_PER_RULE:
            draw_finding(canvas, finding, view)
    for rule, number in seen.items():
        if number > SHOWN_PER_RULE:
            canvas.line(f"{rule}: {number - SHOWN_PER_RULE} more; -o json has them all")


def draw_finding(canvas: Canvas, finding: Finding, view: View) -> None:
    """One finding in the colour of its severity, the remedy below it."""
    first, *remedy = finding_lines(finding, view)
    canvas.paragraph(first, style=_STYLES[finding.severity])
    for line in remedy:
        canvas.paragraph(line.strip(), indent="  ")


def render_findings(findings: Sequence[Finding], view: View) -> str:
    """The findings alone, for formats that have no room for them."""
    canvas = Canvas(view)
    draw_findings(canvas, findings, view)
    return canvas.text()


def finding_lines(finding: Finding, view: View) -> Iterator[str]:
    """`warning: FILE:LINE: SUBJECT: MESSAGE (RULE)`, and the remedy below."""
    spot = view.spot(finding)
    where = f"{spot.file}:{spot.line}" if spot is not None else ""
    parts = [finding.severity.name.lower(), where, finding.subject, finding.message]
    yield f"{': '.join(part for part in parts if part)} ({finding.rule})"
    if finding.remedy:
        yield f"  {finding.remedy}"
