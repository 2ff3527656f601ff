"""ResourceQuota and LimitRange, as far as they are about devices and about what containers request."""

from typing import Any

from dractl.api.base import ApiStruct, ObjectMeta
from dractl.api.quantity import Quantity


class ResourceQuotaSpec(ApiStruct, frozen=True):
    hard: dict[str, Quantity] | None = None
    scopes: list[str] | None = None
    scopeSelector: Any = None


class ResourceQuotaStatus(ApiStruct, frozen=True):
    hard: dict[str, Quantity] | None = None
    used: dict[str, Quantity] | None = None


class ResourceQuota(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceQuotaSpec = ResourceQuotaSpec()
    status: ResourceQuotaStatus = ResourceQuotaStatus()


class LimitRangeItem(ApiStruct, frozen=True):
    type: str = ""
    max: dict[str, Quantity] | None = None
    min: dict[str, Quantity] | None = None
    default: dict[str, Quantity] | None = None
    defaultRequest: dict[str, Quantity] | None = None
    maxLimitRequestRatio: dict[str, Quantity] | None = None


class LimitRangeSpec(ApiStruct, frozen=True):
    limits: list[LimitRangeItem] | None = None


class LimitRange(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: LimitRangeSpec = LimitRangeSpec()
