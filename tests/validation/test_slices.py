"""ResourceSlice: each rule with what keeps it and what breaks it (spec/validation.md §7, §9, §10)."""

# FEATURE: A7

from typing import Any

import pytest

from dractl.api.resource import ResourceSlice
from tests.validation.objects import GONE, changed, said

SLICE = {
    "metadata": {"name": "s"},
    "spec": {
        "driver": "gpu.example.com",
        "nodeName": "n",
        "pool": {"name": "p", "generation": 0, "resourceSliceCount": 1},
        "devices": [
            {"name": "gpu-0", "attributes": {"model": {"string": "x"}}, "capacity": {"memory": {"value": "1"}}}
        ],
    },
}
COUNTERS = {"counterSet": "set", "counters": {"memory": {"value": "1"}}}
TAINT = {"key": "k", "effect": "None"}


def refused(changes: dict[str, Any]) -> set[tuple[str, str]]:
    return said(ResourceSlice, changed(SLICE, changes))


def test_a_sound_slice() -> None:
    assert refused({}) == set()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"spec|driver": GONE}, {("Required", "spec.driver")}),
        ({"spec|pool|name": "A/b"}, {("Invalid", "spec.pool.name")}),
        ({"spec|pool|generation": -1}, {("Invalid", "spec.pool.generation")}),
        ({"spec|pool|resourceSliceCount": GONE}, {("Invalid", "spec.pool.resourceSliceCount")}),
        ({"spec|nodeName": GONE}, {("Required", "spec")}),
        ({"spec|nodeName": ""}, {("Required", "spec"), ("Invalid", "spec.nodeName")}),
        ({"spec|allNodes": True}, {("Invalid", "spec")}),
        ({"spec|allNodes": False}, {("Invalid", "spec.allNodes")}),
        ({"spec|sharedCounters": []}, {("Invalid", "spec")}),
        ({"spec|devices": [{"name": "a"}, {"name": "a"}]}, {("Duplicate", "spec.devices[1]")}),
        ({"spec|skipNodeOperations": ["NodePrepareResources"]}, {("Invalid", "spec.skipNodeOperations")}),
        ({"spec|skipNodeOperations": ["NodePrepareResources", "*"]}, set()),
        ({"spec|skipNodeOperations": ["x"]}, {("NotSupported", "spec.skipNodeOperations[0]")}),
        ({"spec|partitionTypeAttribute": "a/b"}, {("Invalid", "spec.partitionTypeAttribute")}),
    ],
)
def test_specs(changes: dict[str, Any], expected: set[tuple[str, str]]) -> None:
    assert refused(changes) == expected


@pytest.mark.parametrize(
    ("device", "limit"),
    [
        ({}, 128),
        ({"taints": [TAINT]}, 64),
        ({"consumesCounters": [COUNTERS]}, 64),
        ({"attributes": {"a": {"ints": [1]}}}, 64),
    ],
)
def test_numbers_of_devices(device: dict[str, Any], limit: int) -> None:
    devices = [{"name": f"d{number}", **(device if number == 0 else {})} for number in range(limit + 1)]
    assert refused({"spec|devices": devices[:-1]}) == set()
    assert refused({"spec|devices": devices}) == {("TooMany", "spec.devices")}


