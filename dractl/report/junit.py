"""`-o junit`: a test suite in which pods and rules are the tests, for CI systems that show those."""

from collections.abc import Iterable, Sequence
from typing import Final
from xml.etree import ElementTree as Xml

from dractl.finding import Finding, Severity
from dractl.observe.lint import RULES
from dractl.planner.plan import Plan
from dractl.report.explanation import Explainer
from dractl.report.phrases import safe
from dractl.report.remarks import message
from dractl.report.view import View
from dractl.solution.outcomes import PodOutcome, Verdict

_FAILING: Final = (Severity.ERROR, Severity.WARNING)


def render(plan: Plan, view: View) -> str:
    """A suite with a test for each pod that is shown, and one with the findings."""
    explainer = Explainer(plan)
    pods = Xml.Element("testsuite", name="dractl plan")
    for outcome in plan.prediction.outcomes:
        if view.shows(outcome.pod):
            pods.append(_pod(outcome, explainer))
    return _document([pods, _findings("findings", plan.findings, view)])


def render_findings(findings: Sequence[Finding], view: View) -> str:
    """A suite with a failed test for each finding, and a passed one for each rule that found nothing."""
    suite = _findings("dractl lint", findings, view)
    found = {finding.rule for finding in findings}
    for rule in RULES:
        if rule.id not in found:
            Xml.SubElement(suite, "testcase", classname=rule.id, name=safe(rule.title))
    return _document([suite])


def render_bad_input(findings: Sequence[Finding], command: str, view: View) -> str:
    """A suite with a failed test for each fault; nothing was tried besides."""
    return _document([_findings(f"dractl {command}", findings, view)])


def _document(suites: Iterable[Xml.Element]) -> str:
    root = Xml.Element("testsuites", name="dractl")
    for suite in suites:
        suite.set("tests", str(len(suite)))
        suite.set("failures", str(len(suite.findall("testcase/failure"))))
        root.append(suite)
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'


def _pod(outcome: PodOutcome, explainer: Explainer) -> Xml.Element:
    case = Xml.Element("testcase", classname=outcome.pod.namespace, name=outcome.pod.name)
    if outcome.verdict is not Verdict.PLACED:
        explanation = explainer.of(outcome)
        lines = [message(outcome, explanation), *explanation.fixes]
        failure = Xml.SubElement(case, "failure", type=str(outcome.verdict), message=safe(str(outcome.verdict)))
        failure.text = _text(lines)
    return case


def _findings(name: str, findings: Iterable[Finding], view: View) -> Xml.Element:
    suite = Xml.Element("testsuite", name=name)
    for finding in findings:
        spot = view.spot(finding)
        where = f"{spot.file}:{spot.line}" if spot is not None else ""
        title = " ".join(filter(None, [where, finding.subject])) or finding.rule
        case = Xml.SubElement(suite, "testcase", classname=finding.rule, name=safe(title))
        if spot is not None:
            case.set("file", safe(spot.file))
            case.set("line", str(spot.line))
        lines = [f"{where}: {finding.message}" if where else finding.message, *filter(None, [finding.remedy])]
        text = _text(lines)
        if finding.severity in _FAILING:
            severity = finding.severity.name.lower()
            Xml.SubElement(case, "failure", type=severity, message=safe(finding.message)).text = text
        else:
            Xml.SubElement(case, "system-out").text = text
    return suite


def _text(lines: Iterable[str]) -> str:
    """What is wrong, and what helps, each in a line of its own."""
    return "\n".join(map(safe, lines))
