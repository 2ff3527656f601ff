"""`-o markdown`: a comment for a pull request or a change ticket."""

from collections.abc import Iterator, Sequence

from dractl.api.identities import DeviceId
from dractl.finding import Finding
from dractl.phrases import counted, listed
from dractl.planner.plan import Plan
from dractl.report.alignment import gains
from dractl.report.differences import Difference
from dractl.report.explanation import Explainer, abridged, alike
from dractl.report.page import NOTHING, is_marked, node_cell
from dractl.report.phrases import device_names, safe
from dractl.report.rows import Row, rows_of
from dractl.report.totals import closing_lines
from dractl.report.view import View
from dractl.solution.outcomes import PodOutcome, Verdict


def render(plan: Plan, view: View) -> str:
    """What is placed where, then why the others are not, then the findings."""
    shown = [outcome for outcome in plan.prediction.outcomes if view.shows(outcome.pod)]
    lines = ["## dractl plan", ""]
    lines += [f"**{_escaped(' '.join(line.split()))}**  " for line in closing_lines(plan)] + [""] if shown else []
    lines += _table(
        ("Pod", "Node", "Claim", "Request", "Devices"), (_cells(row) for row in rows_of(plan.prediction, shown))
    )
    lines += _uncertain(shown)
    lines += _explanations(plan, shown, view)
    lines += _alignment(plan, view)
    lines += _findings(plan.findings, view)
    return "\n".join(lines).rstrip("\n") + "\n"


def render_findings(findings: Sequence[Finding], view: View) -> str:
    """The findings alone."""
    heading = counted(len(findings), "finding") if findings else "no findings"
    return "\n".join([f"## dractl lint: {heading}", "", *_rows(findings, view)]).rstrip("\n") + "\n"


def render_bad_input(findings: Sequence[Finding], command: str, view: View) -> str:
    """What is wrong with the input, in place of the answer."""
    lines = [f"## dractl {command}: bad input, no answer", "", *_rows(findings, view)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    claim = row.use.entry if row.use is not None else NOTHING
    devices = device_names((DeviceId(each.driver, each.pool, each.device) for each in row.results), row.node)
    placed = " ".join(devices) or NOTHING
    verdict = row.outcome.verdict
    last = placed if verdict is Verdict.PLACED else f"**{verdict}**" if not devices else f"{placed} ({verdict})"
    return str(row.outcome.pod), _escaped(node_cell(row)), claim, row.request or NOTHING, last


def _uncertain(outcomes: Sequence[PodOutcome]) -> Iterator[str]:
    marked = [outcome for outcome in outcomes if is_marked(outcome)]
    for outcome in marked:
        yield _escaped(f"* {outcome.pod} is not certain: {outcome.uncertain}").replace("\\*", "-", 1)
    if marked:
        yield ""


def _explanations(plan: Plan, outcomes: Sequence[PodOutcome], view: View) -> Iterator[str]:
    explainer = Explainer(plan)
    for pods, explanation in alike(explainer.of(each) for each in outcomes if each.verdict is not Verdict.PLACED):
        yield f"### {_escaped(listed(list(map(str, pods))))}: {explanation.verdict}"
        yield ""
        yield f"`{view.place_text(explanation.place)}`"
        yield ""
        for number, reason in enumerate(abridged(explanation.reasons)):
            where = f" (`{view.place_text(reason.place)}`)" if reason.place is not None else ""
            yield f"- {'because' if number == 0 else 'and'} {_escaped(reason.sentence)}{where}"
        yield ""
        for fix in (*explanation.fixes, *filter(None, [explanation.upstream])):
            yield _escaped(fix)
            yield ""


def _alignment(plan: Plan, view: View) -> Iterator[str]:
    for gain in gains(plan, Difference(plan)):
        if view.shows(gain.outcome.pod):
            yield f"### {_escaped(str(gain.outcome.pod))}: crossed"
            yield ""
            yield f"`{view.place_text(gain.place)}`"
            yield ""
            yield f"- because {_escaped(gain.crossed)}"
            yield ""
            for text in (gain.way, *gain.steps):
                yield _escaped(text)
                yield ""


def _findings(findings: Sequence[Finding], view: View) -> Iterator[str]:
    if findings:
        yield "### Findings"
        yield ""
        yield from _rows(findings, view)


def _rows(findings: Sequence[Finding], view: View) -> list[str]:
    return _table(("Severity", "Where", "Rule", "Finding"), (_finding(each, view) for each in findings))


def _finding(finding: Finding, view: View) -> tuple[str, ...]:
    spot = view.spot(finding)
    where = f"`{spot.file}:{spot.line}`" if spot is not None else NOTHING
    text = _escaped(f"{finding.subject}: {finding.message}" if finding.subject else finding.message)
    remedy = f"<br>{_escaped(finding.remedy)}" if finding.remedy else ""
    return finding.severity.name.lower(), where, finding.rule, text + remedy


def _table(header: Sequence[str], rows: Iterator[Sequence[str]]) -> list[str]:
    """Nothing at all without rows."""
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    if not lines:
        return []
    return [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}", *lines, ""]


def _escaped(text: str) -> str:
    """The text as it stands, on one line: what Markdown or HTML would take for markup is escaped."""
    flat = safe(" ".join(text.split()))
    for char in "\\`*_[]<>":
        flat = flat.replace(char, f"\\{char}" if char not in "<>" else {"<": "&lt;", ">": "&gt;"}[char])
    return flat
