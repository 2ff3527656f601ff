"""What the API server keeps of an object that a user creates (validation.md §1, "What create clears")."""

from datetime import UTC, datetime
from typing import Any, Final, TypeVar, cast

from msgspec.structs import replace

from dractl.api.base import ObjectMeta, Taint
from dractl.api.resource import (
    DeviceClass,
    DeviceTaintRule,
    DeviceTaintRuleStatus,
    ResourceClaim,
    ResourceClaimStatus,
    ResourcePoolStatusRequest,
    ResourceSlice,
)

T = TypeVar("T")

_LONGEST_BASE: Final = 58
_COUNTED: Final = (DeviceClass, ResourceSlice, DeviceTaintRule)
"""Kinds whose generation is counted from 1."""
_STATUSES: Final[dict[type, Any]] = {
    ResourceClaim: ResourceClaimStatus(),
    DeviceTaintRule: DeviceTaintRuleStatus(),
    ResourcePoolStatusRequest: None,
}


def as_created(value: T, *, suffix: str, now: str) -> T:
    """The object without what users may not set: status, and those fields of the metadata that the server writes.

    Where only `generateName` is given, the name is that and `suffix`, which stands for the server's random one. A taint
    without `timeAdded` gets `now`.
    """
    changed: Any = _with_times(value, now)
    metadata = _metadata(changed.metadata, suffix)
    if type(value) in _COUNTED:
        metadata = replace(metadata, generation=1)
    changed = replace(changed, metadata=metadata)
    if type(value) in _STATUSES:
        changed = replace(changed, status=_STATUSES[type(value)])
    return cast("T", changed)


def _metadata(metadata: ObjectMeta, suffix: str) -> ObjectMeta:
    name = metadata.name or (metadata.generateName and f"{metadata.generateName[:_LONGEST_BASE]}{suffix}")
    return replace(metadata, name=name, uid="", creationTimestamp=None, deletionTimestamp=None)


# --- times -----------------------------------------------------------------------------------------------------------


def _with_times(value: Any, now: str) -> Any:
    """Taints of slices and rules know when they were added, in UTC and whole seconds."""
    if isinstance(value, DeviceTaintRule):
        return replace(value, spec=replace(value.spec, taint=_timed(value.spec.taint, now)))
    if isinstance(value, ResourceSlice) and value.spec.devices:
        devices = [
            replace(device, taints=[_timed(taint, now) for taint in device.taints]) if device.taints else device
            for device in value.spec.devices
        ]
        return replace(value, spec=replace(value.spec, devices=devices))
    return value


def _timed(taint: Taint, now: str) -> Taint:
    return replace(taint, timeAdded=now if taint.timeAdded is None else _in_utc(taint.timeAdded))


def _in_utc(time: str) -> str:
    moment = datetime.fromisoformat(time.replace("Z", "+00:00").replace(",", "."))
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
