"""Derived attributes of requests: their form, that a constraint uses them, and what they cost together.

See validation.md §6 and §11.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from dractl.api.resource import (
    DerivedAttribute,
    DeviceClaim,
    DeviceConstraint,
    DeviceSubRequest,
    ExactDeviceRequest,
)
from dractl.validation.expressions import LARGEST_COST, check_derived, cost_of_derived
from dractl.validation.formats import QUALIFIED_FORM, fully_qualified_name, missing
from dractl.validation.lists import repeated, too_many
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below, declared, only_written

_MOST: Final = 32


def check_derived_attributes(
    attributes: Sequence[DerivedAttribute] | None,
    request: str,
    constraints: Sequence[DeviceConstraint],
    rulebook: Rulebook,
) -> Iterator[Violation]:
    """The derived attributes of one request, or of a subrequest as REQUEST/SUBREQUEST; paths begin at the list.

    `constraints` are those of the whole claim: one that is for the request has to name the attribute.
    """
    if not attributes:
        return
    excess = list(too_many(attributes, _MOST))
    yield from declared(excess)
    yield from repeated((attribute.name for attribute in attributes), "name")
    for index, attribute in enumerate(attributes):
        violations = below(_check_attribute(attribute, rulebook), index)
        yield from violations if not excess else only_written(violations)
        if attribute.name and not any(_uses(constraint, attribute.name, request) for constraint in constraints):
            message = f'no constraint that is for this request names "{attribute.name}"'
            remedy = f"add a constraint `matchAttribute: {attribute.name}`, or take the attribute out"
            yield Violation((index, "name"), ViolationType.INVALID, message, remedy)


def _check_attribute(attribute: DerivedAttribute, rulebook: Rulebook) -> Iterator[Violation]:
    flaws = fully_qualified_name(attribute.name) if attribute.name else (missing("the name", QUALIFIED_FORM),)
    yield from below(declared(flaws), "name")
    yield from below(check_derived(attribute.expression, rulebook), "expression")


def _uses(constraint: DeviceConstraint, attribute: str, request: str) -> bool:
    """Whether the constraint is for the request, or for the one that the subrequest belongs to.

    What stands before the first slash counts, be the name sound or not; an empty name is that of every request.
    """
    looked_at = constraint.matchAttribute if constraint.matchAttribute is not None else constraint.distinctAttribute
    if looked_at != attribute:
        return False
    return not constraint.requests or not {"", request, request.partition("/")[0]}.isdisjoint(constraint.requests)


def check_total_cost(devices: DeviceClaim, rulebook: Rulebook) -> Iterator[Violation]:
    """The worst cost of all derived attributes of the claim together; the path is that of `devices`."""
    total = sum(
        cost_of_derived(attribute.expression, rulebook)
        for demand in _demands(devices)
        for attribute in demand.derivedAttributes or ()
    )
    if total > LARGEST_COST:
        message = f"the derived attributes of the claim may cost more than {LARGEST_COST:,} units together"
        yield Violation((), ViolationType.FORBIDDEN, message, "make their expressions simpler")


def _demands(devices: DeviceClaim) -> Iterator[ExactDeviceRequest | DeviceSubRequest]:
    for request in devices.requests or ():
        if request.exactly is not None:
            yield request.exactly
        yield from request.firstAvailable or ()
