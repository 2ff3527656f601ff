"""Fields that a new object loses while their gate is off (spec/gates.md §4)."""

# FEATURE: A7

import json
from typing import Any

import pytest

from dractl.api.codec import to_plain
from dractl.api.dropped import loss_findings, without_dropped_fields
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.errors import path_text
from dractl.gates import Gates, gates_of
from dractl.manifests import Source, read

EVERY = frozenset(gates_of("1.37"))
DEVICE: dict[str, Any] = {
    "name": "d",
    "attributes": {"a": {"int": 1}, "b": {"strings": ["x"]}},
    "capacity": {"m": {"value": "1", "requestPolicy": {"default": "1"}}},
    "taints": [{"key": "k", "effect": "None"}],
    "consumesCounters": [{"counterSet": "s", "counters": {"c": {"value": "1"}}, "compatibilityGroups": ["g"]}],
    "nodeName": "n",
    "bindsToNode": True,
    "bindingConditions": ["a"],
    "bindingFailureConditions": ["b"],
    "allowMultipleAllocations": True,
    "nodeAllocatableResources": {"cpu": {"mapping": {"deviceMultiplier": "1"}}},
}
REQUEST = {
    "deviceClassName": "c",
    "tolerations": [{"operator": "Exists"}],
    "capacity": {"requests": {"m": "1"}},
    "derivedAttributes": [{"name": "a/b", "expression": "1"}],
}


def manifest(kind: str, spec: dict[str, Any], version: str = "resource.k8s.io/v1", **metadata: Any) -> ObjectSet:
    data = {"apiVersion": version, "kind": kind, "metadata": {"name": "x", **metadata}, "spec": spec}
    return read([Source("x.json", json.dumps(data).encode())]).objects


def lost(objects: ObjectSet, *off: str) -> list[str]:
    kept, losses = without_dropped_fields(objects, Gates("1.37", EVERY - set(off), {}))
    for loss in losses:
        (sourced,) = kept
        assert path_text(loss.path) not in json.dumps(to_plain(sourced.object))
    return sorted(path_text(loss.path) for loss in losses)


@pytest.mark.parametrize(
    ("gate", "fields"),
    [
        ("DRADeviceTaints", ["taints"]),
        ("DRAPartitionableDevices", ["consumesCounters", "nodeName"]),
        ("DRADeviceCompatibilityGroups", ["consumesCounters[0].compatibilityGroups"]),
        ("DRADeviceBindingConditions", ["bindingConditions", "bindingFailureConditions", "bindsToNode"]),
        ("DRAConsumableCapacity", ["allowMultipleAllocations", "capacity.m.requestPolicy"]),
        ("DRAListTypeAttributes", ["attributes.b.strings"]),
        ("DRANodeAllocatableResources", ["nodeAllocatableResources"]),
    ],
)
def test_devices(gate: str, fields: list[str]) -> None:
    spec = {"driver": "d", "pool": {"name": "p"}, "devices": [{"name": "plain"}, DEVICE]}
    assert lost(manifest("ResourceSlice", spec), gate) == [f"spec.devices[1].{field}" for field in fields]


@pytest.mark.parametrize(
    ("gate", "fields"),
    [
        ("DRAPartitionableDevices", ["perDeviceNodeSelection", "sharedCounters"]),
        ("DRAPartitionableDevicesType", ["partitionTypeAttribute"]),
        ("DRAOptionalNodeOperations", ["skipNodeOperations"]),
    ],
)
def test_slices(gate: str, fields: list[str]) -> None:
    more = {"sharedCounters": [], "perDeviceNodeSelection": True, "partitionTypeAttribute": "a/b"}
    spec = {"driver": "d", "pool": {"name": "p"}, "skipNodeOperations": ["*"], **more}
    assert lost(manifest("ResourceSlice", spec), gate) == [f"spec.{field}" for field in fields]


