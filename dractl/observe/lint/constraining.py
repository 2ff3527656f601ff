"""What the devices that a constraint binds show of its attribute."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from dractl.observe.lint.answers import Devices
from dractl.observe.lint.context import ClaimAsked, LintContext
from dractl.problem.attributes import AttributeReader, AttributeValue, Scalar
from dractl.problem.constraints import Constraint
from dractl.problem.demands import Demand

Values: TypeAlias = frozenset[tuple[str, Scalar]]
"""Values with their types: a version never equals a string."""


class Bound(Struct, frozen=True):
    """A request that a constraint binds, the devices it may get (by alternative), and the values they show.

    Devices without the attribute, or whose derived value is an error, show none; `has_value` is whether one has the
    attribute, or the request derives it. `count` is the least number of devices.
    """

    request: str
    devices: tuple[Devices, ...]
    values: Values
    has_value: bool
    count: int

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
        shown = [
            _shown(context, demand, each, constraint.attribute) for demand, each in zip(applying, devices, strict=True)
        ]
        least = min((demand.count or 0 for demand in applying), default=0)
        values = frozenset[tuple[str, Scalar]]().union(*(values for values, _ in shown))
        yield Bound(request.name, devices, values, any(has_value for _, has_value in shown), least)


def _shown(context: LintContext, demand: Demand, devices: Devices, attribute: str) -> tuple[Values, bool]:
    """The values of the devices, and whether one has the attribute (a list may be empty)."""
    derived = demand.derived.get(attribute)
    what = f"{attribute} {derived.expression if derived is not None else ''}"

    def read(each: Devices) -> tuple[Values, bool]:
        reader = AttributeReader()
        found = [
            value for device in each if isinstance(value := reader.read(demand, device, attribute), AttributeValue)
        ]
        return _flat(found), bool(found) or derived is not None

    return context.about(what, devices, read)


def _flat(found: Iterable[AttributeValue]) -> Values:
    return frozenset((value.type, each) for value in found for each in value.values)
