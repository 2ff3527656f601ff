"""Match and distinct constraints of a claim (dra.md §9).

What they compare is the same as in the search, told of all devices at once: for *match* there is one value that all
devices have, for *distinct* no value that two devices have.
"""

from msgspec import Struct

from dractl.model.formula import Formula, Literal, opposite
from dractl.model.variables import Choice, Site, Variables
from dractl.problem.attributes import AttributeValue, Scalar
from dractl.problem.constraints import Constraint, ConstraintKind

Value = tuple[str, Scalar]
"""A value with the name of its type, because `1`, `true` and `"1"` are different attributes."""


def matching_devices_have_a_value_in_common(formula: Formula, variables: Variables) -> None:
    """Where lists are not compared, a device with a list agrees with no other device, only with being alone."""
    for bound in _bound(formula, variables, ConstraintKind.MATCH):
        scalars = bound if variables.joint.features.list_type_attributes else [b for b in bound if not b.value.is_list]
        values = sorted({value for entry in scalars for value in entry.values}, key=repr)
        agreed = {value: formula.new() for value in values}
        formula.at_most_one(agreed.values())
        for entry in scalars:
            formula.at_least_one([opposite(entry.taken), *(agreed[value] for value in sorted(entry.values, key=repr))])
        _lists_are_alone(formula, [entry for entry in bound if entry not in scalars], bound)


def distinct_devices_have_no_value_in_common(formula: Formula, variables: Variables) -> None:
    """Where lists are not compared, a device with a list is accepted only as the first that the claim takes."""
    lists = variables.joint.features.list_type_attributes
    for bound in _bound(formula, variables, ConstraintKind.DISTINCT):
        owners: dict[Value, list[Literal]] = {}
        for entry in bound:
            if lists and not entry.values:
                formula.forbid(entry.taken)
            if lists or not entry.value.is_list:
                for value in entry.values:
                    owners.setdefault(value, []).append(entry.taken)
            else:
                _is_first(formula, entry, bound)
        for literals in owners.values():
            formula.at_most_one(literals)


class _Bound(Struct, frozen=True, eq=False):
    """A choice that a constraint binds, with the value that it shows."""

    choice: Choice
    value: AttributeValue

    @property
    def taken(self) -> Literal:
        return self.choice.taken

    @property
    def values(self) -> frozenset[Value]:
        return frozenset((self.value.type, value) for value in self.value.values)


def _bound(formula: Formula, variables: Variables, kind: ConstraintKind) -> list[list[_Bound]]:
    """The choices that each constraint of a kind binds; devices without the attribute cannot be taken."""
    return [
        _choices_bound_by(formula, site, constraint)
        for site in variables.sites.values()
        for constraint in site.claim.constraints
        if constraint.kind is kind
    ]


def _choices_bound_by(formula: Formula, site: Site, constraint: Constraint) -> list[_Bound]:
    bound: list[_Bound] = []
    for choice in site.choices:
        if constraint.applies_to(choice.demand.ref):
            value = site.problem.attributes.read(choice.demand, choice.candidate.device, constraint.attribute)
            if isinstance(value, AttributeValue):
                bound.append(_Bound(choice, value))
            else:
                formula.forbid(choice.taken)
    return bound


def _lists_are_alone(formula: Formula, lists: list[_Bound], bound: list[_Bound]) -> None:
    for entry in lists:
        for other in bound:
            if other is not entry:
                formula.at_least_one([opposite(entry.taken), opposite(other.taken)])


def _is_first(formula: Formula, entry: _Bound, bound: list[_Bound]) -> None:
    for other in bound:
        if other.choice.position < entry.choice.position:
            formula.at_least_one([opposite(entry.taken), opposite(other.taken)])
