"""Objects in the very form that the API server writes: which fields stand there although they are empty.

Fields without a value are left out, but for those that Kubernetes marks as required; a pointer that is set is written
even if it points to an empty value (validation.md §1).
"""

from functools import cache
from typing import Any, Final

import msgspec
from msgspec.structs import fields

from dractl.api import base, resource
from dractl.api.quantity import Quantity

_REQUIRED: Final[dict[type, tuple[str, ...]]] = {
    base.OwnerReference: ("apiVersion", "kind", "name", "uid"),
    base.NodeSelector: ("nodeSelectorTerms",),
    base.NodeSelectorRequirement: ("key", "operator"),
    base.Taint: ("key", "effect"),
    resource.CapacityRequestPolicy: ("default",),
    resource.CELDeviceSelector: ("expression",),
    resource.OpaqueDeviceConfiguration: ("driver", "parameters"),
    resource.DeviceClaim: ("requests",),
    resource.DeviceRequest: ("name",),
    resource.ExactDeviceRequest: ("deviceClassName",),
    resource.DeviceSubRequest: ("name", "deviceClassName"),
    resource.DerivedAttribute: ("name", "expression"),
    resource.ResourcePool: ("name", "generation", "resourceSliceCount"),
    resource.ResourceSliceSpec: ("driver",),
    resource.Device: ("name",),
    resource.CounterSet: ("name",),
    resource.DeviceCounterConsumption: ("counterSet",),
    resource.ResourcePoolStatusRequestSpec: ("driver",),
}
"""Fields that are written whatever they hold, besides structures that are no pointers."""


def to_stored(value: Any) -> Any:
    """The plain data of an API object as the API server writes it."""
    if isinstance(value, msgspec.Struct):
        written = {}
        for name, is_pointer, is_required in _layout(type(value)):
            content = getattr(value, name)
            if is_required or not _is_left_out(content, is_pointer=is_pointer):
                written[name] = to_stored(content)
        return written
    if isinstance(value, Quantity):
        return str(value)
    if isinstance(value, list):
        return [to_stored(item) for item in value]
    if isinstance(value, dict):
        return {key: to_stored(item) for key, item in value.items()}
    return value


@cache
def _layout(kind: type[msgspec.Struct]) -> tuple[tuple[str, bool, bool], ...]:
    """Of each field: its name, whether it is a pointer, and whether it is written even if it is empty."""
    required = _REQUIRED.get(kind, ())
    return tuple((field.name, field.default is None, field.name in required) for field in fields(kind))


def _is_left_out(content: Any, *, is_pointer: bool) -> bool:
    if content is None or (isinstance(content, list | dict) and not content):
        return True
    if isinstance(content, msgspec.Struct):
        return False
    return not is_pointer and not isinstance(content, Quantity) and not content
