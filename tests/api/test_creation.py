"""What the API server keeps of a new object, and how it writes it (spec/validation.md §1)."""

# FEATURE: A7

from typing import Any

import pytest

from dractl.api.codec import to_api
from dractl.api.creation import as_created
from dractl.api.resource import DeviceClass, DeviceTaintRule, ResourceClaim, ResourceSlice
from dractl.api.stored import to_stored


def created(kind: type, data: dict[str, Any]) -> Any:
    return to_stored(as_created(to_api(data, kind), suffix="x1x2x", now="now"))


def test_what_users_may_not_set_is_cleared() -> None:
    metadata = {"name": "a", "uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z", "generation": 7}
    status = {"reservedFor": [{"resource": "pods", "name": "p", "uid": "u"}]}
    found = created(ResourceClaim, {"metadata": metadata, "spec": {}, "status": status})
    assert (found["metadata"], found["status"]) == ({"name": "a", "generation": 7}, {})
    assert created(DeviceClass, {"metadata": metadata})["metadata"] == {"name": "a", "generation": 1}


@pytest.mark.parametrize(("base", "name"), [("gen-", "gen-x1x2x"), ("g" * 70, "g" * 58 + "x1x2x")])
def test_names_are_generated(base: str, name: str) -> None:
    assert created(DeviceClass, {"metadata": {"generateName": base}})["metadata"]["name"] == name


@pytest.mark.parametrize(
    ("time", "kept"),
    [
        (None, "now"),
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
        ("2026-01-01T00:00:00.5+02:00", "2025-12-31T22:00:00Z"),
    ],
)
def test_taints_know_when_they_were_added(time: str | None, kept: str) -> None:
    taint = {"key": "k", "effect": "None"} | ({"timeAdded": time} if time else {})
    rule = created(DeviceTaintRule, {"metadata": {"name": "r"}, "spec": {"taint": taint}})
    assert rule["spec"]["taint"]["timeAdded"] == kept
    devices = [{"name": "d", "taints": [taint]}, {"name": "e"}]
    found = created(ResourceSlice, {"metadata": {"name": "s"}, "spec": {"devices": devices}})
    assert found["spec"]["devices"] == [{"name": "d", "taints": [{**taint, "timeAdded": kept}]}, {"name": "e"}]


def test_required_fields_and_pointers_are_written_although_they_are_empty() -> None:
    spec: dict[str, Any] = {"nodeName": "", "devices": [{"capacity": {"m": {}}, "attributes": {"a": {"string": ""}}}]}
    assert to_stored(to_api({"spec": spec}, ResourceSlice))["spec"] == {
        "driver": "",
        "pool": {"name": "", "generation": 0, "resourceSliceCount": 0},
        "nodeName": "",
        "devices": [{"name": "", "capacity": {"m": {"value": "0"}}, "attributes": {"a": {"string": ""}}}],
    }


def test_empty_lists_are_left_out_and_the_requests_of_a_claim_are_null() -> None:
    spec: dict[str, Any] = {"devices": {"constraints": []}}
    assert to_stored(to_api({"spec": spec}, ResourceClaim))["spec"] == {"devices": {"requests": None}}
