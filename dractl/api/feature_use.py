"""Which feature gates the input needs: fields that the API server drops while a gate is off (gates.md §4)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from dractl.api.core import Pod, PodSpec
from dractl.api.objects import ObjectSet
from dractl.api.resource import (
    CapacityRequestPolicy,
    Device,
    DeviceAttribute,
    DeviceClaim,
    DeviceClass,
    DeviceRequestAllocationResult,
    DeviceSubRequest,
    DeviceTaintRule,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourcePoolStatusRequest,
    ResourceSlice,
)
from dractl.api.scheduling import PodGroup, Workload
from dractl.api.workload import CronJob, DaemonSet, Deployment, Job, ReplicaSet, ReplicationController, StatefulSet
from dractl.errors import FieldPath, path_text

Use: TypeAlias = tuple[str, FieldPath]
"""A gate, and the field below the object that needs it."""


def gates_in_use(objects: ObjectSet) -> Mapping[str, str]:
    """For each gate whose feature is used: the first object and field, as `ResourceSlice s: spec.devices[0].taints`."""
    found: dict[str, str] = {}
    for sourced in objects:
        for gate, path in uses_of(sourced.object):
            if gate not in found:
                field = path_text(path)
                found[gate] = f"{sourced.ref}: {field}" if field else str(sourced.ref)
    return found


def uses_of(value: Any) -> Iterator[Use]:
    """Every field of one object that needs a gate; none for kinds that have no such field."""
    walk = _WALKS.get(type(value))
    return iter(()) if walk is None else walk(value)


# --- slices and classes ----------------------------------------------------------------------------------------------


def _slice(piece: ResourceSlice) -> Iterator[Use]:
    spec = piece.spec
    if spec.sharedCounters:
        yield "DRAPartitionableDevices", ("spec", "sharedCounters")
    if spec.perDeviceNodeSelection is not None:
        yield "DRAPartitionableDevices", ("spec", "perDeviceNodeSelection")
    if spec.partitionTypeAttribute is not None:
        yield "DRAPartitionableDevicesType", ("spec", "partitionTypeAttribute")
    if spec.skipNodeOperations:
        yield "DRAOptionalNodeOperations", ("spec", "skipNodeOperations")
    for index, device in enumerate(spec.devices or ()):
        yield from _below(("spec", "devices", index), _device(device))


_DEVICE_FIELDS: Final = (
    ("taints", "DRADeviceTaints"),
    ("consumesCounters", "DRAPartitionableDevices"),
    ("nodeName", "DRAPartitionableDevices"),
    ("nodeSelector", "DRAPartitionableDevices"),
    ("allNodes", "DRAPartitionableDevices"),
    ("bindingConditions", "DRADeviceBindingConditions"),
    ("bindingFailureConditions", "DRADeviceBindingConditions"),
    ("bindsToNode", "DRADeviceBindingConditions"),
    ("allowMultipleAllocations", "DRAConsumableCapacity"),
    ("nodeAllocatableResources", "DRANodeAllocatableResources"),
)


def _device(device: Device) -> Iterator[Use]:
    yield from _fields(device, _DEVICE_FIELDS)
    for name, attribute in (device.attributes or {}).items():
        kind = _list_type(attribute)
        if kind is not None:
            yield "DRAListTypeAttributes", ("attributes", name, kind)
    for name, capacity in (device.capacity or {}).items():
        if capacity.requestPolicy is not None:
            yield from _below(("capacity", name, "requestPolicy"), _policy(capacity.requestPolicy))
    for index, consumption in enumerate(device.consumesCounters or ()):
        if consumption.compatibilityGroups:
            yield "DRADeviceCompatibilityGroups", ("consumesCounters", index, "compatibilityGroups")


def _list_type(attribute: DeviceAttribute) -> str | None:
    return next(
        (kind for kind in ("bools", "ints", "strings", "versions") if getattr(attribute, kind) is not None), None
    )


def _policy(policy: CapacityRequestPolicy) -> Iterator[Use]:
    yield "DRAConsumableCapacity", ()
    range_ = policy.validRange
    if range_ is not None and range_.step is not None:
        amounts = (policy.default, range_.min, range_.max, range_.step)
        if any(amount is not None and not amount.is_whole for amount in amounts):
            yield "DRAFractionalCapacityRange", ("validRange",)


def _class(device_class: DeviceClass) -> Iterator[Use]:
    if device_class.spec.extendedResourceName is not None:
        yield "DRAExtendedResource", ("spec", "extendedResourceName")


# --- claims ----------------------------------------------------------------------------------------------------------


def _claim(claim: ResourceClaim) -> Iterator[Use]:
    yield from _below(("spec", "devices"), _device_claim(claim.spec.devices))
    status = claim.status
    if status.devices:
        yield "DRAResourceClaimDeviceStatus", ("status", "devices")
    for index, device in enumerate(status.devices or ()):
        if device.shareID is not None:
            yield "DRAConsumableCapacity", ("status", "devices", index, "shareID")
    results = (status.allocation.devices.results if status.allocation else None) or ()
    for index, result in enumerate(results):
        yield from _below(("status", "allocation", "devices", "results", index), _result(result))


def _template(template: ResourceClaimTemplate) -> Iterator[Use]:
    yield from _below(("spec", "spec", "devices"), _device_claim(template.spec.spec.devices))


def _device_claim(claim: DeviceClaim) -> Iterator[Use]:
    for index, request in enumerate(claim.requests or ()):
        here = ("requests", index)
        if request.exactly is not None:
            if request.exactly.adminAccess is not None:
                yield "DRAAdminAccess", (*here, "exactly", "adminAccess")
            yield from _below((*here, "exactly"), _request(request.exactly))
        if request.firstAvailable:
            yield "DRAPrioritizedList", (*here, "firstAvailable")
        for number, alternative in enumerate(request.firstAvailable or ()):
            yield from _below((*here, "firstAvailable", number), _request(alternative))
    for index, constraint in enumerate(claim.constraints or ()):
        if constraint.distinctAttribute is not None:
            yield "DRAConsumableCapacity", ("constraints", index, "distinctAttribute")


_REQUEST_FIELDS: Final = (
    ("tolerations", "DRADeviceTaints"),
    ("capacity", "DRAConsumableCapacity"),
    ("derivedAttributes", "DRADerivedAttributes"),
)


def _request(request: ExactDeviceRequest | DeviceSubRequest) -> Iterator[Use]:
    yield from _fields(request, _REQUEST_FIELDS)


_RESULT_FIELDS: Final = (
    ("bindingConditions", "DRADeviceBindingConditions"),
    ("bindingFailureConditions", "DRADeviceBindingConditions"),
    ("shareID", "DRAConsumableCapacity"),
    ("consumedCapacity", "DRAConsumableCapacity"),
    ("skipNodeOperations", "DRAOptionalNodeOperations"),
)


def _result(result: DeviceRequestAllocationResult) -> Iterator[Use]:
    yield from _fields(result, _RESULT_FIELDS)


def _taint_rule(_: DeviceTaintRule) -> Iterator[Use]:
    yield "DRADeviceTaintRules", ()


def _pool_status_request(request: ResourcePoolStatusRequest) -> Iterator[Use]:
    yield "DRAResourcePoolStatus", ()
    if request.spec.defaultPartitionTypeAttribute is not None:
        yield "DRAPartitionableDevicesType", ("spec", "defaultPartitionTypeAttribute")


# --- pods and what makes them ----------------------------------------------------------------------------------------


def _pod(pod: Pod) -> Iterator[Use]:
    yield from _below(("spec",), _pod_spec(pod.spec))
    if pod.status.extendedResourceClaimStatus is not None:
        yield "DRAExtendedResource", ("status", "extendedResourceClaimStatus")


def _pod_spec(spec: PodSpec) -> Iterator[Use]:
    if spec.schedulingGroup is not None:
        yield "GenericWorkload", ("schedulingGroup",)
    if spec.resources is not None:
        yield "PodLevelResources", ("resources",)


def _pod_template(workload: Any) -> Iterator[Use]:
    yield from _below(("spec", "template", "spec"), _pod_spec(workload.spec.template.spec))


def _cron_job(cron_job: CronJob) -> Iterator[Use]:
    yield from _below(("spec", "jobTemplate"), _pod_template(cron_job.spec.jobTemplate))


_GROUP_FIELDS: Final = (
    ("resourceClaims", "DRAWorkloadResourceClaims"),
    ("schedulingConstraints", "TopologyAwareWorkloadScheduling"),
    ("preemptionPolicy", "PodGroupPreemptionPolicy"),
)


def _pod_group(group: PodGroup) -> Iterator[Use]:
    yield "GenericWorkload", ()
    yield from _below(("spec",), _fields(group.spec, _GROUP_FIELDS))
    if group.spec.parentCompositePodGroupName is not None:
        yield "CompositePodGroup", ("spec", "parentCompositePodGroupName")
    if group.status.resourceClaimStatuses:
        yield "DRAWorkloadResourceClaims", ("status", "resourceClaimStatuses")


def _workload(workload: Workload) -> Iterator[Use]:
    yield "GenericWorkload", ()
    for index, template in enumerate(workload.spec.podGroupTemplates or ()):
        yield from _below(("spec", "podGroupTemplates", index), _fields(template, _GROUP_FIELDS))


# --- walking ---------------------------------------------------------------------------------------------------------


def _fields(value: Any, fields: tuple[tuple[str, str], ...]) -> Iterator[Use]:
    """The uses of fields that need nothing but to be set; an empty list or map is not."""
    for field, gate in fields:
        content = getattr(value, field)
        if content is not None and content not in ([], {}):
            yield gate, (field,)


def _below(path: FieldPath, uses: Iterator[Use]) -> Iterator[Use]:
    for gate, rest in uses:
        yield gate, (*path, *rest)


_WALKS: Final[dict[type, Callable[[Any], Iterator[Use]]]] = {
    ResourceSlice: _slice,
    DeviceClass: _class,
    ResourceClaim: _claim,
    ResourceClaimTemplate: _template,
    DeviceTaintRule: _taint_rule,
    ResourcePoolStatusRequest: _pool_status_request,
    Pod: _pod,
    CronJob: _cron_job,
    PodGroup: _pod_group,
    Workload: _workload,
    **dict.fromkeys((ReplicationController, ReplicaSet, Deployment, StatefulSet, DaemonSet, Job), _pod_template),
}
