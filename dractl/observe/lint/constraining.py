"""What the devices that a constraint binds show of its attribute."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from dractl.api.identities import DeviceId
from dractl.observe.lint.answers import Devices
from dractl.observe.lint.context import ClaimAsked, LintContext
from dractl.problem.attributes import AttributeReader, AttributeValue, Scalar
from dractl.problem.constraints import Constraint
from dractl.problem.demands import Demand

Values: TypeAlias = frozenset[tuple[str, Scalar]]
"""Values with their types: a version never equals a string."""


class Shown(Struct, frozen=True, eq=False):
    """What devices show to one request or alternative; a list may be empty, and then the device is left out.

    `values` are all of them.
    """

    by_device: Mapping[DeviceId, Values]
    values: Values
    has_value: bool
    is_open: bool


class Bound(Struct, frozen=True):
    """A request that a constraint binds, the devices it may get and what they show, both by alternative.

    Devices without the attribute, or whose derived value is an error, show nothing. `count` is the least number of
    devices, 0 for All.
    """

    request: str
    devices: tuple[Devices, ...]
    shown: tuple[Shown, ...]
    count: int

    @property
    def values(self) -> Values:
        """The values of all devices."""
        return frozenset[tuple[str, Scalar]]().union(*(each.values for each in self.shown))

    @property
    def has_value(self) -> bool:
        """Whether a device has the attribute, or a request derives it."""
        return any(each.has_value for each in self.shown)

    @property
    def is_open(self) -> bool:
        """Whether a device's value is an error, or a list that the release in force does not compare."""
        return any(each.is_open for each in self.shown)

    @property
    def key(self) -> tuple[int, ...]:
        """The same for requests for as many of the same devices, as long as the lint context remembers them."""
        return self.count, *map(id, self.devices), *map(id, self.shown)

    @property
    def has_devices(self) -> bool:
        """Whether there is any device for the request."""
        return any(self.devices)


def bound_requests(context: LintContext, claim: ClaimAsked, constraint: Constraint) -> Iterator[Bound]:
    """The requests that the constraint binds whichever alternative is taken."""
    if constraint.fault is not None or not constraint.attribute:
        return
    for request in claim.demand.requests:
        applying = [demand for demand in request.alternatives if constraint.applies_to(demand.ref)]
        if len(applying) < len(request.alternatives) or any(demand.device_class is None for demand in applying):
            continue
        devices = tuple(context.matching(demand.selectors) for demand in applying)
        shown = tuple(
            _shown(context, demand, each, constraint.attribute) for demand, each in zip(applying, devices, strict=True)
        )
        yield Bound(request.name, devices, shown, min((demand.count or 0 for demand in applying), default=0))


def _shown(context: LintContext, demand: Demand, devices: Devices, attribute: str) -> Shown:
    derived = demand.derived.get(attribute)
    what = f"{attribute} {derived.expression if derived is not None else ''}"
    compares_lists = context.cluster.features.list_type_attributes

    def read(each: Devices) -> Shown:
        reader = AttributeReader()
        by_device: dict[DeviceId, Values] = {}
        has_value, is_open = derived is not None, False
        for device in each:
            value = reader.read(demand, device, attribute)
            if isinstance(value, AttributeValue):
                has_value = True
                is_open = is_open or (value.is_list and not compares_lists)
                values = frozenset((value.type, one) for one in value.values)
                if values:
                    by_device[device.id] = by_device.get(device.id, frozenset()) | values
            elif value is not None:
                is_open = True
        every = frozenset[tuple[str, Scalar]]().union(*by_device.values())
        return Shown(by_device, every, has_value, is_open)

    return context.about(what, devices, read)
