"""`dractl taint -o markdown`: a report to paste into a change ticket."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dractl import __version__
from dractl.api.times import time_text
from dractl.planner.taints import PodEviction, TaintReport
from dractl.report.findings import finding_lines
from dractl.report.phrases import safe, taint_text
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
)
from dractl.report.view import View

_MARKUP: Final = re.compile(r"([\\`*_\[\]<>|#])")


def render_markdown(report: TaintReport, view: View) -> str:
    """Headings, two tables, and why pods find no place."""
    shown = [each for each in report.evictions if view.shows(each.eviction.pod)]
    parts = [
        ["# Device taints: what would be evicted"],
        [f"Kubernetes {report.gates.release}, at {time_text(report.now)}, by dractl {__version__}."],
        [" ".join(map(_text, summary(report)))],
        *_rules(report),
        *_evictions(report, shown),
        *_explanations(shown),
        *_remarks(report, view),
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _rules(report: TaintReport) -> Iterator[list[str]]:
    if not report.rules:
        return
    yield ["## Rules"]
    yield _table(
        ("Rule", "Taint", "Selects", "Devices", "What the controller says"),
        [
            (
                each.rule.ref.name,
                taint_text(each.rule.object.spec.taint),
                selector_text(each.rule.object.spec.deviceSelector),
                device_counts(each),
                f"{each.condition.reason}: {each.condition.message}".removesuffix(": "),
            )
            for each in report.rules
        ],
    )


def _evictions(report: TaintReport, shown: Sequence[PodEviction]) -> Iterator[list[str]]:
    if not shown:
        return
    yield ["## Pods"]
    yield _table(
        ("Pod", "Priority", "Node", "Evicted", "Because", "Next"),
        [
            (
                str(each.eviction.pod),
                str(each.pod.spec.priority or 0),
                each.pod.spec.nodeName,
                when(each, report),
                "; ".join(because(each.eviction, each.pod.spec.nodeName, report.now)),
                next_place(each, report),
            )
            for each in shown
        ],
    )
    for remark in (*doubts(shown), *hints(report, shown)):
        yield [_text(remark)]


def _explanations(shown: Sequence[PodEviction]) -> Iterator[list[str]]:
    explainer = NextExplainer()
    without = [explanation for each in shown if (explanation := explainer.unplaced(each)) is not None]
    if without:
        yield ["## Pods without another place"]
    for explanation in without:
        lines = [f"**{_text(str(explanation.pod))}** ({explanation.verdict})", ""]
        lines += [f"- {_text(reason.sentence)}" for reason in explanation.reasons]
        lines += [f"- **{_text(fix)}**" for fix in explanation.fixes]
        yield lines


def _remarks(report: TaintReport, view: View) -> Iterator[list[str]]:
    if not report.findings:
        return
    yield ["## Findings"]
    yield [f"- {_text('; '.join(line.strip() for line in finding_lines(each, view)))}" for each in report.findings]


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [header, ["---"] * len(header), *([_text(cell) for cell in row] for row in rows)]
    return [f"| {' | '.join(line)} |" for line in lines]


def _text(text: str) -> str:
    """Text in which nothing is markup."""
    return _MARKUP.sub(r"\\\1", safe(text))
