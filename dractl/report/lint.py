"""The answer of `dractl lint`, and its formats."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Final, Protocol, TypeAlias, cast

from msgspec import Struct

from dractl import __version__
from dractl.finding import Finding, Severity
from dractl.observe.lint import Page
from dractl.phrases import counted, listed
from dractl.report.canvas import Canvas
from dractl.report.findings import draw_finding
from dractl.report.json import VERSION, plain_finding
from dractl.report.not_read import NotRead
from dractl.report.view import View


class LintReport(Struct, frozen=True):
    """What there is to say, in the order of the files and lines, and how much of it nobody wants to see."""

    findings: tuple[Finding, ...]
    suppressed: int
    release: str
    not_read: NotRead = NotRead()


Render: TypeAlias = Callable[[LintReport, View], str]


class _RendersFindings(Protocol):
    def render_findings(self, findings: Sequence[Finding], view: View) -> str:
        """The findings as text that ends with a line break, or nothing."""
        ...


def in_order(findings: Sequence[Finding], view: View, files: Sequence[str]) -> tuple[Finding, ...]:
    """The findings file by file and line by line; those about no place come first."""
    order = {file: number for number, file in enumerate(files)}

    def key(finding: Finding) -> tuple[int, int, int, str, str]:
        spot = view.spot(finding)
        if spot is None:
            return -1, 0, 0, finding.rule, finding.message
        return order.get(spot.file, len(order)), spot.line, spot.column, finding.rule, finding.message

    return tuple(sorted(findings, key=key))


def render_table(report: LintReport, view: View) -> str:
    """A line for each finding with its remedy below, and how many there are."""
    canvas = Canvas(view)
    for finding in report.findings:
        draw_finding(canvas, finding, view)
    canvas.line(_summary(report))
    return canvas.text()


def _summary(report: LintReport) -> str:
    numbers = Counter(finding.severity for finding in report.findings)
    nouns = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "remark"}
    parts = [counted(numbers[severity], noun) for severity, noun in nouns.items() if numbers[severity]]
    hidden = f"; {report.suppressed} suppressed" if report.suppressed else ""
    skipped = f"; {report.not_read} skipped" if str(report.not_read) else ""
    return f"{listed(parts) or 'No findings'}{hidden}{skipped}."


def render_json(report: LintReport, view: View) -> str:
    """The report as `schema/lint-v1.json` describes it."""
    plain = {
        "apiVersion": VERSION,
        "kind": "Lint",
        "dractlVersion": __version__,
        "kubernetesVersion": report.release,
        "findings": [plain_finding(finding, view) for finding in report.findings],
        "suppressed": report.suppressed,
    }
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def _by_module(name: str) -> Render:
    """A format that knows nothing but findings; its module is loaded when it is asked for."""

    def render(report: LintReport, view: View) -> str:
        module = cast("_RendersFindings", import_module(f"dractl.report.{name}"))
        return module.render_findings(report.findings, view)

    return render


FORMATS: Final[Mapping[str, Render]] = {
    "table": render_table,
    "json": render_json,
    **{name: _by_module(name) for name in ("markdown", "junit", "sarif", "github")},
}
"""The default comes first."""


def render_rules(pages: Sequence[Page], view: View) -> str:
    """All ids with severity, name and title."""
    canvas = Canvas(view)
    rows = [(page.id, page.severity.name.lower() if page.severity else "", page.name, page.title) for page in pages]
    canvas.table(("ID", "SEVERITY", "NAME", "WHAT IT FINDS"), rows)
    return canvas.text()


def render_page(page: Page) -> str:
    """The page of one rule."""
    severity = f" ({page.severity.name.lower()})" if page.severity else ""
    heading = f"{page.id} {page.name}{severity}" if page.id != page.name else page.id
    text = f"\n{page.text}\n" if page.text else ""
    return f"{heading}\n\n{page.title}.\n{text}"
