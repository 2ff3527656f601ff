"""The types of resource.k8s.io/v1beta1 where they differ from v1: flat requests, and devices under `basic`."""

from dractl.api.base import ApiStruct, NodeSelector, ObjectMeta, Taint, Toleration
from dractl.api.resource import (
    CapacityRequirements,
    CounterSet,
    DerivedAttribute,
    DeviceAttribute,
    DeviceCapacity,
    DeviceClaimConfiguration,
    DeviceConstraint,
    DeviceCounterConsumption,
    DeviceSelector,
    DeviceSubRequest,
    NodeAllocatableResource,
    ResourceClaimStatus,
    ResourcePool,
)


class DeviceRequest(ApiStruct, frozen=True):
    """What v1 puts below `exactly` stands in the request itself."""

    name: str = ""
    deviceClassName: str = ""
    selectors: list[DeviceSelector] | None = None
    allocationMode: str = ""
    count: int = 0
    adminAccess: bool | None = None
    firstAvailable: list[DeviceSubRequest] | None = None
    tolerations: list[Toleration] | None = None
    capacity: CapacityRequirements | None = None
    derivedAttributes: list[DerivedAttribute] | None = None


class DeviceClaim(ApiStruct, frozen=True):
    requests: list[DeviceRequest] | None = None
    constraints: list[DeviceConstraint] | None = None
    config: list[DeviceClaimConfiguration] | None = None


class ResourceClaimSpec(ApiStruct, frozen=True):
    devices: DeviceClaim = DeviceClaim()


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


class BasicDevice(ApiStruct, frozen=True):
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


class Device(ApiStruct, frozen=True):
    name: str = ""
    basic: BasicDevice = BasicDevice()


class ResourceSliceSpec(ApiStruct, frozen=True):
    driver: str = ""
    pool: ResourcePool = ResourcePool()
    nodeName: str = ""
    nodeSelector: NodeSelector | None = None
    allNodes: bool = False
    perDeviceNodeSelection: bool | None = None
    devices: list[Device] | None = None
    sharedCounters: list[CounterSet] | None = None
    skipNodeOperations: list[str] | None = None
    partitionTypeAttribute: str | None = None


class ResourceSlice(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceSliceSpec = ResourceSliceSpec()
