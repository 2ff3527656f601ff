"""DeviceTaintRules put their taints on devices before the allocator looks (dra.md §15, taints.md)."""

from collections.abc import Sequence

import msgspec

from dractl.api.resource import Device, DeviceTaintRule, DeviceTaintSelector, ResourceSlice


def with_rule_taints(slice_: ResourceSlice, rules: Sequence[DeviceTaintRule]) -> ResourceSlice:
    """The slice with the taints of all rules that select its devices, behind those that the driver set."""
    concerned = [rule for rule in rules if _selects_slice(rule.spec.deviceSelector, slice_)]
    if not concerned:
        return slice_
    devices = [_with_taints(device, concerned) for device in slice_.spec.devices or ()]
    return msgspec.structs.replace(slice_, spec=msgspec.structs.replace(slice_.spec, devices=devices))


def _selects_slice(selector: DeviceTaintSelector | None, slice_: ResourceSlice) -> bool:
    """An absent selector selects nothing, an empty one everything."""
    if selector is None:
        return False
    return selector.driver in (None, slice_.spec.driver) and selector.pool in (None, slice_.spec.pool.name)


def _with_taints(device: Device, rules: Sequence[DeviceTaintRule]) -> Device:
    added = [
        rule.spec.taint
        for rule in rules
        if rule.spec.deviceSelector is not None and rule.spec.deviceSelector.device in (None, device.name)
    ]
    return msgspec.structs.replace(device, taints=[*(device.taints or ()), *added]) if added else device