@pytest.mark.parametrize(
    ("device", "expected"),
    [
        ({"name": "A"}, {("Invalid", "name")}),
        ({"attributes": {"a-b": {"int": 1}}}, {("Invalid", "attributes")}),
        ({"attributes": {"a": {}}}, {("Invalid", "attributes[a]")}),
        ({"attributes": {"a": {"int": 1, "bool": True}}}, {("Invalid", "attributes[a]")}),
        ({"attributes": {"a": {"ints": []}}}, {("Invalid", "attributes[a]"), ("Invalid", "attributes[a].ints")}),
        (
            {"attributes": {"a": {"int": 1, "ints": []}}},
            {("Invalid", "attributes[a]"), ("Invalid", "attributes[a].ints")},
        ),
        (
            {"attributes": {"a": {"ints": [1], "bools": []}}},
            {("Invalid", "attributes[a]"), ("Invalid", "attributes[a].bools")},
        ),
        ({"attributes": {"a": {"strings": ["x" * 65]}}}, {("TooLong", "attributes[a].strings[0]")}),
        ({"attributes": {"a": {"versions": ["1"]}}}, {("Invalid", "attributes[a].versions[0]")}),
        ({"attributes": {f"a{n}": {"int": 1} for n in range(33)}}, {("Invalid", "")}),
        ({"attributes": {"a": {"ints": [1] * 48}}}, set()),
        ({"attributes": {"a": {"ints": [1] * 48}, "b": {"int": 1}}}, {("Invalid", "")}),
        (
            {"attributes": {"k" * 150: {}}},
            {
                ("TooLong", "attributes"),
                ("Invalid", f"attributes[{'k' * 47}...{'k' * 46}]"),
                ("Invalid", f"attributes[{'k' * 150}]"),
            },
        ),
        ({"capacity": {"a": {"value": "1", "requestPolicy": {}}}}, {("Forbidden", "capacity[a].requestPolicy")}),
        ({"taints": [TAINT] * 17}, {("TooMany", "taints")}),
        (
            {"taints": [{"key": "", "value": "a b"}]},
            {("Invalid", "taints[0].key"), ("Invalid", "taints[0].value"), ("Required", "taints[0].effect")},
        ),
        ({"nodeName": "n"}, {("Invalid", "")}),
        ({"bindingConditions": ["a"]}, {("Invalid", "bindingFailureConditions")}),
        (
            {"bindingConditions": ["a"], "bindingFailureConditions": ["b", "b", "a"]},
            {("Duplicate", "bindingFailureConditions[1]"), ("Invalid", "bindingFailureConditions[2]")},
        ),
        ({"bindsToNode": True}, set()),
    ],
)
def test_devices(device: dict[str, Any], expected: set[tuple[str, str]]) -> None:
    found = refused({"spec|devices": [{"name": "d", **device}]})
    assert found == {(kind, f"spec.devices[0].{field}".removesuffix(".")) for kind, field in expected}


@pytest.mark.parametrize(
    ("device", "expected"),
    [
        ({}, {("Required", "spec.devices[0]")}),
        ({"nodeName": "n"}, set()),
        ({"nodeName": "n", "allNodes": True}, {("Invalid", "spec.devices[0]")}),
        ({"allNodes": False}, {("Required", "spec.devices[0]"), ("Invalid", "spec.devices[0].allNodes")}),
        ({"nodeName": ""}, {("Required", "spec.devices[0]"), ("Invalid", "spec.devices[0].nodeName")}),
        ({"nodeSelector": {"nodeSelectorTerms": [{}, {}]}}, set()),
    ],
)
def test_devices_that_select_nodes(device: dict[str, Any], expected: set[tuple[str, str]]) -> None:
    changes = {"spec|nodeName": GONE, "spec|perDeviceNodeSelection": True, "spec|devices": [{"name": "d", **device}]}
    assert refused(changes) == expected


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ([], {("Required", ""), ("Invalid", "")}),
        ([{}], set()),
        ([{}, {}], {("Invalid", "")}),
        ([{"matchExpressions": [{"key": "a b", "operator": "Exists"}]}], {("Invalid", "[0].matchExpressions[0].key")}),
        ([{"matchExpressions": [{"key": "a", "operator": "In"}]}], {("Required", "[0].matchExpressions[0].values")}),
        (
            [{"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["x"]}]}],
            {("Forbidden", "[0].matchExpressions[0].values")},
        ),
        ([{"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["x"]}]}], set()),
        ([{"matchExpressions": [{"key": "a", "operator": "Like"}]}], {("Invalid", "[0].matchExpressions[0].operator")}),
        (
            [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a", "b"]}]}],
            {("Required", "[0].matchFields[0].values")},
        ),
        (
            [{"matchFields": [{"key": "metadata.namespace", "operator": "In", "values": ["A"]}]}],
            {("Invalid", "[0].matchFields[0].key")},
        ),
        (
            [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["A"]}]}],
            {("Invalid", "[0].matchFields[0].values[0]")},
        ),
    ],
)
def test_node_selectors(terms: list[Any], expected: set[tuple[str, str]]) -> None:
    found = refused({"spec|nodeName": GONE, "spec|nodeSelector": {"nodeSelectorTerms": terms}})
    assert found == {(kind, f"spec.nodeSelector.nodeSelectorTerms{field}") for kind, field in expected}


# --- partitions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("consumed", "expected"),
    [
        ([COUNTERS], set()),
        ([COUNTERS, COUNTERS], {("Duplicate", "[1]")}),
        ([COUNTERS] * 3, {("TooMany", "")}),
        ([{}], {("Required", "[0].counterSet"), ("Required", "[0].counters")}),
        ([{**COUNTERS, "counters": {"A": {"value": "1"}}}], {("Invalid", "[0].counters")}),
        ([{**COUNTERS, "counters": {f"c{n}": {"value": "1"} for n in range(33)}}], {("TooMany", "[0].counters")}),
        ([{**COUNTERS, "compatibilityGroups": ["a", "a"]}], {("Duplicate", "[0].compatibilityGroups[1]")}),
        ([{**COUNTERS, "compatibilityGroups": ["a", "b", "c"]}], {("TooMany", "[0].compatibilityGroups")}),
    ],
)
def test_consumed_counters(consumed: list[Any], expected: set[tuple[str, str]]) -> None:
    found = refused({"spec|devices|0|consumesCounters": consumed})
    assert found == {(kind, f"spec.devices[0].consumesCounters{field}") for kind, field in expected}


