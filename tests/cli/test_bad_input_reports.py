# FEATURE: C1, C2
"""Bad input in the formats of CI systems: the faults stand where the answer would be."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import jsonschema
import pytest

from tests.cli.running import ROOT, dractl

SCHEMA = json.loads((ROOT / "dractl/report/schema/bad-input-v1.json").read_text(encoding="utf-8"))
MISSPELT = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, nmae: q}\nspec: {containers: [{name: c, image: i}]}\n"
REFUSED = """apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec:
  selectors:
  - cel: {expression: device.driver = "x"}
"""
BAD = f"{MISSPELT}---\n{REFUSED}".encode()


@pytest.mark.parametrize("command", ["plan", "pools", "taint"])
def test_json_has_the_faults_in_place_of_the_answer(command: str) -> None:
    ran = dractl(command, "-", "-o", "json", stdin=BAD)
    report = json.loads(ran.out)
    jsonschema.validate(report, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert (ran.code, report["kind"], report["command"]) == (2, "BadInput", command)
    assert [(each["rule"], each["at"]["line"]) for each in report["findings"]] == [
        ("reading/unreadable", 3),
        ("validation/refused", 11),
    ]
    assert "2 errors; nothing was planned." in ran.err


def test_the_schema_is_sound() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", ["sarif", "github"])
def test_plan_reports_faults_as_lint_does(name: str) -> None:
    assert dractl("plan", "-", "-o", name, stdin=BAD).out == dractl("lint", "-", "-o", name, stdin=BAD).out


def test_junit_has_a_failed_test_for_each_fault() -> None:
    ran = dractl("plan", "-", "-o", "junit", stdin=BAD)
    (suite,) = Xml.fromstring(ran.out)
    assert (ran.code, suite.get("name"), suite.get("tests"), suite.get("failures")) == (2, "dractl plan", "2", "2")


@pytest.mark.parametrize("command", ["plan", "taint"])
def test_markdown_says_that_there_is_no_answer(command: str) -> None:
    out = dractl(command, "-", "-o", "markdown", stdin=BAD).out
    assert out.startswith(f"## dractl {command}: bad input, no answer\n")
    assert "| error | `<stdin>:3` | reading/unreadable | Pod default/p: metadata.nmae: unknown field" in out


def test_formats_for_people_stay_empty(tmp_path: Path) -> None:
    page, log = tmp_path / "page", tmp_path / "log.sarif"
    ran = dractl("plan", "-", "-o", f"table={page}", "-o", f"sarif={log}", "-o", "yaml", stdin=BAD)
    assert (ran.code, ran.out, page.exists()) == (2, "", False)
    assert _rules(json.loads(log.read_text())) == ["reading/unreadable", "validation/refused"]


def test_a_file_that_cannot_be_read_is_among_them(tmp_path: Path) -> None:
    (tmp_path / "class.yaml.tmpl").write_text("{{ .Values }}")
    (tmp_path / "pod.yaml").write_text(MISSPELT)
    results = json.loads(dractl("plan", str(tmp_path), "-o", "sarif").out)["runs"][0]["results"]
    assert [result["message"]["text"].split("\n")[0] for result in results] == [
        "Pod default/p: metadata.nmae: unknown field",
        "this is a template, not a manifest",
    ]


def test_no_report_takes_the_place_of_an_input(tmp_path: Path) -> None:
    (tmp_path / "class.yaml.tmpl").write_text("{{ .Values }}")
    pod = tmp_path / "pod.yaml"
    pod.write_text(MISSPELT)
    ran = dractl("plan", str(tmp_path), "-o", f"json={pod}")
    assert (ran.code, pod.read_text()) == (2, MISSPELT)
    assert "would overwrite the input" in ran.err


def _rules(log: dict[str, Any]) -> list[str]:
    return [result["ruleId"] for result in log["runs"][0]["results"]]
