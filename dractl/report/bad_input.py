"""Bad input in the formats that other programs read: it stands where the answer would be, with exit code 2."""

import json
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from dractl import __version__
from dractl.finding import Finding
from dractl.report import github, junit, markdown, sarif
from dractl.report.json import VERSION, plain_finding
from dractl.report.view import View


class BadInputReport(Struct, frozen=True):
    """What is wrong, in the order of the files and lines, and which command could not answer."""

    command: str
    findings: tuple[Finding, ...]
    release: str


Render: TypeAlias = Callable[[BadInputReport, View], str]


def render_json(report: BadInputReport, view: View) -> str:
    """The report as `schema/bad-input-v1.json` describes it."""
    plain = {
        "apiVersion": VERSION,
        "kind": "BadInput",
        "dractlVersion": __version__,
        "kubernetesVersion": report.release,
        "command": report.command,
        "findings": [plain_finding(finding, view) for finding in report.findings],
    }
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


FORMATS: Final[Mapping[str, Render]] = {
    "json": render_json,
    "markdown": lambda report, view: markdown.render_bad_input(report.findings, report.command, view),
    "junit": lambda report, view: junit.render_bad_input(report.findings, report.command, view),
    "sarif": lambda report, view: sarif.render_findings(report.findings, view),
    "github": lambda report, view: github.render_findings(report.findings, view),
}
"""Formats for people are not among them: the faults are on standard error."""
