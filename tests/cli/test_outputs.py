# FEATURE: C1
"""Formats and where they go: at most one to standard output, files beside it, colours only where they belong."""

import json
from pathlib import Path

import jsonschema
import pytest

from tests.cli.running import QUICKSTART, ROOT, dractl

SCHEMA = json.loads((ROOT / "dractl/report/schema/plan-v1.json").read_text(encoding="utf-8"))
CASES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "fixtures/cases").glob("*.yaml"))


@pytest.mark.parametrize("path", [QUICKSTART, *CASES])
def test_json_follows_its_schema(path: str) -> None:
    ran = dractl("plan", path, "-o", "json", "--optimum")
    jsonschema.validate(json.loads(ran.out), SCHEMA, cls=jsonschema.Draft202012Validator)


def test_the_schema_itself_is_sound() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", [QUICKSTART, *CASES])
def test_yaml_is_read_back_and_says_the_same(path: str, tmp_path: Path) -> None:
    """Placed pods come back as pods on nodes, the others get the same answer again."""
    ran = dractl("plan", path, "-q", "-o", "yaml", "-o", f"json={tmp_path / 'first.json'}")
    again = tmp_path / "again.yaml"
    again.write_text(ran.out, encoding="utf-8")
    first = json.loads((tmp_path / "first.json").read_text())
    ran = dractl("plan", *without_claims_and_pods(path, tmp_path), str(again), "-q", "-o", "json")
    assert ran.code in (0, 1, 3), ran.err
    second = {(pod["namespace"], pod["name"]): pod for pod in json.loads(ran.out)["prediction"]["pods"]}
    for pod in first["prediction"]["pods"]:
        key = (pod["namespace"], pod["name"])
        assert (key in second) == (pod["outcome"] != "placed")
        if key in second:
            assert second[key]["outcome"] == pod["outcome"]


def without_claims_and_pods(path: str, folder: Path) -> list[str]:
    """The part of an input that `-o yaml` does not repeat, as files."""
    files = sorted(Path(path).glob("*.yaml")) if Path(path).is_dir() else [Path(path)]
    repeated = ("Pod", "ResourceClaim", "ResourceClaimTemplate", "Deployment")
    written = []
    for file in files:
        documents = file.read_text(encoding="utf-8").split("\n---\n")
        kept = [each for each in documents if not any(f"\nkind: {kind}\n" in f"\n{each}\n" for kind in repeated)]
        target = folder / file.name
        target.write_text("\n---\n".join(kept) + "\n", encoding="utf-8")
        if kept:
            written.append(str(target))
    return written


def test_several_outputs_at_once(tmp_path: Path) -> None:
    ran = dractl("plan", QUICKSTART, "-o", "name", "-o", f"json={tmp_path / 'a.json'}", "-o", f"table={tmp_path / 'b'}")
    assert ran.out == "pod/ml/train-1\npod/ml/render\n"
    assert (tmp_path / "a.json").read_text() == dractl("plan", QUICKSTART, "-o", "json").out
    assert (tmp_path / "b").read_text() == dractl("plan", QUICKSTART).out


def test_only_to_a_file_leaves_standard_output_empty(tmp_path: Path) -> None:
    assert dractl("plan", QUICKSTART, "-o", f"json={tmp_path / 'a.json'}").out == ""


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (
            ["-o", "xml"],
            "error: -o xml: there is no format 'xml'\n  choose one of table, wide, tree, name, yaml, json, metadata, "
            "markdown, junit, sarif, github\n",
        ),
        (["-o", "json="], "error: -o json= names no file\n  write -o json=FILE, or -o json for standard output\n"),
        (
            ["-o", "json", "-o", "yaml"],
            "error: -o json and -o yaml both write to standard output\n  send one to a file of its own: -o yaml=FILE\n",
        ),
    ],
)
def test_outputs_that_cannot_be(options: list[str], error: str) -> None:
    ran = dractl("plan", QUICKSTART, *options)
    assert (ran.code, ran.out, ran.err) == (2, "", error)


def test_a_file_that_cannot_be_written() -> None:
    ran = dractl("plan", QUICKSTART, "-o", "json=/nonexistent/plan.json")
    assert ran.code == 2
    assert "error: cannot write /nonexistent/plan.json: No such file or directory\n" in ran.err


def test_findings_go_to_standard_error_where_the_format_has_no_room_for_them() -> None:
    case = "fixtures/cases/08-slice-count-zero.yaml"
    assert "resourceSliceCount" in dractl("plan", case).out
    ran = dractl("plan", case, "-o", "name")
    assert "resourceSliceCount" not in ran.out
    assert "must be greater than 0 (validation/refused)" in ran.err
    assert dractl("plan", case, "-o", "name", "-q").err == ""


def test_a_namespace_filters_what_is_shown_not_what_is_planned() -> None:
    ran = dractl("plan", QUICKSTART, "-n", "other")
    assert ran.out.startswith("No pod of namespace other is to be placed.\n")
    assert "Prediction  4 of 6 pods placed" in ran.out
    assert ran.code == 1
    assert dractl("plan", QUICKSTART, "-n", "other", "-A").out == dractl("plan", QUICKSTART).out
    assert dractl("plan", QUICKSTART, "-n", "ml").out == dractl("plan", QUICKSTART).out


def test_colours_on_demand_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in dractl("plan", QUICKSTART).out
    assert "\x1b[" in dractl("plan", QUICKSTART, "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" not in dractl("plan", QUICKSTART).out


def test_quiet_and_verbose() -> None:
    assert dractl("plan", QUICKSTART, "-q").err == ""
    assert " · planning " in dractl("plan", QUICKSTART, "-v").err
    assert dractl("plan", QUICKSTART, "-v").out == dractl("plan", QUICKSTART, "-q").out


def test_the_gates_that_the_input_turns_on_are_named() -> None:
    case = "fixtures/cases/01-list-match-backtrack.yaml"
    assert "note: gate DRAListTypeAttributes is on: the input uses it" in dractl("plan", case).out
    assert "a default 1.37 cluster has it off and drops its fields" in dractl("plan", case).out


def test_the_optimum_on_demand() -> None:
    case = "fixtures/cases/01-list-match-backtrack.yaml"
    assert "Optimum" not in dractl("plan", case).out
    assert "Optimum     1 of 1 pod placed, proven\n" in dractl("plan", case, "--optimum").out
