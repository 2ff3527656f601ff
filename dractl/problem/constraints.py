"""Constraints of a claim: which attribute binds which of its requests (dra.md §9)."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from dractl.api.identities import ClaimRef, RequestRef
from dractl.api.resource import DeviceConstraint
from dractl.cluster.features import Features, Implementation
from dractl.problem.faults import AllocationFault


class ConstraintKind(StrEnum):
    """Named like the fields of the API."""

    MATCH = "matchAttribute"
    DISTINCT = "distinctAttribute"


class Constraint(Struct, frozen=True):
    """One constraint; `number` counts from 0 in the claim, empty `requests` mean all of them."""

    claim: ClaimRef
    number: int
    kind: ConstraintKind
    attribute: str
    requests: frozenset[str]
    fault: AllocationFault | None = None

    def applies_to(self, request: RequestRef) -> bool:
        """Whether the devices of this request or alternative are bound."""
        return not self.requests or request.request in self.requests or request.name in self.requests


def constraints_of(
    claim: ClaimRef, constraints: Sequence[DeviceConstraint], features: Features
) -> tuple[Constraint, ...]:
    """The constraints of a claim in order; where both attributes are set, `matchAttribute` is used (dra.md §5)."""
    knows_distinct = features.implementation is not Implementation.STABLE
    return tuple(
        _constraint(claim, number, constraint, knows_distinct) for number, constraint in enumerate(constraints)
    )


def _constraint(claim: ClaimRef, number: int, constraint: DeviceConstraint, knows_distinct: bool) -> Constraint:
    requests = frozenset(constraint.requests or ())
    if constraint.matchAttribute is not None:
        return Constraint(claim, number, ConstraintKind.MATCH, constraint.matchAttribute, requests)
    if constraint.distinctAttribute is not None and knows_distinct:
        return Constraint(claim, number, ConstraintKind.DISTINCT, constraint.distinctAttribute, requests)
    text = f"claim {claim}, constraint #{number}: empty constraint (unsupported constraint type?)"
    return Constraint(claim, number, ConstraintKind.MATCH, "", requests, AllocationFault(text))
