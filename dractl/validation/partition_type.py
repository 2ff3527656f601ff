"""The attribute that names the type of a partition: `partitionTypeAttribute` of slices (validation.md §7)."""

from collections.abc import Iterator

from dractl.api.resource import Device, ResourceSliceSpec
from dractl.validation.formats import fully_qualified_name, qualified_name
from dractl.validation.violation import Violation, ViolationType, below, declared


def check_partition_type(spec: ResourceSliceSpec, name: str) -> Iterator[Violation]:
    """Every device that consumes counters has the attribute, as text; paths begin at the slice's spec."""
    yield from below(declared(fully_qualified_name(name)), "partitionTypeAttribute")
    partitions = [(index, device) for index, device in enumerate(spec.devices or ()) if device.consumesCounters]
    if not partitions:
        message = "no device of this slice consumes counters"
        path = ("partitionTypeAttribute",)
        yield Violation(path, ViolationType.INVALID, message, "take it out: only partitions have a type")
    if "/" not in name or qualified_name(name):
        return
    for index, device in partitions:
        yield from below(_check_device(device, name, spec.driver), "devices", index, "attributes", name)


def _check_device(device: Device, name: str, driver: str) -> Iterator[Violation]:
    attributes = device.attributes or {}
    domain, _, identifier = name.partition("/")
    found = attributes.get(name)
    if found is None and domain == driver:
        found = attributes.get(identifier)
    if found is None:
        message = f"the partition lacks the attribute {name}, which `partitionTypeAttribute` names"
        yield Violation((), ViolationType.REQUIRED, message, f"add `{name}: {{string: …}}`", is_cut=False)
    elif found.string is None:
        message = "`partitionTypeAttribute` names this attribute, so that it has to be a text"
        yield Violation((), ViolationType.INVALID, message, "write `string: …`", is_cut=False)
