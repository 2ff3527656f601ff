"""`dractl taint`: rules, evicted pods, where they could go, and why some could not; for people."""

from collections.abc import Callable, Iterator
from typing import Final

from rich.text import Text

from dractl.planner.taints import PodEviction, TaintReport
from dractl.report.canvas import Canvas, styled
from dractl.report.explanation import alike
from dractl.report.findings import draw_findings
from dractl.report.gates import gate_notes
from dractl.report.page import draw_explanation
from dractl.report.phrases import taint_text
from dractl.report.taint_json import render_json
from dractl.report.taint_markdown import render_markdown
from dractl.report.taint_words import (
    NextExplainer,
    because,
    device_counts,
    doubts,
    hints,
    next_place,
    selector_text,
    summary,
    when,
    without_rules,
)
from dractl.report.view import View


def render_table(report: TaintReport, view: View) -> str:
    """The whole page."""
    canvas = Canvas(view)
    shown = [each for each in report.evictions if view.shows(each.eviction.pod)]
    _draw_rules(canvas, report)
    _draw_evictions(canvas, report, shown)
    _draw_explanations(canvas, shown, view)
    canvas.line()
    for line in summary(report):
        canvas.paragraph(line)
    for hint in hints(report, shown):
        canvas.paragraph(hint, style="green")
    _draw_notes(canvas, report, view)
    return canvas.text()


def _draw_rules(canvas: Canvas, report: TaintReport) -> None:
    """What each rule selects, and the controller's own words about it."""
    if not report.rules:
        canvas.line(without_rules(report))
        return
    rows = [
        (
            each.rule.ref.name,
            taint_text(each.rule.object.spec.taint),
            selector_text(each.rule.object.spec.deviceSelector),
            device_counts(each),
        )
        for each in report.rules
    ]
    canvas.table(("RULE", "TAINT", "SELECTS", "DEVICES"), rows)
    canvas.line()
    for each in report.rules:
        condition = each.condition
        text = f"{each.rule.ref.name}: {condition.type}={condition.status}, {condition.reason}"
        canvas.paragraph(f"{text}: {condition.message}" if condition.message else text)


def _draw_evictions(canvas: Canvas, report: TaintReport, shown: list[PodEviction]) -> None:
    if not shown:
        return
    canvas.line()
    rows = [row for each in shown for row in _rows(each, report)]
    canvas.table(("POD", "PRIORITY", "NODE", "EVICTED", "BECAUSE", "NEXT"), rows)


def _rows(each: PodEviction, report: TaintReport) -> Iterator[tuple[str | Text, ...]]:
    """One line for each reason; what holds for the pod stands in the first."""
    style = "" if each.eviction.is_terminating or each.is_supposed else "yellow"
    node = each.pod.spec.nodeName
    cells: tuple[str | Text, ...] = (
        str(each.eviction.pod),
        str(each.pod.spec.priority or 0),
        node,
        styled(when(each, report), style),
    )
    last: str | Text = styled(next_place(each, report), "red" if each.is_homeless else "")
    for reason in because(each.eviction, node, report.now):
        yield (*cells, reason, last)
        cells, last = ("", "", "", ""), ""


def _draw_explanations(canvas: Canvas, shown: list[PodEviction], view: View) -> None:
    explainer = NextExplainer()
    unplaced = [explanation for each in shown if (explanation := explainer.unplaced(each)) is not None]
    for pods, explanation in alike(unplaced):
        canvas.line()
        draw_explanation(canvas, pods, explanation, view)
    uncertain = doubts(shown)
    if uncertain:
        canvas.line()
    for doubt in uncertain:
        canvas.paragraph(doubt)


def _draw_notes(canvas: Canvas, report: TaintReport, view: View) -> None:
    notes = [note.text(report.gates.release) for note in gate_notes(report.gates)]
    if notes or report.findings:
        canvas.line()
    for note in notes:
        canvas.paragraph(f"note: {note}", style="cyan")
    draw_findings(canvas, report.findings, view)


FORMATS: Final[dict[str, Callable[[TaintReport, View], str]]] = {
    "table": render_table,
    "markdown": render_markdown,
    "json": render_json,
}
"""The formats of `dractl taint`; the default comes first."""
