"""`-o sarif`: findings and pods that are not placed, in SARIF 2.1.0, which code scanning tools show at their lines."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from dractl import __version__
from dractl.finding import Finding, Severity
from dractl.observe.lint import Page, find_page, rule_pages
from dractl.planner.plan import Plan
from dractl.report.remarks import PLAN_PAGES, remarks
from dractl.report.view import View

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(plan: Plan, view: View) -> str:
    """The log of one run of `dractl plan`."""
    return render_findings(remarks(plan, view), view)


def render_findings(findings: Sequence[Finding], view: View) -> str:
    """The log of one run, with the pages of the rules that found something, or that could have."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(findings, view)]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _run(findings: Sequence[Finding], view: View) -> dict[str, Any]:
    rules = list(_rules(findings))
    index = {page.id: number for number, page in enumerate(rules)}
    return {
        "tool": {"driver": {"name": "dractl", "version": __version__, "rules": [_rule(page) for page in rules]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, index[finding.rule], view) for finding in findings],
    }


def _rules(findings: Iterable[Finding]) -> Iterator[Page]:
    """The pages of all rules, and of what was found besides."""
    yield from rule_pages()
    others = {finding.rule for finding in findings}.difference(page.id for page in rule_pages())
    known = {page.id: page for page in PLAN_PAGES}
    yield from (known.get(name) or find_page(name) or Page(name, name, None, name) for name in sorted(others))


def _rule(page: Page) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": page.id,
        "name": "".join(part.capitalize() for part in page.name.replace("/", "-").split("-")),
        "shortDescription": {"text": page.title},
    }
    if page.text:
        rule["fullDescription"] = {"text": " ".join(page.text.split("\n\n")[0].split())}
        rule["help"] = {"text": page.text, "markdown": page.text}
    if page.severity is not None:
        rule["defaultConfiguration"] = {"level": _LEVELS[page.severity]}
    return rule


def _result(finding: Finding, rule: int, view: View) -> dict[str, Any]:
    text = f"{finding.subject}: {finding.message}" if finding.subject else finding.message
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{text}\n{finding.remedy}" if finding.remedy else text},
    }
    spot = view.spot(finding)
    if spot is not None:
        region = {"startLine": spot.line, "startColumn": spot.column, "endColumn": spot.column + spot.length}
        location: dict[str, Any] = {
            "physicalLocation": {"artifactLocation": {"uri": _uri(spot.file)}, "region": region}
        }
        if spot.field:
            location["logicalLocations"] = [{"fullyQualifiedName": spot.field}]
        result["locations"] = [location]
    return result


def _uri(file: str) -> str:
    """A relative path stays relative, so that the tool can find it in the repository."""
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
