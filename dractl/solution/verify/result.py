"""The results of an allocation say what the API server would store (dra.md §17)."""

from collections.abc import Iterator

from dractl.cluster.features import Implementation
from dractl.problem.problem import Problem
from dractl.solution.verify.attempt import Attempt, Take
from dractl.solution.verify.violations import Breach


def results_come_in_the_order_of_taking(attempt: Attempt) -> Iterator[Breach]:
    """Requests in the order of the claim, and inside a request its devices in the device order.

    The stable implementation visits pools in random order, so there only devices of one pool have an order (dra.md §2).
    """
    positions = {device.id: number for number, device in enumerate(attempt.problem.devices)}
    pools_have_an_order = attempt.problem.features.implementation is not Implementation.STABLE
    for claim in attempt.claims:
        requests = {request.name: number for number, request in enumerate(claim.demand.requests)}
        for one, other in zip(claim.takes, claim.takes[1:], strict=False):
            first, second = requests[one.demand.ref.request], requests[other.demand.ref.request]
            comparable = pools_have_an_order or one.id.pool_id == other.id.pool_id
            backwards = first == second and comparable and positions[one.id] > positions[other.id]
            if first > second or backwards:
                yield Breach(f"the result stands behind that of {one.id}", claim.ref, other.id)


def admin_access_is_stated_where_asked(attempt: Attempt) -> Iterator[Breach]:
    """`adminAccess` is true for such requests and absent for all others."""
    for take in attempt.takes():
        if take.result.adminAccess != (True if take.demand.admin_access else None):
            yield Breach(f"adminAccess is {take.result.adminAccess}", take.claim, take.id)


def tolerations_are_those_of_the_request(attempt: Attempt) -> Iterator[Breach]:
    """The eviction controller reads the tolerations from the result."""
    for take in attempt.takes():
        if tuple(take.result.tolerations or ()) != take.demand.tolerations:
            yield Breach(f"the tolerations are not those of request {take.demand.ref.name}", take.claim, take.id)


def binding_conditions_are_those_of_the_device(attempt: Attempt) -> Iterator[Breach]:
    """Both lists are copied, if the feature is on."""
    is_on = attempt.problem.features.binding_conditions
    for take in attempt.takes():
        device, result = take.device.device, take.result
        wanted = (device.bindingConditions or None, device.bindingFailureConditions or None) if is_on else (None, None)
        if (result.bindingConditions or None, result.bindingFailureConditions or None) != wanted:
            yield Breach("the binding conditions are not those of the device", take.claim, take.id)


def skipped_operations_are_those_of_the_slice(attempt: Attempt) -> Iterator[Breach]:
    """Only one implementation knows the field; the others leave it out."""
    for take in attempt.takes():
        if (take.result.skipNodeOperations or None) != _skipped(attempt.problem, take):
            yield Breach("skipNodeOperations is not that of the slice", take.claim, take.id)


def shares_and_nothing_else_have_a_share_id(attempt: Attempt) -> Iterator[Breach]:
    """Every allocation of a shareable device gets a fresh id (dra.md §8)."""
    seen: set[str] = set()
    for take in attempt.takes():
        share = take.result.shareID
        if (share is not None) != take.is_share:
            yield Breach("a share needs a shareID" if take.is_share else "no share, but a shareID", take.claim, take.id)
        elif share is not None and share in seen:
            yield Breach(f"shareID {share} is not fresh", take.claim, take.id)
        if share is not None:
            seen.add(share)


def _skipped(problem: Problem, take: Take) -> list[str] | None:
    if problem.features.implementation is not Implementation.EXPERIMENTAL:
        return None
    return take.device.slice.spec.skipNodeOperations or None
