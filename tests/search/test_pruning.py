"""Skipping what equals something that has failed never changes the answer (dra.md §12). FEATURE: D4"""

import sys

import pytest

from dractl.problem.problem import Problem
from dractl.search import first_fit
from dractl.solution.picks import Fitting, NoFit
from tests.conformance.__main__ import read_cases
from tests.conformance.allocate import problem_of
from tests.fixtures import CONFORMANCE
from tests.verify.builders import claim, device, distinct, match, numa, problem, published, wants

SAMPLE = [*read_cases(CONFORMANCE / "allocate.jsonl.gz")][::6]


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: str(case["id"]))
def test_the_decision_is_the_same_with_and_without(case: dict[str, object]) -> None:
    asked = problem_of(case["input"])  # type: ignore[arg-type]
    eager, patient = first_fit(asked, prunes_after=0), first_fit(asked, steps=400_000, prunes_after=sys.maxsize)
    assert described(eager) == described(patient)


def described(decision: object) -> object:
    """Decisions in a form that can be compared: picks by request and device."""
    if not isinstance(decision, Fitting):
        return decision
    picks = [pick for claim_picks in decision.claims for pick in claim_picks.picks]
    return [(pick.demand.ref, pick.candidate.device.id) for pick in picks]


def equal_devices(number: int) -> Problem:
    """Two requests that together want one device more than there are."""
    pool = published(*(device(f"d-{index:02}") for index in range(number)))
    half = number // 2
    return problem([pool], claim("c", wants("r", half), wants("s", number - half + 1)))


def test_many_equal_devices_are_no_problem() -> None:
    decision = first_fit(equal_devices(28))
    assert decision == NoFit()
    assert isinstance(decision, NoFit)
    assert decision.tries.least > 1_000_000


def test_a_constraint_that_cannot_be_met_is_found_out_soon() -> None:
    pool = published(*(numa(f"d-{index:02}", index // 2) for index in range(32)))
    asked = problem([pool], claim("c", wants("r", 2), wants("s", 2), constraints=[match("r", "s"), distinct("r")]))
    assert first_fit(asked, steps=1_000) == NoFit()
