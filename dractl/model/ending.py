"""Demands for "All" devices at which v1.37.2 is sure to end the attempt, because a constraint refuses one (dra.md §18).

Whether an attempt ends is the search's to find out, state by state. What is sure beforehand: devices that nothing but
another taker can keep from the demand, and that break a constraint by themselves, whatever else the claim has.
"""

from collections.abc import Sequence

from dractl.api.identities import DeviceId
from dractl.problem.attributes import AttributeValue
from dractl.problem.candidates import Candidate
from dractl.problem.constraints import ConstraintKind
from dractl.problem.demands import DEVICES_PER_CLAIM, ClaimDemand, Demand
from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem


def devices_up_to_the_end(problem: Problem, claim: ClaimDemand, demand: Demand) -> tuple[DeviceId, ...]:
    """The first of the demand's devices, up to the one that a constraint refuses; nothing if that is not sure."""
    if not demand.wants_all or _may_be_too_many(problem, claim):
        return ()
    taken: list[Candidate] = []
    for candidate in problem.all_of[demand]:
        if not _is_there_for_whoever_comes_first(problem, candidate):
            return ()
        taken.append(candidate)
        if _break_a_constraint(problem, claim, demand, taken):
            return tuple(each.device.id for each in taken)
    return ()


def _may_be_too_many(problem: Problem, claim: ClaimDemand) -> bool:
    """A demand that might pass the limit of devices fails before it takes any."""
    largest = (max((problem.needed(each) for each in request.alternatives), default=0) for request in claim.requests)
    return sum(largest) > DEVICES_PER_CLAIM


def _is_there_for_whoever_comes_first(problem: Problem, candidate: Candidate) -> bool:
    """Whether neither shares nor counters nor what is held now matter for the device."""
    usage, device = problem.usage, candidate.device
    is_simple = not (candidate.is_shareable or device.device.consumesCounters)
    return is_simple and candidate.is_usable and not usage.is_allocated(device.id)


def _break_a_constraint(problem: Problem, claim: ClaimDemand, demand: Demand, taken: Sequence[Candidate]) -> bool:
    for constraint in claim.constraints:
        if not constraint.applies_to(demand.ref):
            continue
        read = [problem.attributes.read(demand, each.device, constraint.attribute) for each in taken]
        if any(isinstance(value, AllocationFault) for value in read):
            return False
        values = [value for value in read if isinstance(value, AttributeValue)]
        fit = _match if constraint.kind is ConstraintKind.MATCH else _differ
        if len(values) < len(read) or not fit(values, problem.features.list_type_attributes):
            return True
    return False


def _match(values: Sequence[AttributeValue], lists: bool) -> bool:
    if not lists and len(values) > 1 and any(value.is_list for value in values):
        return False
    if not lists and len(values) == 1:
        return True
    return len({value.type for value in values}) == 1 and bool(frozenset.intersection(*(v.values for v in values)))


def _differ(values: Sequence[AttributeValue], lists: bool) -> bool:
    if lists and not all(value.values for value in values):
        return False
    if not lists and any(value.is_list for value in values[1:]):
        return False
    compared = values if lists else [value for value in values if not value.is_list]
    shown = [(value.type, each) for value in compared for each in value.values]
    return len(set(shown)) == len(shown)
