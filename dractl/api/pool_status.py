"""The status of a ResourcePoolStatusRequest (resource.k8s.io/v1alpha3): fields without a default are always written."""

from dractl.api.base import ApiStruct, Condition
from dractl.api.quantity import Quantity


class PartitionTypeSummary(ApiStruct, frozen=True, kw_only=True):
    attribute: str
    type: str = ""
    total: int
    allocatable: int


class ShareableCapacity(ApiStruct, frozen=True):
    name: str
    total: Quantity
    consumed: Quantity
    available: Quantity


class ShareableDeviceSummary(ApiStruct, frozen=True):
    fullyAvailableDevices: int
    partiallyAvailableDevices: int
    capacity: list[ShareableCapacity] | None = None


class PoolStatus(ApiStruct, frozen=True):
    driver: str
    poolName: str
    generation: int
    nodeName: str | None = None
    resourceSliceCount: int | None = None
    totalDevices: int | None = None
    allocatedDevices: int | None = None
    availableDevices: int | None = None
    unavailableDevices: int | None = None
    partitionSummary: list[PartitionTypeSummary] | None = None
    shareableSummary: ShareableDeviceSummary | None = None
    validationError: str | None = None


class ResourcePoolStatusRequestStatus(ApiStruct, frozen=True):
    poolCount: int
    pools: list[PoolStatus] | None = None
    conditions: list[Condition] | None = None
