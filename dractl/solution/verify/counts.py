"""How many devices each request and each claim gets (dra.md §5, §7, §12)."""

from collections.abc import Iterator

from dractl.problem.demands import DEVICES_PER_CLAIM
from dractl.solution.verify.attempt import Attempt
from dractl.solution.verify.violations import Breach


def every_request_gets_its_count(attempt: Attempt) -> Iterator[Breach]:
    """An ExactCount demand gets exactly that many devices, no more and no fewer."""
    for claim in attempt.claims:
        for demand in claim.chosen().values():
            got = sum(result.request == demand.ref.name for result in claim.results)
            if demand.count is not None and got != demand.count:
                yield Breach(f"request {demand.ref.name} gets {got} devices and wants {demand.count}", claim.ref)


def no_claim_exceeds_the_limit(attempt: Attempt) -> Iterator[Breach]:
    """A claim holds at most 32 devices (dra.md §5)."""
    for claim in attempt.claims:
        if len(claim.results) > DEVICES_PER_CLAIM:
            yield Breach(f"{len(claim.results)} devices exceed the limit of {DEVICES_PER_CLAIM}", claim.ref)
