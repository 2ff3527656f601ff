"""Attributes agree or differ as the claim demands (dra.md §9)."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from dractl.problem.attributes import AttributeValue
from dractl.problem.constraints import Constraint, ConstraintKind
from dractl.problem.faults import AllocationFault
from dractl.solution.verify.attempt import AllocatedClaim, Attempt
from dractl.solution.verify.violations import Breach


def constrained_devices_have_the_attribute(attempt: Attempt) -> Iterator[Breach]:
    """A device without the attribute cannot be added; neither can an empty list, once lists are compared as sets."""
    lists_are_sets = attempt.problem.features.list_type_attributes
    for claim, constraint in _constraints(attempt):
        for take in claim.takes:
            if not constraint.applies_to(take.demand.ref):
                continue
            value = attempt.problem.attributes.read(take.demand, take.device, constraint.attribute)
            if isinstance(value, AllocationFault):
                yield Breach(value.text, claim.ref, take.id)
            elif value is None or (lists_are_sets and not value.values):
                yield Breach(f"{_name(constraint)}: the device has no value", claim.ref, take.id)


def matching_devices_agree(attempt: Attempt) -> Iterator[Breach]:
    """All devices under a `matchAttribute` have one value in common."""
    agree = _have_a_common_value if attempt.problem.features.list_type_attributes else _are_one_scalar
    for claim, constraint in _constraints(attempt):
        if constraint.kind is ConstraintKind.MATCH and not agree(_values(attempt, claim, constraint)):
            yield Breach(f"{_name(constraint)}: the devices have no common value", claim.ref)


def distinct_devices_differ(attempt: Attempt) -> Iterator[Breach]:
    """No two devices under a `distinctAttribute` have a value in common."""
    differ = _are_disjoint if attempt.problem.features.list_type_attributes else _are_different_scalars
    for claim, constraint in _constraints(attempt):
        if constraint.kind is ConstraintKind.DISTINCT and not differ(_values(attempt, claim, constraint)):
            yield Breach(f"{_name(constraint)}: two devices have the same value", claim.ref)


def _constraints(attempt: Attempt) -> Iterator[tuple[AllocatedClaim, Constraint]]:
    for claim in attempt.claims:
        for constraint in claim.demand.constraints:
            yield claim, constraint


def _values(attempt: Attempt, claim: AllocatedClaim, constraint: Constraint) -> list[AttributeValue]:
    read = attempt.problem.attributes.read
    bound = [take for take in claim.takes if constraint.applies_to(take.demand.ref)]
    values = [read(take.demand, take.device, constraint.attribute) for take in bound]
    return [value for value in values if isinstance(value, AttributeValue)]


def _have_a_common_value(values: Sequence[AttributeValue]) -> bool:
    if not values:
        return True
    same_type = len({value.type for value in values}) == 1
    return same_type and bool(frozenset.intersection(*(value.values for value in values)))


def _are_disjoint(values: Sequence[AttributeValue]) -> bool:
    return not any(one.common(other) for one, other in combinations(values, 2))


def _are_one_scalar(values: Sequence[AttributeValue]) -> bool:
    """Without list attributes a list is as good as any value while it is alone, and equal to nothing."""
    return len(values) < 2 or (not any(value.is_list for value in values) and _have_a_common_value(values))


def _are_different_scalars(values: Sequence[AttributeValue]) -> bool:
    """Without list attributes a list is accepted only as the first value, and then no scalar is equal to it."""
    return not any(value.is_list for value in values[1:]) and _are_disjoint(
        [value for value in values if not value.is_list]
    )


def _name(constraint: Constraint) -> str:
    return f"constraint #{constraint.number}, {constraint.kind} {constraint.attribute}"
