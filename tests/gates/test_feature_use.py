# FEATURE: A6
from typing import Any

import pytest

from dractl.api import core, resource, scheduling, workload
from dractl.api.codec import to_api
from dractl.api.feature_use import gates_in_use
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.errors import Origin, Place

KINDS: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        *(resource.ResourceSlice, resource.DeviceClass, resource.ResourceClaim, resource.ResourceClaimTemplate),
        *(resource.DeviceTaintRule, resource.ResourcePoolStatusRequest),
        *(core.Pod, workload.Deployment, workload.CronJob, scheduling.PodGroup, scheduling.Workload),
    )
}


def used(kind: str, **content: Any) -> dict[str, str]:
    obj = to_api({"metadata": {"name": "x"}, **content}, KINDS[kind])
    sourced = Sourced(obj, ObjectRef(kind, "", "x"), Place(Origin("f")), "v1")
    return dict(gates_in_use(ObjectSet([sourced])))


def of_slice(**spec: Any) -> dict[str, str]:
    return used("ResourceSlice", spec=spec)


def of_device(**device: Any) -> dict[str, str]:
    return of_slice(devices=[{"name": "d", **device}])


def of_request(**request: Any) -> dict[str, str]:
    return used("ResourceClaim", spec={"devices": {"requests": [{"name": "r", **request}]}})


def of_result(**result: Any) -> dict[str, str]:
    return used("ResourceClaim", status={"allocation": {"devices": {"results": [result]}}})


@pytest.mark.parametrize(
    ("device", "gate", "path"),
    [
        ({"taints": [{"key": "k", "effect": "NoSchedule"}]}, "DRADeviceTaints", "taints"),
        ({"nodeName": "n"}, "DRAPartitionableDevices", "nodeName"),
        ({"allNodes": True}, "DRAPartitionableDevices", "allNodes"),
        ({"consumesCounters": [{"counterSet": "c"}]}, "DRAPartitionableDevices", "consumesCounters"),
        ({"bindsToNode": False}, "DRADeviceBindingConditions", "bindsToNode"),
        ({"bindingConditions": ["x"]}, "DRADeviceBindingConditions", "bindingConditions"),
        ({"allowMultipleAllocations": True}, "DRAConsumableCapacity", "allowMultipleAllocations"),
        ({"attributes": {"a": {"ints": [1]}}}, "DRAListTypeAttributes", "attributes.a.ints"),
        (
            {"capacity": {"memory": {"value": 1, "requestPolicy": {"default": 1}}}},
            "DRAConsumableCapacity",
            "capacity.memory.requestPolicy",
        ),
        (
            {"nodeAllocatableResources": {"cpu": {"mapping": {}}}},
            "DRANodeAllocatableResources",
            "nodeAllocatableResources",
        ),
    ],
)
def test_fields_of_a_device(device: dict[str, Any], gate: str, path: str) -> None:
    assert of_device(**device) == {gate: f"ResourceSlice x: spec.devices[0].{path}"}


def test_compatibility_groups_use_counters_too() -> None:
    found = of_device(consumesCounters=[{"counterSet": "c", "compatibilityGroups": ["g"]}])
    assert set(found) == {"DRADeviceCompatibilityGroups", "DRAPartitionableDevices"}


@pytest.mark.parametrize(
    ("range_", "is_used"),
    [
        ({"min": "1", "step": "500m"}, True),
        ({"min": "500m", "step": "1"}, True),
        ({"min": "1", "step": "1Gi"}, False),
        ({"min": "500m"}, False),
    ],
)
def test_fractional_ranges(range_: dict[str, str], is_used: bool) -> None:
    found = of_device(capacity={"m": {"value": 8, "requestPolicy": {"default": 2, "validRange": range_}}})
    assert ("DRAFractionalCapacityRange" in found) == is_used


