"""The types of resource.k8s.io/v1, and the two kinds that other versions still serve."""

from typing import Any, TypeAlias

import msgspec

from dractl.api.base import ApiStruct, Condition, NodeSelector, ObjectMeta, Taint, Toleration
from dractl.api.quantity import Quantity

# Two fields of DeviceAttribute are named like the types that they hold.
_Int: TypeAlias = int
_Bool: TypeAlias = bool

# --- devices ---------------------------------------------------------------------------------------------------------


class DeviceAttribute(ApiStruct, frozen=True):
    """One value, or a list of values, of one type."""

    int: _Int | None = None
    bool: _Bool | None = None
    string: str | None = None
    version: str | None = None
    ints: list[_Int] | None = None
    bools: list[_Bool] | None = None
    strings: list[str] | None = None
    versions: list[str] | None = None


class CapacityRange(ApiStruct, frozen=True):
    min: Quantity | None = None
    max: Quantity | None = None
    step: Quantity | None = None


class CapacityRequestPolicy(ApiStruct, frozen=True):
    default: Quantity | None = None
    validValues: list[Quantity] | None = None
    validRange: CapacityRange | None = None


class DeviceCapacity(ApiStruct, frozen=True):
    value: Quantity = msgspec.field(default_factory=lambda: Quantity(0))
    requestPolicy: CapacityRequestPolicy | None = None


class Counter(ApiStruct, frozen=True):
    value: Quantity = msgspec.field(default_factory=lambda: Quantity(0))


class CounterSet(ApiStruct, frozen=True):
    name: str = ""
    counters: dict[str, Counter] | None = None


class DeviceCounterConsumption(ApiStruct, frozen=True):
    counterSet: str = ""
    counters: dict[str, Counter] | None = None
    compatibilityGroups: list[str] | None = None


class NodeAllocatableMapping(ApiStruct, frozen=True):
    capacityKey: str | None = None
    capacityMultiplier: Quantity | None = None
    deviceMultiplier: Quantity | None = None


class NodeAllocatableOverhead(ApiStruct, frozen=True):
    perPod: Quantity | None = None
    perContainer: Quantity | None = None


class NodeAllocatableResource(ApiStruct, frozen=True):
    mapping: NodeAllocatableMapping | None = None
    overhead: NodeAllocatableOverhead | None = None


class Device(ApiStruct, frozen=True):
    name: str = ""
    attributes: dict[str, DeviceAttribute] | None = None
    capacity: dict[str, DeviceCapacity] | None = None
    consumesCounters: list[DeviceCounterConsumption] | None = None
    nodeName: str | None = None
    nodeSelector: NodeSelector | None = None
    allNodes: bool | None = None
    taints: list[Taint] | None = None
    bindsToNode: bool | None = None
    bindingConditions: list[str] | None = None
    bindingFailureConditions: list[str] | None = None
    allowMultipleAllocations: bool | None = None
    nodeAllocatableResources: dict[str, NodeAllocatableResource] | None = None


class ResourcePool(ApiStruct, frozen=True):
    name: str = ""
    generation: int = 0
    resourceSliceCount: int = 0


class ResourceSliceSpec(ApiStruct, frozen=True):
    driver: str = ""
    pool: ResourcePool = ResourcePool()
    nodeName: str | None = None
    nodeSelector: NodeSelector | None = None
    allNodes: bool | None = None
    perDeviceNodeSelection: bool | None = None
    devices: list[Device] | None = None
    sharedCounters: list[CounterSet] | None = None
    skipNodeOperations: list[str] | None = None
    partitionTypeAttribute: str | None = None