@pytest.mark.parametrize(
    ("gate", "field"),
    [
        ("DRADeviceTaints", "tolerations"),
        ("DRAConsumableCapacity", "capacity"),
        ("DRADerivedAttributes", "derivedAttributes"),
    ],
)
def test_claims_and_templates(gate: str, field: str) -> None:
    requests = [{"name": "r", "exactly": REQUEST}, {"name": "s", "firstAvailable": [{"name": "a", **REQUEST}]}]
    claim = {"devices": {"requests": requests}}
    fields = [f"requests[0].exactly.{field}", f"requests[1].firstAvailable[0].{field}"]
    assert lost(manifest("ResourceClaim", claim), gate) == [f"spec.devices.{each}" for each in fields]
    template = manifest("ResourceClaimTemplate", {"spec": claim})
    assert lost(template, gate) == [f"spec.spec.devices.{each}" for each in fields]


def test_constraints() -> None:
    spec = {"devices": {"constraints": [{"matchAttribute": "a/b"}, {"distinctAttribute": "a/b"}]}}
    assert lost(manifest("ResourceClaim", spec), "DRAConsumableCapacity") == [
        "spec.devices.constraints[1].distinctAttribute"
    ]


def test_pods_and_their_templates() -> None:
    pod = {"schedulingGroup": {"podGroupName": "g"}, "resources": {"limits": {"cpu": "1"}}}
    for version, kind, spec, path in (
        ("v1", "Pod", pod, "spec"),
        ("apps/v1", "Deployment", {"template": {"spec": pod}}, "spec.template.spec"),
        (
            "batch/v1",
            "CronJob",
            {"jobTemplate": {"spec": {"template": {"spec": pod}}}},
            "spec.jobTemplate.spec.template.spec",
        ),
    ):
        objects = manifest(kind, spec, version)
        assert lost(objects, "GenericWorkload", "PodLevelResources") == [f"{path}.resources", f"{path}.schedulingGroup"]


# --- who loses what --------------------------------------------------------------------------------------------------

TAINTED = {"driver": "d", "pool": {"name": "p"}, "devices": [DEVICE]}


def test_nothing_is_changed_while_all_gates_are_on() -> None:
    objects = manifest("ResourceSlice", TAINTED)
    assert without_dropped_fields(objects, Gates("1.37", EVERY, {})) == (objects, ())


def test_dumps_keep_their_fields_and_what_controllers_make_does_not() -> None:
    dump = manifest("ResourceSlice", TAINTED, uid="u")
    assert lost(dump, "DRADeviceTaints") == []
    (found,) = dump
    made: Sourced[Any] = Sourced(found.object, found.ref, found.place, found.version, ObjectRef("Pod", "default", "p"))
    assert lost(ObjectSet([made]), "DRADeviceTaints") == ["spec.devices[0].taints"]


def test_the_object_that_was_read_is_not_changed() -> None:
    objects = manifest("ResourceSlice", TAINTED)
    lost(objects, "DRADeviceTaints")
    (found,) = objects
    assert found.object.spec.devices[0].taints is not None


def test_fields_that_go_with_one_gate_are_named_in_one_note() -> None:
    gates = Gates("1.37", EVERY - {"DRADeviceBindingConditions"}, {"DRADeviceBindingConditions": "--feature-gates"})
    device = {**DEVICE, "taints": None, "bindingConditions": ["a"], "bindingFailureConditions": ["b"]}
    objects = manifest("ResourceSlice", {"driver": "d", "pool": {"name": "p"}, "devices": [device]})
    (note,) = loss_findings(without_dropped_fields(objects, gates)[1], gates)
    assert note.message.startswith(
        "the API server drops spec.devices.bindingConditions, spec.devices.bindingFailureConditions, spec.devices.binds"
    )


def test_one_note_for_each_kind_of_field() -> None:
    gates = Gates("1.37", EVERY - {"DRADeviceTaints"}, {"DRADeviceTaints": "--feature-gates"})
    more = {"driver": "d", "pool": {"name": "p"}, "devices": [DEVICE, {**DEVICE, "name": "e"}]}
    objects = manifest("ResourceSlice", more).with_more(manifest("ResourceSlice", TAINTED, name="y"))
    (note,) = loss_findings(without_dropped_fields(objects, gates)[1], gates)
    assert note.message == (
        "the API server drops spec.devices.taints, and of 1 more, for DRADeviceTaints is off (--feature-gates)"
    )
    assert note.place is not None
    assert note.place.path == ("spec", "devices", 0, "taints")
