"""Every request is answered, and a prioritized one by a single alternative (dra.md §12)."""

from collections.abc import Iterator

from dractl.problem.demands import RequestDemand
from dractl.solution.verify.attempt import Attempt
from dractl.solution.verify.violations import Breach


def every_request_is_answered(attempt: Attempt) -> Iterator[Breach]:
    """A request without any device failed, unless it asks for none."""
    for claim in attempt.claims:
        for request in claim.demand.requests:
            if not claim.takes_of(request.name) and not _wants_nothing(request):
                yield Breach(f"request {request.name} gets no device", claim.ref)


def every_request_keeps_to_one_alternative(attempt: Attempt) -> Iterator[Breach]:
    """The devices of one request all belong to the same alternative."""
    for claim in attempt.claims:
        for request in claim.demand.requests:
            used = sorted({take.demand.ref.name for take in claim.takes_of(request.name)})
            if len(used) > 1:
                yield Breach(f"request {request.name} mixes {', '.join(used)}", claim.ref)


def _wants_nothing(request: RequestDemand) -> bool:
    return any(demand.count == 0 for demand in request.alternatives)
