"""What the devices that a constraint binds show of its attribute."""

from collections.abc import Iterator
from dataclasses import dataclass

from dractl.cluster.pools import PoolDevice
from dractl.observe.lint.context import ClaimAsked, LintContext
from dractl.problem.attributes import AttributeReader, AttributeValue
from dractl.problem.constraints import Constraint


@dataclass(frozen=True, slots=True)
class Bound:
    """A request that a constraint binds, the devices it may get, and the values they show.

    Devices without the attribute, or whose derived value is an error, show none. `count` is the least number of
    devices.
    """

    request: str
    devices: tuple[PoolDevice, ...]
    values: tuple[tuple[PoolDevice, AttributeValue], ...]
    count: int


def bound_requests(context: LintContext, claim: ClaimAsked, constraint: Constraint) -> Iterator[Bound]:
    """The requests that the constraint binds whichever alternative is taken."""
    if constraint.fault is not None or not constraint.attribute:
        return
    reader = AttributeReader()
    for request in claim.demand.requests:
        applying = [demand for demand in request.alternatives if constraint.applies_to(demand.ref)]
        if len(applying) < len(request.alternatives) or any(demand.device_class is None for demand in applying):
            continue
        devices: list[PoolDevice] = []
        values: list[tuple[PoolDevice, AttributeValue]] = []
        for demand in applying:
            matching = context.matching(demand.selectors)
            devices += matching
            for device in matching:
                value = reader.read(demand, device, constraint.attribute)
                if isinstance(value, AttributeValue):
                    values.append((device, value))
        least = min((demand.count or 0 for demand in applying), default=0)
        yield Bound(request.name, tuple(devices), tuple(values), least)
