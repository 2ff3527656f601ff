"""Writes `dractl/manifests/fields.txt`, the table of the fields that API objects have.

The names come from the models of the PyPI package `kubernetes`, which are generated from the API's OpenAPI schema. Two
things are not in them and stand here: which texts are quantities, and which integers have 64 bits.

Run it in a scratch environment that holds the package of the wanted release, with the output redirected to the table:
`python tests/manifests/make_fields.py > dractl/manifests/fields.txt`.
"""

import importlib
import re
import sys
from bisect import bisect
from typing import Any

ROOTS = [
    "V1Pod",
    "V1Node",
    "V1Namespace",
    "V1Service",
    "V1ResourceQuota",
    "V1LimitRange",
    "V1ReplicationController",
    "V1ReplicaSet",
    "V1Deployment",
    "V1StatefulSet",
    "V1DaemonSet",
    "V1Job",
    "V1CronJob",
    "V1PriorityClass",
    "V1RuntimeClass",
    "V1Role",
    "V1ClusterRole",
    "V1RoleBinding",
    "V1ClusterRoleBinding",
    "V1DeviceClass",
    "ResourceV1ResourceClaim",
    "V1ResourceClaimTemplate",
    "V1ResourceSlice",
    "V1DeviceTaintRule",
    "V1beta2DeviceClass",
    "V1beta2ResourceClaim",
    "V1beta2ResourceClaimTemplate",
    "V1beta2ResourceSlice",
    "V1beta2DeviceTaintRule",
    "V1beta1DeviceClass",
    "V1beta1ResourceClaim",
    "V1beta1ResourceClaimTemplate",
    "V1beta1ResourceSlice",
    "V1alpha3DeviceTaintRule",
    "V1alpha3ResourcePoolStatusRequest",
    "V1beta1PodGroup",
    "V1beta1Workload",
    "V1alpha3PodGroup",
    "V1alpha3Workload",
]

QUANTITIES = {
    "CapacityRequestPolicy": {"default", "validValues"},
    "CapacityRequestPolicyRange": {"min", "max", "step"},
    "CapacityRequirements": {"requests"},
    "ContainerStatus": {"allocatedResources"},
    "Counter": {"value"},
    "DeviceCapacity": {"value"},
    "DeviceRequestAllocationResult": {"consumedCapacity"},
    "EmptyDirVolumeSource": {"sizeLimit"},
    "LimitRangeItem": {"default", "defaultRequest", "max", "maxLimitRequestRatio", "min"},
    "NodeAllocatableMappedResources": {"quantity"},
    "NodeAllocatableMapping": {"capacityMultiplier", "deviceMultiplier"},
    "NodeAllocatableOverhead": {"perPod", "perContainer"},
    "NodeAllocatableOverheadResources": {"perPod", "perContainer"},
    "NodeStatus": {"capacity", "allocatable"},
    "Overhead": {"podFixed"},
    "PodSpec": {"overhead"},
    "PodStatus": {"allocatedResources"},
    "PersistentVolumeClaimStatus": {"allocatedResources", "capacity"},
    "ResourceFieldSelector": {"divisor"},
    "ResourceQuotaSpec": {"hard"},
    "ResourceQuotaStatus": {"hard", "used"},
    "ResourceRequirements": {"limits", "requests"},
    "VolumeResourceRequirements": {"limits", "requests"},
}
"""Fields that hold quantities, by the type's name without its version."""

WIDE = {
    "activeDeadlineSeconds", "allocatable", "capacity", "count", "deletionGracePeriodSeconds", "expirationSeconds",
    "fsGroup", "generation", "gid", "int", "ints", "observedGeneration", "resourceSliceCount", "runAsGroup",
    "runAsUser", "seconds", "sizeBytes", "startingDeadlineSeconds", "supplementalGroups",
    "terminationGracePeriodSeconds", "tolerationSeconds", "total", "uid",
}  # fmt: skip
"""Integer fields of 64 bits; all others have 32."""

INT_OR_TEXT = {"maxSurge", "maxUnavailable", "port", "targetPort"}
EMPTY = {"all", "basic", "single"}
"""Fields that hold a structure without any field, for which there is no model."""

UNPUBLISHED = [
    "DeviceMetadata apiVersion:string kind:string metadata:V1ObjectMeta podClaimName:string "
    "requests:[]DeviceMetadataRequest",
    "DeviceMetadataDevice attributes:{}V1DeviceAttribute driver:string name:string "
    "networkData:V1NetworkDeviceData pool:string",
    "DeviceMetadataRequest devices:[]DeviceMetadataDevice name:string",
    "Empty",
]
"""Types that no API server knows: what device metadata files hold, and the structure without fields."""

CODES = {"str": "string", "bool": "boolean", "datetime": "time"}


def code(owner: str, field: str, written: str) -> str:
    """The table's word for one field's type: `string`, `[]V1Device`, `{}quantity`, …."""
    plain = re.sub(r"^(ResourceV1|CoreV1|V\d+(?:(?:alpha|beta)\d+)?)", "", owner)
    if written.startswith("List["):
        return "[]" + code(owner, field, written[5:-1])
    if written.startswith("Dict[str, "):
        return "{}" + code(owner, field, written[10:-1])
    if field in QUANTITIES.get(plain, ()):
        return "quantity"
    if written == "int":
        return "int64" if field in WIDE else "int32"
    if written == "object" and field in EMPTY:
        return "Empty"
    if written == "object":
        return "intOrString" if field in INT_OR_TEXT else "any"
    return CODES.get(written, written)


def types_below(models: Any, roots: list[str]) -> dict[str, dict[str, str]]:
    """Every type that can be reached from the roots, with its fields and their types as the models write them."""
    found: dict[str, dict[str, str]] = {}
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        model = getattr(models, name)
        found[name] = {model.attribute_map[field]: written for field, written in model.openapi_types.items()}
        for written in found[name].values():
            waiting += [word for word in re.findall(r"[A-Z]\w+", written) if word not in ("Dict", "List")]
    return found


def main() -> None:
    models = importlib.import_module("kubernetes.client.models")
    release = importlib.import_module("kubernetes").__version__
    lines = [f"# Fields of API types, from the OpenAPI models of the PyPI package kubernetes {release} (Apache-2.0)."]
    for name, fields in sorted(types_below(models, ROOTS).items()):
        words = [f"{field}:{code(name, field, written)}" for field, written in sorted(fields.items())]
        lines.append(" ".join([name, *words]))
    for line in UNPUBLISHED:
        lines.insert(bisect(lines, line, lo=1), line)
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