@pytest.mark.parametrize(
    ("sets", "expected"),
    [
        ([{"name": "a", "counters": {"c": {"value": "1"}}}], set()),
        ([{"name": "a", "counters": {"c": {"value": "1"}}}] * 2, {("Duplicate", "[1]")}),
        ([{"name": "a"}], {("Required", "[0].counters")}),
        ([{"counters": {"c": {"value": "1"}}}], {("Required", "[0].name")}),
        ([{"name": "a", "counters": {}}] * 9, {("TooMany", "")}),
    ],
)
def test_shared_counters(sets: list[Any], expected: set[tuple[str, str]]) -> None:
    found = refused({"spec|devices": GONE, "spec|sharedCounters": sets})
    assert found == {(kind, f"spec.sharedCounters{field}") for kind, field in expected}


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"profile": {"string": "x"}}, set()),
        ({"gpu.example.com/profile": {"string": "x"}}, set()),
        ({"gpu.example.com/profile": {"int": 1}, "profile": {"string": "x"}}, {"Invalid"}),
        ({"other.example.com/profile": {"string": "x"}}, {"Required"}),
    ],
)
def test_partitions_have_the_attribute_that_names_their_type(attributes: Any, expected: set[str]) -> None:
    device = {"name": "d", "consumesCounters": [COUNTERS], "attributes": attributes}
    found = refused({"spec|partitionTypeAttribute": "gpu.example.com/profile", "spec|devices": [device]})
    assert found == {(kind, "spec.devices[0].attributes[gpu.example.com/profile]") for kind in expected}


# --- node allocatable resources --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("resource", "expected"),
    [
        ({"cpu": {"mapping": {"capacityKey": "memory", "capacityMultiplier": "1"}}}, set()),
        ({"hugepages-2Mi": {"mapping": {"deviceMultiplier": "1"}}}, set()),
        ({"pods": {"mapping": {"deviceMultiplier": "1"}}}, {("Invalid", "[pods]")}),
        ({"cpu": {}}, {("Required", "[cpu]")}),
        ({"cpu": {"mapping": {}}}, {("Invalid", "[cpu].mapping")}),
        ({"cpu": {"mapping": {"deviceMultiplier": "0"}}}, {("Invalid", "[cpu].mapping.deviceMultiplier")}),
        (
            {"cpu": {"mapping": {"capacityKey": "x"}}},
            {("NotFound", "[cpu].mapping.capacityKey"), ("Required", "[cpu].mapping.capacityMultiplier")},
        ),
        (
            {"cpu": {"mapping": {"deviceMultiplier": "1", "capacityMultiplier": "-1"}}},
            {("Required", "[cpu].mapping.capacityKey")},
        ),
        ({"cpu": {"overhead": {}}}, {("Invalid", "[cpu].overhead")}),
        ({"cpu": {"overhead": {"perPod": "-1", "perContainer": "0"}}}, {("Invalid", "[cpu].overhead.perPod")}),
    ],
)
def test_node_allocatable_resources(resource: Any, expected: set[tuple[str, str]]) -> None:
    found = refused({"spec|devices|0|nodeAllocatableResources": resource})
    assert found == {(kind, f"spec.devices[0].nodeAllocatableResources{field}") for kind, field in expected}
