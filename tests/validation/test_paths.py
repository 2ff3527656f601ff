"""Fields as the server names them: versions, maps, long keys (spec/validation.md §1 "Paths in errors", §2)."""

# FEATURE: A7

import pytest
from msgspec.structs import replace

from dractl.errors import FieldPath
from dractl.validation.paths import reported_field, shortened
from dractl.validation.violation import Violation, ViolationType

DRA = "resource.k8s.io"


@pytest.mark.parametrize(
    ("kind", "path", "written", "declared"),
    [
        (
            "ResourceClaim",
            ("spec", "devices", "requests", 0, "exactly", "count"),
            "spec.devices.requests[0].exactly.count",
            "spec.devices.requests[0].count",
        ),
        (
            "ResourceSlice",
            ("spec", "devices", 2, "taints", 0),
            "spec.devices[2].taints[0]",
            "spec.devices[2].basic.taints[0]",
        ),
        ("ResourceSlice", ("spec", "devices", 2), "spec.devices[2]", "spec.devices[2]"),
        ("ResourceSlice", ("spec", "devices", 2, "name"), "spec.devices[2].name", "spec.devices[2].name"),
        ("ResourceSlice", ("spec", "sharedCounters", 1), "spec.sharedCounters[1]", "spec.sharedCounters[1]"),
    ],
)
def test_declared_rules_name_the_fields_of_the_version_sent(
    kind: str, path: FieldPath, written: str, declared: str
) -> None:
    found = [Violation(path, ViolationType.INVALID, "", is_declared=is_declared) for is_declared in (False, True)]
    assert [reported_field(violation, kind, f"{DRA}/v1beta1") for violation in found] == [written, declared]
    assert [reported_field(violation, kind, f"{DRA}/v1beta2") for violation in found] == [written, written]


def test_keys_of_maps_stand_in_brackets() -> None:
    path = ("spec", "devices", 0, "attributes", "model", "string")
    violation = Violation(path, ViolationType.TOO_LONG, "")
    assert reported_field(violation, "ResourceSlice", f"{DRA}/v1") == "spec.devices[0].attributes[model].string"


def test_only_written_rules_cut_keys() -> None:
    key = "k" * 97
    violation = Violation(("spec", "devices", 0, "attributes", key), ViolationType.INVALID, "")
    whole = [replace(violation, is_declared=True), replace(violation, is_cut=False)]
    assert reported_field(violation, "ResourceSlice", f"{DRA}/v1") != f"spec.devices[0].attributes[{key}]"
    assert {reported_field(each, "ResourceSlice", f"{DRA}/v1") for each in whole} == {
        f"spec.devices[0].attributes[{key}]"
    }


@pytest.mark.parametrize(("length", "expected"), [(96, "k" * 96), (97, "k" * 47 + "..." + "k" * 46)])
def test_long_keys_are_cut_in_the_middle(length: int, expected: str) -> None:
    assert shortened("k" * length, 96) == expected