class ResourceSlice(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceSliceSpec = ResourceSliceSpec()


# --- classes and claims ----------------------------------------------------------------------------------------------


class CELDeviceSelector(ApiStruct, frozen=True):
    expression: str = ""


class DeviceSelector(ApiStruct, frozen=True):
    cel: CELDeviceSelector | None = None


class OpaqueDeviceConfiguration(ApiStruct, frozen=True):
    driver: str = ""
    parameters: Any = None


class DeviceClassConfiguration(ApiStruct, frozen=True):
    opaque: OpaqueDeviceConfiguration | None = None


class DeviceClassSpec(ApiStruct, frozen=True):
    selectors: list[DeviceSelector] | None = None
    config: list[DeviceClassConfiguration] | None = None
    extendedResourceName: str | None = None


class DeviceClass(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceClassSpec = DeviceClassSpec()


class CapacityRequirements(ApiStruct, frozen=True):
    requests: dict[str, Quantity] | None = None


class DerivedAttribute(ApiStruct, frozen=True):
    name: str = ""
    expression: str = ""


class ExactDeviceRequest(ApiStruct, frozen=True):
    deviceClassName: str = ""
    selectors: list[DeviceSelector] | None = None
    allocationMode: str = ""
    count: int = 0
    adminAccess: bool | None = None
    tolerations: list[Toleration] | None = None
    capacity: CapacityRequirements | None = None
    derivedAttributes: list[DerivedAttribute] | None = None


class DeviceSubRequest(ApiStruct, frozen=True):
    name: str = ""
    deviceClassName: str = ""
    selectors: list[DeviceSelector] | None = None
    allocationMode: str = ""
    count: int = 0
    tolerations: list[Toleration] | None = None
    capacity: CapacityRequirements | None = None
    derivedAttributes: list[DerivedAttribute] | None = None


class DeviceRequest(ApiStruct, frozen=True):
    name: str = ""
    exactly: ExactDeviceRequest | None = None
    firstAvailable: list[DeviceSubRequest] | None = None


class DeviceConstraint(ApiStruct, frozen=True):
    requests: list[str] | None = None
    matchAttribute: str | None = None
    distinctAttribute: str | None = None


class DeviceClaimConfiguration(ApiStruct, frozen=True):
    requests: list[str] | None = None
    opaque: OpaqueDeviceConfiguration | None = None


class DeviceClaim(ApiStruct, frozen=True):
    requests: list[DeviceRequest] | None = None
    constraints: list[DeviceConstraint] | None = None
    config: list[DeviceClaimConfiguration] | None = None


class ResourceClaimSpec(ApiStruct, frozen=True):
    devices: DeviceClaim = DeviceClaim()


class DeviceRequestAllocationResult(ApiStruct, frozen=True):
    request: str = ""
    driver: str = ""
    pool: str = ""
    device: str = ""
    adminAccess: bool | None = None
    tolerations: list[Toleration] | None = None
    bindingConditions: list[str] | None = None
    bindingFailureConditions: list[str] | None = None
    shareID: str | None = None
    consumedCapacity: dict[str, Quantity] | None = None
    skipNodeOperations: list[str] | None = None


class DeviceAllocationConfiguration(ApiStruct, frozen=True):
    source: str = ""
    requests: list[str] | None = None
    opaque: OpaqueDeviceConfiguration | None = None


class DeviceAllocationResult(ApiStruct, frozen=True):
    results: list[DeviceRequestAllocationResult] | None = None
    config: list[DeviceAllocationConfiguration] | None = None


class AllocationResult(ApiStruct, frozen=True):
    devices: DeviceAllocationResult = DeviceAllocationResult()
    nodeSelector: NodeSelector | None = None
    allocationTimestamp: str | None = None


class NetworkDeviceData(ApiStruct, frozen=True):
    interfaceName: str = ""
    ips: list[str] | None = None
    hardwareAddress: str = ""


class AllocatedDeviceStatus(ApiStruct, frozen=True):
    driver: str = ""
    pool: str = ""
    device: str = ""
    shareID: str | None = None
    conditions: list[Condition] | None = None
    data: Any = None
    networkData: NetworkDeviceData | None = None


class ResourceClaimConsumerReference(ApiStruct, frozen=True):
    apiGroup: str = ""
    resource: str = ""
    name: str = ""
    uid: str = ""


class ResourceClaimStatus(ApiStruct, frozen=True):
    allocation: AllocationResult | None = None
    reservedFor: list[ResourceClaimConsumerReference] | None = None
    devices: list[AllocatedDeviceStatus] | None = None


class ResourceClaim(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()
    status: ResourceClaimStatus = ResourceClaimStatus()


class ResourceClaimTemplateSpec(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()


class ResourceClaimTemplate(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimTemplateSpec = ResourceClaimTemplateSpec()


# --- rules about devices, and questions about pools ------------------------------------------------------------------


class DeviceTaintSelector(ApiStruct, frozen=True):
    driver: str | None = None
    pool: str | None = None
    device: str | None = None


class DeviceTaintRuleSpec(ApiStruct, frozen=True):
    deviceSelector: DeviceTaintSelector | None = None
    taint: Taint = Taint()


class DeviceTaintRuleStatus(ApiStruct, frozen=True):
    conditions: list[Condition] | None = None


class DeviceTaintRule(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceTaintRuleSpec = DeviceTaintRuleSpec()
    status: DeviceTaintRuleStatus = DeviceTaintRuleStatus()


class ResourcePoolStatusRequestSpec(ApiStruct, frozen=True):
    driver: str = ""
    poolName: str | None = None
    limit: int | None = None
    defaultPartitionTypeAttribute: str | None = None


class ResourcePoolStatusRequest(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourcePoolStatusRequestSpec = ResourcePoolStatusRequestSpec()
    status: Any = None
