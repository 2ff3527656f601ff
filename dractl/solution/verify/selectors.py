"""Devices match what the class and the request select (dra.md §6)."""

from collections.abc import Iterator

from dractl.problem.faults import AllocationFault
from dractl.solution.verify.attempt import Attempt
from dractl.solution.verify.violations import Breach


def every_selector_is_true(attempt: Attempt) -> Iterator[Breach]:
    """All selectors of the class and of the request are true, and none fails."""
    for take in attempt.takes():
        judged = take.demand.selectors.judge(take.device)
        if isinstance(judged, AllocationFault):
            yield Breach(judged.text, take.claim, take.id)
        elif judged is not None:
            use = judged.selector
            yield Breach(f"selector #{use.number} of {use.owner} is false: {use.expression}", take.claim, take.id)
