# FEATURE: A6
"""`dractl gates`: the resolved table, with stage, state and reason."""

import json
from pathlib import Path

import jsonschema
import pytest

from dractl.gates import RELEASES, gates_of
from tests.cli.running import ROOT, dractl

SCHEMA = json.loads((ROOT / "dractl/report/schema/gates-v1.json").read_text(encoding="utf-8"))
LISTS = "fixtures/cases/01-list-match-backtrack.yaml"


def line(out: str, gate: str) -> list[str]:
    return next(each for each in out.splitlines() if each.startswith(f"{gate} ")).split(maxsplit=3)


@pytest.mark.parametrize("release", RELEASES)
def test_every_gate_of_the_release_has_a_line(release: str) -> None:
    ran = dractl("gates", "--kubernetes-version", release)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert [each.split()[0] for each in lines[1 : lines.index("")]] == sorted(gates_of(release))


def test_defaults_locks_and_what_is_set() -> None:
    ran = dractl("gates", "--feature-gates", "DRAListTypeAttributes=true,AllBeta=false")
    assert line(ran.out, "DRAAdminAccess") == ["DRAAdminAccess", "GA", "on", "(locked)  default of 1.37"]
    assert line(ran.out, "DRAListTypeAttributes") == ["DRAListTypeAttributes", "alpha", "on", "--feature-gates"]
    assert line(ran.out, "DRAConsumableCapacity") == ["DRAConsumableCapacity", "beta", "off", "--feature-gates AllBeta"]
    assert "Devices: experimental allocator." in ran.out


def test_the_input_turns_gates_on() -> None:
    ran = dractl("gates", LISTS)
    assert line(ran.out, "DRAListTypeAttributes")[2:4] == [
        "on",
        "the input uses it (ResourceSlice s: spec.devices[0].attributes.g.ints)",
    ]
    assert "note: gate DRAListTypeAttributes is on" in ran.out
    unknown = dractl("gates", LISTS, "--kubernetes-version", "1.35")
    assert line(unknown.out, "DRAListTypeAttributes")[1:3] == ["–", "off"]
    assert "unknown in this release, though the input uses it" in unknown.out


def test_without_capacity_and_conditions_the_stable_allocator_answers() -> None:
    ran = dractl("gates", "--feature-gates", "DRAConsumableCapacity=false,DRADeviceBindingConditions=false")
    assert "Devices: stable allocator." in ran.out


@pytest.mark.parametrize("arguments", [[], [LISTS], ["--kubernetes-version", "1.34", LISTS]])
def test_json_follows_its_schema(arguments: list[str]) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    ran = dractl("gates", "-o", "json", *arguments)
    jsonschema.validate(json.loads(ran.out), SCHEMA, cls=jsonschema.Draft202012Validator)


def test_both_formats_at_once(tmp_path: Path) -> None:
    ran = dractl("gates", "-o", "table", "-o", f"json={tmp_path / 'gates.json'}")
    assert ran.out.startswith("GATE ")
    assert json.loads((tmp_path / "gates.json").read_text())["kind"] == "FeatureGates"


def test_a_set_that_no_component_starts_with() -> None:
    ran = dractl("gates", "--feature-gates", "DRADeviceTaints=false")
    assert (ran.code, ran.out) == (2, "")
    assert "DRADeviceTaintRules is enabled, but depends on features that are disabled: [DRADeviceTaints]" in ran.err


def test_bad_input_is_told_as_everywhere(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("kind: [\n")
    ran = dractl("gates", str(file))
    assert ran.code == 2
    assert ran.err.startswith(f"error: {file}:")
