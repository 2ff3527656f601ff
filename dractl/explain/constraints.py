"""How many devices agree on the attribute of a constraint, and which other attribute comes close."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from dractl.cluster.pools import PoolDevice
from dractl.errors import Place
from dractl.explain.facts import ConstraintUnmet, InUse, RefusedDevice
from dractl.explain.single import why_not
from dractl.problem.attributes import AttributeValue, attribute_value
from dractl.problem.constraints import Constraint, ConstraintKind
from dractl.problem.demands import Demand
from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem


class _Choice(Struct, frozen=True):
    """A device that a demand could have, and what it shows for the constraint."""

    demand: Demand
    device: PoolDevice
    value: AttributeValue | None


def unmet(
    problem: Problem, constraint: Constraint, usable: Mapping[Demand, Sequence[PoolDevice]], place: Place
) -> ConstraintUnmet | None:
    """The constraint, if the usable devices cannot meet it even with nothing else in the way."""
    bound = [demand for demand in usable if constraint.applies_to(demand.ref)]
    wanted = sum(problem.needed(demand) for demand in bound)
    choices = [
        _Choice(demand, device, _value(problem, demand, device, constraint.attribute))
        for demand in bound
        for device in usable[demand]
    ]
    count = _matching if constraint.kind is ConstraintKind.MATCH else _distinct
    best = count(problem, bound, choices)
    if best >= wanted:
        return None
    values = tuple(dict.fromkeys((choice.device.id, choice.value) for choice in choices))
    return ConstraintUnmet(constraint, wanted, best, values, _near_miss(choices), _in_use(problem, bound), place)


def _in_use(problem: Problem, demands: Sequence[Demand]) -> tuple[RefusedDevice, ...]:
    """Devices that one of the demands could have if others did not hold them or what they need."""
    refused = {
        device.id: RefusedDevice(device.id, because)
        for demand in demands
        for device in problem.devices
        if isinstance(because := why_not(problem, demand, problem.candidates.look(demand, device)), InUse)
    }
    return tuple(refused.values())


def _value(problem: Problem, demand: Demand, device: PoolDevice, attribute: str) -> AttributeValue | None:
    value = problem.attributes.read(demand, device, attribute)
    return None if isinstance(value, AllocationFault) else value


def _matching(problem: Problem, demands: Sequence[Demand], choices: Sequence[_Choice]) -> int:
    """The most devices that the demands could have together with one common value."""
    shown = {(c.value.type, v) for c in choices if c.value is not None for v in c.value.values}
    best = 0
    for kind, value in shown:
        total = 0
        for demand in demands:
            having = {
                c.device
                for c in choices
                if c.demand is demand and c.value is not None and c.value.type == kind and value in c.value.values
            }
            total += min(problem.needed(demand), len(having))
        best = max(best, total)
    return best


def _distinct(problem: Problem, demands: Sequence[Demand], choices: Sequence[_Choice]) -> int:
    """At most so many devices can differ pairwise: no more than there are values, and than the demands want."""
    shown = {(c.value.type, v) for c in choices if c.value is not None for v in c.value.values}
    having = {c.device for c in choices if c.value is not None and c.value.values}
    return min(len(shown), len(having), sum(problem.needed(demand) for demand in demands))


def _near_miss(choices: Sequence[_Choice]) -> str:
    """An attribute of a device that lacks the constraint's one, with a value that others show under the right name."""
    shown = {(c.value.type, v) for c in choices if c.value is not None for v in c.value.values}
    for choice in choices:
        if choice.value is not None:
            continue
        for name, attribute in (choice.device.device.attributes or {}).items():
            value = attribute_value(attribute)
            if any((value.type, each) in shown for each in value.values):
                return name if "/" in name else f"{choice.device.id.driver}/{name}"
    return ""
