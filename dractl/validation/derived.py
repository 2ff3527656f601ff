"""Derived attributes of requests: their form, that a constraint uses them, and what they cost together.

See validation.md §6 and §11.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from dractl.api.resource import DerivedAttribute, DeviceClaim, DeviceConstraint
from dractl.errors import FieldPath
from dractl.validation.expressions import LARGEST_COST, check_derived, cost_of_derived
from dractl.validation.formats import QUALIFIED_FORM, fully_qualified_name, missing
from dractl.validation.lists import repeated, too_many
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below, declared, only_written

_MOST: Final = 32


def check_derived_attributes(attributes: Sequence[DerivedAttribute] | None, rulebook: Rulebook) -> Iterator[Violation]:
    """The derived attributes of one request; paths begin at the list."""
    if not attributes:
        return
    excess = list(too_many(attributes, _MOST))
    yield from declared(excess)
    yield from repeated((attribute.name for attribute in attributes), "name")
    for index, attribute in enumerate(attributes):
        violations = below(_check_attribute(attribute, rulebook), index)
        yield from violations if not excess else only_written(violations)


def _check_attribute(attribute: DerivedAttribute, rulebook: Rulebook) -> Iterator[Violation]:
    flaws = fully_qualified_name(attribute.name) if attribute.name else (missing("the name", QUALIFIED_FORM),)
    yield from below(declared(flaws), "name")
    yield from below(check_derived(attribute.expression, rulebook), "expression")


def check_use(devices: DeviceClaim) -> Iterator[Violation]:
    """Each derived attribute is named by a constraint that is for its request; paths begin at `devices`."""
    constraints = devices.constraints or ()
    for path, names, attributes in _owners(devices):
        for index, attribute in enumerate(attributes):
            if attribute.name and not any(_uses(constraint, attribute.name, names) for constraint in constraints):
                message = f'no constraint that is for this request names "{attribute.name}"'
                remedy = f"add a constraint `matchAttribute: {attribute.name}`, or take the attribute out"
                yield Violation((*path, index, "name"), ViolationType.INVALID, message, remedy)


def _uses(constraint: DeviceConstraint, attribute: str, names: Sequence[str]) -> bool:
    looked_at = constraint.matchAttribute if constraint.matchAttribute is not None else constraint.distinctAttribute
    return looked_at == attribute and (not constraint.requests or any(name in constraint.requests for name in names))


def _owners(devices: DeviceClaim) -> Iterator[tuple[FieldPath, Sequence[str], Sequence[DerivedAttribute]]]:
    """Every request and alternative: the path of its attributes, the names it goes by, and the attributes."""
    for number, request in enumerate(devices.requests or ()):
        path: FieldPath = ("requests", number)
        if request.exactly is not None:
            attributes = request.exactly.derivedAttributes or ()
            yield (*path, "exactly", "derivedAttributes"), (request.name,), attributes
        for index, alternative in enumerate(request.firstAvailable or ()):
            names = (request.name, f"{request.name}/{alternative.name}")
            attributes = alternative.derivedAttributes or ()
            yield (*path, "firstAvailable", index, "derivedAttributes"), names, attributes


def check_total_cost(devices: DeviceClaim, rulebook: Rulebook) -> Iterator[Violation]:
    """The worst cost of all derived attributes of the claim together; the path is that of `devices`."""
    total = sum(
        cost_of_derived(attribute.expression, rulebook)
        for _, _, attributes in _owners(devices)
        for attribute in attributes
    )
    if total > LARGEST_COST:
        message = f"the derived attributes of the claim may cost more than {LARGEST_COST:,} units together"
        yield Violation((), ViolationType.FORBIDDEN, message, "make their expressions simpler")