@pytest.mark.parametrize(
    ("found", "gates"),
    [
        (of_slice(devices=[{"name": "d", "attributes": {"a": {"int": 1}}, "taints": []}]), set()),
        (of_slice(sharedCounters=[{"name": "c"}]), {"DRAPartitionableDevices"}),
        (of_slice(perDeviceNodeSelection=True), {"DRAPartitionableDevices"}),
        (of_slice(partitionTypeAttribute="a"), {"DRAPartitionableDevicesType"}),
        (of_slice(skipNodeOperations=["Prepare"]), {"DRAOptionalNodeOperations"}),
        (of_request(exactly={"deviceClassName": "c"}), set()),
        (of_request(exactly={"adminAccess": True}), {"DRAAdminAccess"}),
        (of_request(exactly={"tolerations": [{"operator": "Exists"}]}), {"DRADeviceTaints"}),
        (of_request(exactly={"capacity": {"requests": {"m": 1}}}), {"DRAConsumableCapacity"}),
        (of_request(exactly={"derivedAttributes": [{"name": "n"}]}), {"DRADerivedAttributes"}),
        (of_request(firstAvailable=[{"name": "a"}]), {"DRAPrioritizedList"}),
        (
            of_request(firstAvailable=[{"name": "a", "capacity": {"requests": {"m": 1}}}]),
            {"DRAPrioritizedList", "DRAConsumableCapacity"},
        ),
        (
            used("ResourceClaim", spec={"devices": {"constraints": [{"distinctAttribute": "a/b"}]}}),
            {"DRAConsumableCapacity"},
        ),
        (
            used("ResourceClaim", status={"devices": [{"shareID": "s"}]}),
            {"DRAResourceClaimDeviceStatus", "DRAConsumableCapacity"},
        ),
        (of_result(request="r", device="d"), set()),
        (of_result(bindingConditions=["c"]), {"DRADeviceBindingConditions"}),
        (of_result(consumedCapacity={"m": 1}), {"DRAConsumableCapacity"}),
        (of_result(skipNodeOperations=["Prepare"]), {"DRAOptionalNodeOperations"}),
        (used("DeviceClass", spec={"extendedResourceName": "a/b"}), {"DRAExtendedResource"}),
        (used("DeviceTaintRule"), {"DRADeviceTaintRules"}),
        (used("ResourcePoolStatusRequest"), {"DRAResourcePoolStatus"}),
        (used("Pod", spec={"schedulingGroup": {"podGroupName": "g"}}), {"GenericWorkload"}),
        (used("Pod", spec={"resources": {"limits": {"cpu": 1}}}), {"PodLevelResources"}),
        (used("Pod", spec={"containers": [{"name": "c"}]}), set()),
        (used("Deployment", spec={"template": {"spec": {"resources": {}}}}), {"PodLevelResources"}),
        (used("PodGroup"), {"GenericWorkload"}),
        (used("PodGroup", spec={"resourceClaims": [{"name": "c"}]}), {"GenericWorkload", "DRAWorkloadResourceClaims"}),
        (
            used("Workload", spec={"podGroupTemplates": [{"schedulingConstraints": {}}]}),
            {"GenericWorkload", "TopologyAwareWorkloadScheduling"},
        ),
    ],
)
def test_which_gates_are_used(found: dict[str, str], gates: set[str]) -> None:
    assert set(found) == gates


def test_a_template_names_its_own_path() -> None:
    found = used(
        "ResourceClaimTemplate",
        spec={"spec": {"devices": {"requests": [{"name": "r", "exactly": {"adminAccess": True}}]}}},
    )
    assert found["DRAAdminAccess"].endswith("spec.spec.devices.requests[0].exactly.adminAccess")


def test_a_cron_job_names_its_own_path() -> None:
    group = {"schedulingGroup": {"podGroupName": "g"}}
    found = used("CronJob", spec={"jobTemplate": {"spec": {"template": {"spec": group}}}})
    assert found["GenericWorkload"].endswith("spec.jobTemplate.spec.template.spec.schedulingGroup")
