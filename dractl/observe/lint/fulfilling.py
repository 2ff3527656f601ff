"""Whether a node has devices that fulfil a constraint together, if nobody used them.

Only what is certain is said: taints, counters and capacity may make it harder, never easier.
"""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from dractl.api.identities import DeviceId
from dractl.observe.lint.constraining import Bound, Values
from dractl.observe.lint.context import LintContext
from dractl.problem.attributes import Scalar
from dractl.problem.constraints import ConstraintKind


class Wanted(Struct, frozen=True, eq=False):
    """The least number of devices of a request, and the values of those that it may get, alternatives taken together.

    `devices` are all of them, those without the attribute included, and `shareable` those that may serve several
    requests.
    """

    count: int
    shown: Mapping[DeviceId, Values]
    devices: frozenset[DeviceId]
    shareable: frozenset[DeviceId] = frozenset()

    def on(self, there: frozenset[DeviceId]) -> "Wanted":
        """The same with the devices of one node only."""
        shown = {device: values for device, values in self.shown.items() if device in there}
        return Wanted(self.count, shown, self.devices & there, self.shareable & there)


class Unfulfilled(Struct, frozen=True):
    """A node that has the devices and cannot fulfil the constraint, as no node can, and the values that they show."""

    node: str
    values: Values


def unfulfilled(context: LintContext, kind: ConstraintKind, bound: Sequence[Bound]) -> Unfulfilled | None:
    """None where a node can, where none has so many devices anyway, and where that is not certain.

    It is not where a device is on no node of the input, or what it shows cannot be told. Many claims ask alike.
    """
    alike = ("unfulfilled", kind, *(each.key for each in bound))
    return context.once(alike, lambda: _unfulfilled(context, kind, bound))


def _unfulfilled(context: LintContext, kind: ConstraintKind, bound: Sequence[Bound]) -> Unfulfilled | None:
    wanted = [_wanted(context, each) for each in bound if each.count]
    if sum(each.count for each in wanted) < 2 or any(each.is_open for each in bound):
        return None
    if not all(each.devices <= context.ids_on_nodes for each in wanted):
        return None
    found: Unfulfilled | None = None
    for node, there in context.devices_by_node.items():
        on_node = [each.on(there) for each in wanted]
        if not _are_enough([each.devices for each in on_node], on_node):
            continue
        if can_be_fulfilled(kind, on_node):
            return None
        values = [values for each in on_node for values in each.shown.values()]
        found = found or Unfulfilled(node, frozenset[tuple[str, Scalar]]().union(*values))
    return found


def _wanted(context: LintContext, bound: Bound) -> Wanted:
    shown: dict[DeviceId, Values] = {}
    for each in bound.shown:
        for device, values in each.by_device.items():
            shown[device] = shown.get(device, frozenset()) | values
    shareable = {device.id for devices in bound.devices for device in devices if device.device.allowMultipleAllocations}
    every = frozenset[DeviceId]().union(*(context.ids_of(devices) for devices in bound.devices))
    return Wanted(bound.count, shown, every, frozenset(shareable))


def _are_enough(devices: Sequence[Collection[DeviceId]], wanted: Sequence[Wanted]) -> bool:
    """Whether each request finds so many among its devices, and all together; a shareable one may serve several."""
    if any(len(own) < each.count for own, each in zip(devices, wanted, strict=True)):
        return False
    together = frozenset[DeviceId]().union(*devices)
    is_shared = any(each.shareable & together for each in wanted)
    return is_shared or len(together) >= sum(each.count for each in wanted)


def can_be_fulfilled(kind: ConstraintKind, wanted: Sequence[Wanted]) -> bool:
    """Whether there may be so many devices for each request that together fulfil the constraint (dra.md §9)."""
    return _can_differ(wanted) if kind is ConstraintKind.DISTINCT else _can_match(wanted)


def _can_match(wanted: Sequence[Wanted]) -> bool:
    """One value that enough devices show."""
    values = {value for shown in wanted[0].shown.values() for value in shown}
    return any(
        _are_enough([[device for device, shown in each.shown.items() if value in shown] for each in wanted], wanted)
        for value in values
    )


def _can_differ(wanted: Sequence[Wanted]) -> bool:
    """Every device needs a value that no other shows, for each request and for all together."""
    values = [frozenset[tuple[str, Scalar]]().union(*each.shown.values()) for each in wanted]
    together = frozenset[tuple[str, Scalar]]().union(*values)
    return len(together) >= sum(each.count for each in wanted) and all(
        len(own) >= each.count for own, each in zip(values, wanted, strict=True)
    )
