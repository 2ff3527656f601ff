"""A partition shares no counters with the device that it is a part of.

A device is a part of another one of its pool, by an attribute (`parentUUID` of one is the `uuid` of the other) or by
name (`gpu-0-half-1` and `gpu-0`), but the two consume from no common counter set.

Why: counters are all that keeps the scheduler from giving the whole device to one pod and its part to another.

Example:

    - {name: gpu-0}
    - name: gpu-0-half-0
      consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 20Gi}}}]

Instead: the whole device consumes all of the counter set from which its parts consume:

    - name: gpu-0
      consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
"""

from collections.abc import Iterator, Mapping
from typing import Final

from dractl.api.resource import Device
from dractl.cluster.pools import PoolState
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext, PoolSlices
from dractl.observe.lint.partitions import counter_sets, devices_of, sets_of
from dractl.observe.lint.rule import Remark, Rule

_PARENT: Final = "parent"


def check(context: LintContext) -> Iterator[Remark]:
    """Parts and wholes of one pool of which at least one consumes counters; sets that are not there are told first."""
    for pool in context.pools.values():
        is_invalid = context.nodes_with(pool.id, PoolState.INVALID) is not None
        yield from _of_pool(pool, frozenset(counter_sets(pool)) if is_invalid else None)


def _of_pool(pool: PoolSlices, defined: frozenset[str] | None) -> Iterator[Remark]:
    """`defined` are the counter sets of a pool that has all of its slices; None where some may be still to come."""
    devices = list(devices_of(pool))
    by_name = {device.name: device for device, _, _ in devices}
    by_value = _by_value(device for device, _, _ in devices)
    for device, place, slice_ in devices:
        parent = _by_attribute(device, by_value) or _by_name(device, by_name)
        if parent is None or parent is device or not (sets_of(device) or sets_of(parent)):
            continue
        sets = sets_of(device) | sets_of(parent)
        is_misspelt = defined is not None and not sets <= defined
        if not is_misspelt and not sets_of(device) & sets_of(parent):
            yield Remark(
                f"device {device.name} is a part of {parent.name}, but they share no counter set: "
                "both can be allocated at once",
                place,
                str(slice_.ref),
                "let both consume from one counter set, the whole device all of it",
            )


def _by_value(devices: Iterator[Device]) -> Mapping[tuple[str, str], Device]:
    """Devices by attribute, in lower case, and text."""
    found: dict[tuple[str, str], Device] = {}
    for device in devices:
        for name, attribute in (device.attributes or {}).items():
            if attribute.string:
                found.setdefault((name.lower(), attribute.string), device)
    return found


def _by_attribute(device: Device, by_value: Mapping[tuple[str, str], Device]) -> Device | None:
    """The device whose `uuid` is the `parentUUID` of this one, and the like."""
    for name, attribute in (device.attributes or {}).items():
        domain, slash, identifier = name.rpartition("/")
        if attribute.string and identifier.lower().startswith(_PARENT):
            own = f"{domain}{slash}{identifier[len(_PARENT) :]}".lower()
            parent = by_value.get((own, attribute.string))
            if parent is not None:
                return parent
    return None


def _by_name(device: Device, by_name: Mapping[str, Device]) -> Device | None:
    """The device whose name is the beginning of this one's, up to a hyphen; the longest."""
    parts = device.name.split("-")
    names = ("-".join(parts[:number]) for number in range(len(parts) - 1, 0, -1))
    return next((by_name[name] for name in names if name in by_name), None)


RULE = Rule("DRA312", "partition-without-parent", Severity.WARNING, __doc__, check, needs_all=("ResourceSlice",))
