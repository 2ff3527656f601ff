"""An allocator made of the checker alone: try every combination, in the scheduler's order, and keep what is sound."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Final

from msgspec.structs import replace

from dractl.api.resource import AllocationResult
from dractl.problem.candidates import Candidate
from dractl.problem.demands import DEVICES_PER_CLAIM, ClaimDemand, Demand, RequestDemand
from dractl.problem.problem import Problem
from dractl.solution.allocation import build_allocation
from dractl.solution.picks import ClaimPicks, Pick
from dractl.solution.verify import check_allocations

MOST_COMBINATIONS: Final = 120


class TooManyCombinations(Exception):
    """The world is too large to be enumerated."""


@dataclass(slots=True)
class _Budget:
    left: int = field(default=MOST_COMBINATIONS)

    def spend(self) -> None:
        if self.left == 0:
            raise TooManyCombinations
        self.left -= 1


def first_sound_answer(problem: Problem) -> tuple[AllocationResult, ...] | None:
    """The first combination that the checker accepts, or None if there is none."""
    budget = _Budget()
    alone = [_answers_alone(problem, claim, budget) for claim in problem.claims]
    if len(alone) == 1:
        return next(((answer,) for answer in alone[0]), None)
    for together in product(*alone):
        budget.spend()
        if not check_allocations(problem, together):
            return together
    return None


def _answers_alone(problem: Problem, claim: ClaimDemand, budget: _Budget) -> Iterator[AllocationResult]:
    """What is sound for one claim without the others; no claim gets more leave from their company."""
    single = replace(problem, claims=(claim,))
    for picks in _all_picks(problem, claim.requests):
        budget.spend()
        if len(picks) <= DEVICES_PER_CLAIM:
            built = build_allocation(problem, ClaimPicks(claim, picks))
            if isinstance(built, AllocationResult) and not check_allocations(single, (built,)):
                yield built


def _all_picks(problem: Problem, requests: Sequence[RequestDemand]) -> Iterator[tuple[Pick, ...]]:
    if not requests:
        yield ()
        return
    for demand in requests[0].alternatives:
        for devices in _choices(problem, demand):
            for others in _all_picks(problem, requests[1:]):
                yield (*(Pick(demand, candidate) for candidate in devices), *others)


def _choices(problem: Problem, demand: Demand) -> Iterator[tuple[Candidate, ...]]:
    if demand.count is None:
        yield problem.all_of[demand]
        return
    looked = [problem.candidates.look(demand, device) for device in problem.devices]
    yield from combinations(looked, demand.count)
