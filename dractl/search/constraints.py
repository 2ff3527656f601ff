"""Match and distinct constraints over the devices that one claim has taken (dra.md §9)."""

from collections import Counter
from collections.abc import Iterable

from dractl.problem.attributes import AttributeReader, AttributeValue, Scalar
from dractl.problem.candidates import Candidate
from dractl.problem.constraints import Constraint, ConstraintKind
from dractl.problem.demands import Demand
from dractl.problem.faults import AllocationFault


class ConstraintRule:
    """One constraint with the values of the devices added so far; every release restores the former state exactly."""

    def __init__(self, constraint: Constraint, attributes: AttributeReader, lists: bool) -> None:
        self._constraint = constraint
        self._attributes = attributes
        self._lists = lists
        self._values: list[AttributeValue] = []
        self._common: list[frozenset[Scalar]] = []

    def take(self, demand: Demand, candidate: Candidate) -> bool | AllocationFault:
        """Add the device if its attribute agrees; a derived attribute that fails ends the attempt."""
        if not self._constraint.applies_to(demand.ref):
            return True
        value = self._attributes.read(demand, candidate.device, self._constraint.attribute)
        if isinstance(value, AllocationFault):
            return value
        if value is None or not self._accepts(value):
            return False
        self._common.append(self._intersection(value))
        self._values.append(value)
        return True

    def release(self, demand: Demand, candidate: Candidate) -> None:  # noqa: ARG002
        """Take the latest device out again."""
        if self._constraint.applies_to(demand.ref):
            self._values.pop()
            self._common.pop()

    def standing(self) -> frozenset[tuple[AttributeValue, int]]:
        """The values that have been added, whatever their order."""
        return frozenset(Counter(self._values).items())

    def _accepts(self, value: AttributeValue) -> bool:
        if self._constraint.kind is ConstraintKind.MATCH:
            return self._matches(value)
        for other in self._values:
            if not self._differs(value, other):
                return False
        return self._may_be_distinct(value)

    def _matches(self, value: AttributeValue) -> bool:
        if self._lists:
            return bool(self._intersection(value))
        if not self._values:
            return True
        first = self._values[0]
        return not (value.is_list or first.is_list) and bool(value.common(first))

    def _intersection(self, value: AttributeValue) -> frozenset[Scalar]:
        """What all devices have in common once this one is added."""
        if not self._values:
            return value.values
        return self._common[-1] & value.values if value.type == self._values[0].type else frozenset()

    def _may_be_distinct(self, value: AttributeValue) -> bool:
        """An empty list cannot be added; where lists are not compared, one is accepted only as the first."""
        if self._lists:
            return bool(value.values)
        return not value.is_list or not self._values

    def _differs(self, value: AttributeValue, other: AttributeValue) -> bool:
        if not self._lists and (value.is_list or other.is_list):
            return True
        return not value.common(other)


def constraint_rules(
    constraints: Iterable[Constraint], attributes: AttributeReader, lists: bool
) -> list[ConstraintRule]:
    """The rules of one claim in order; `lists` says whether list values are compared (DRAListTypeAttributes)."""
    return [ConstraintRule(constraint, attributes, lists) for constraint in constraints]
