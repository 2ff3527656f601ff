"""The page that people read: the table, the reasons, what the optimum would do, the totals, gates and findings."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias

from rich.text import Text

from dractl.api.identities import PodRef
from dractl.phrases import listed, verb
from dractl.planner.plan import Answer, Plan
from dractl.report.alignment import gains
from dractl.report.canvas import Canvas, styled
from dractl.report.differences import Difference
from dractl.report.explanation import Explainer, Explanation, abridged, alike
from dractl.report.findings import draw_findings
from dractl.report.gates import gate_notes
from dractl.report.rows import Row, rows_of
from dractl.report.totals import closing_lines
from dractl.report.view import View
from dractl.solution.outcomes import PodOutcome, Verdict

VERDICT_STYLES = {Verdict.DOES_NOT_FIT: "red", Verdict.WAITING: "yellow", Verdict.UNDECIDED: "magenta"}
_IS_NOT = {
    Verdict.DOES_NOT_FIT: ("does not fit", "do not fit"),
    Verdict.WAITING: ("waits", "wait"),
    Verdict.UNDECIDED: ("is undecided", "are undecided"),
}
NOTHING = "–"
_REASONS_SHOWN = 5


class Columns(Protocol):
    """What distinguishes the formats for people: which columns, and what stands in them."""

    header: Sequence[str]

    def lines(self, row: Row) -> Iterator[Sequence[str | Text]]:
        """The lines of one request."""
        ...


Draw: TypeAlias = Callable[[Canvas, Answer, Sequence[PodOutcome]], None]
"""Adds to a page what a format says besides about these pods."""


def page(plan: Plan, view: View, columns: Columns, draw_more: Draw | None = None, draw_pods: Draw | None = None) -> str:
    """The whole page; `draw_more` comes behind the table, `draw_pods` draws the pods in place of the table."""
    canvas = Canvas(view)
    shown = [outcome for outcome in plan.prediction.outcomes if view.shows(outcome.pod)]
    if shown and draw_pods is not None:
        draw_pods(canvas, plan.prediction, shown)
    elif shown:
        _draw_table(canvas, plan.prediction, shown, columns)
    else:
        canvas.line(_nothing_to_place(plan, view))
    if draw_more is not None:
        draw_more(canvas, plan.prediction, shown)
    _draw_explanations(canvas, plan, shown, view)
    _draw_alignment(canvas, plan, view)
    _draw_uncertain(canvas, shown)
    _draw_optimum(canvas, plan, view, columns)
    if plan.prediction.outcomes:
        canvas.line()
        for line in closing_lines(plan):
            canvas.line(line)
    _draw_notes(canvas, plan, view)
    return canvas.text()


def node_cell(row: Row) -> str:
    """The node, marked where the outcome is not certain."""
    return f"{row.node or NOTHING}{'*' if is_marked(row.outcome) else ''}"


def is_marked(outcome: PodOutcome) -> bool:
    """Whether the outcome is not certain; one that is undecided says so itself."""
    return bool(outcome.uncertain) and outcome.verdict is not Verdict.UNDECIDED


def verdict_cell(outcome: PodOutcome) -> Text:
    """The outcome in its colour."""
    return styled(str(outcome.verdict), VERDICT_STYLES.get(outcome.verdict, ""))


def _nothing_to_place(plan: Plan, view: View) -> str:
    if plan.prediction.outcomes:
        return f"No pod of namespace {view.namespace} is to be placed."
    return "No pod is to be placed: " + ("all of them are on nodes already." if plan.cluster.pods else "there is none.")


def _draw_table(canvas: Canvas, answer: Answer, outcomes: Sequence[PodOutcome], columns: Columns) -> None:
    canvas.table(columns.header, [line for row in rows_of(answer, outcomes) for line in columns.lines(row)])


def _draw_explanations(canvas: Canvas, plan: Plan, outcomes: Sequence[PodOutcome], view: View) -> None:
    explainer = Explainer(plan)
    for pods, explanation in alike(explainer.of(each) for each in outcomes if each.verdict is not Verdict.PLACED):
        canvas.line()
        draw_explanation(canvas, pods, explanation, view)
    for outcome in outcomes:
        if outcome.verdict is Verdict.PLACED and outcome.faults:
            canvas.line()
            _draw_faults(canvas, outcome, view)


def _draw_faults(canvas: Canvas, outcome: PodOutcome, view: View) -> None:
    """A pod that is placed, but meets a fault of the scheduler."""
    canvas.paragraph(f"{outcome.pod} meets a known fault", right=view.place_text(outcome.place), style="yellow")
    for fault in outcome.faults:
        canvas.paragraph(f"v1.37.2 {fault.does}.", indent="  ", style="yellow")
        canvas.paragraph(fault.remedy, indent="  ", style="green")


def draw_explanation(canvas: Canvas, pods: Sequence[PodRef], explanation: Explanation, view: View) -> None:
    """Why these pods are not placed, with places at the right edge, and what would help."""
    is_not = verb(len(pods), *_IS_NOT[explanation.verdict])
    style = VERDICT_STYLES.get(explanation.verdict, "")
    canvas.paragraph(f"{listed(list(map(str, pods)))} {is_not}", right=view.place_text(explanation.place), style=style)
    reasons = abridged(explanation.reasons)
    last = len(reasons) - 1
    for number, reason in enumerate(reasons):
        text = f"{'because' if number == 0 else 'and'} {reason.sentence}"
        if number == last and not text.endswith((".", "?")):
            text += "."
        canvas.paragraph(text, indent="  ", right=view.place_text(reason.place))
    if explanation.message and not any(explanation.message in reason.text for reason in explanation.reasons):
        canvas.paragraph(f"scheduler: {explanation.message}", indent="  ", style="dim")
    if explanation.upstream:
        canvas.paragraph(explanation.upstream, indent="  ", style="yellow")
    for fix in explanation.fixes:
        canvas.paragraph(fix, indent="  ", style="green")


def _draw_alignment(canvas: Canvas, plan: Plan, view: View) -> None:
    """The pods that would be aligned, the first few with what to do for it; the table of the optimum has them all."""
    shown = [gain for gain in gains(plan, Difference(plan)) if view.shows(gain.outcome.pod)]
    for gain in shown[:_REASONS_SHOWN]:
        canvas.line()
        canvas.paragraph(f"{gain.outcome.pod} is crossed", right=view.place_text(gain.place), style="yellow")
        canvas.paragraph(f"because {gain.crossed}.", indent="  ")
        for text in (gain.way, *gain.steps):
            canvas.paragraph(text, indent="  ", style="green")
    if len(shown) > _REASONS_SHOWN:
        canvas.line()
        canvas.paragraph(f"{len(shown) - _REASONS_SHOWN} more pods would be aligned; -o json says how.")


def _draw_uncertain(canvas: Canvas, outcomes: Sequence[PodOutcome]) -> None:
    """Why outcomes are marked, once per reason; where there are many reasons, the first few and how many pods more."""
    pods: dict[str, list[PodRef]] = {}
    for outcome in outcomes:
        if is_marked(outcome):
            pods.setdefault(outcome.uncertain, []).append(outcome.pod)
    if pods:
        canvas.line()
    shown = list(pods.items())[: _REASONS_SHOWN if len(pods) > _REASONS_SHOWN + 1 else None]
    for because, refs in shown:
        canvas.paragraph(f"* {listed([str(ref) for ref in refs])}: not certain, {because}")
    if others := sum(map(len, pods.values())) - sum(len(refs) for _, refs in shown):
        canvas.paragraph(f"* {others} more pods are not certain; -o json says why of each")


def _draw_optimum(canvas: Canvas, plan: Plan, view: View, columns: Columns) -> None:
    """Where the optimum differs, if it is better; it is never mixed with the prediction."""
    difference = Difference(plan)
    changed = [outcome for outcome in difference.changed if view.shows(outcome.pod)]
    if plan.optimum is None or not (difference.improves or difference.aligns) or not changed:
        return
    canvas.line()
    canvas.line("Where the optimum differs:", style="bold")
    _draw_table(canvas, plan.optimum.answer, changed, columns)


def _draw_notes(canvas: Canvas, plan: Plan, view: View) -> None:
    notes = [note.text(plan.gates.release) for note in gate_notes(plan.gates)]
    if notes or plan.findings:
        canvas.line()
    for note in notes:
        canvas.paragraph(f"note: {note}", style="cyan")
    draw_findings(canvas, plan.findings, view)
