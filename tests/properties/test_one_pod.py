"""One pod on one node: search, model, brute force and checker agree, and what should not matter does not."""

# FEATURE: P2

from collections.abc import Sequence

from hypothesis import HealthCheck, assume, event, given, settings

from dractl.api.resource import AllocationResult
from dractl.model import lexicographically_first
from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem
from dractl.search import first_fit
from dractl.solution.allocation import build_allocation
from dractl.solution.picks import Decision, Fitting, NoFit
from dractl.solution.verify import check_allocations
from tests.worlds.brute_force import Patience, TooLarge, assignments, held_in
from tests.worlds.changes import Renaming, renamed, uses_all, without_device
from tests.worlds.strategies import one_pod_worlds
from tests.worlds.world import World, problem_of

thorough = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
short = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))

Named = list[tuple[str, str]]
"""Requests and devices in the order of taking."""


@thorough
@given(one_pod_worlds())
def test_search_model_and_brute_force_find_the_same(world: World) -> None:
    problem = _problem(world)
    searched = first_fit(problem)
    assume(not isinstance(searched, AllocationFault))
    event(type(searched).__name__)
    try:
        expected = _first_by_brute_force(world)
    except TooLarge:
        assume(False)
    assert _named(searched) == expected
    assert _named(lexicographically_first(problem, time_limit_seconds=60)) == expected


@short
@given(one_pod_worlds())
def test_the_checker_accepts_the_models_answer(world: World) -> None:
    problem = _problem(world)
    found = lexicographically_first(problem, time_limit_seconds=60)
    assume(isinstance(found, Fitting))
    assert isinstance(found, Fitting)
    assert check_allocations(problem, _allocations(problem, found)) == ()


@short
@given(one_pod_worlds())
def test_renaming_devices_renames_the_answer(world: World) -> None:
    names = Renaming.of(world)
    found = _named(lexicographically_first(_problem(world), time_limit_seconds=60))
    again = _named(lexicographically_first(_problem(renamed(world, names)), time_limit_seconds=60))
    assert again == (None if found is None else [(request, names.device(device)) for request, device in found])


@short
@given(one_pod_worlds())
def test_removing_an_unused_device_keeps_the_answer(world: World) -> None:
    assume(not uses_all(world))
    found = _named(lexicographically_first(_problem(world), time_limit_seconds=60))
    assume(found is not None)
    used = {device for _, device in found or ()} | {"/".join(holding.key) for holding in held_in(world)}
    for device in sorted({str(device.id) for device in _problem(world).devices} - used):
        smaller = without_device(world, device)
        assert _named(lexicographically_first(_problem(smaller), time_limit_seconds=60)) == found


def _problem(world: World) -> Problem:
    return problem_of(world, world.pods[0], world.nodes[0])


def _first_by_brute_force(world: World) -> Named | None:
    claims = [world.claim(name) for name in world.pods[0].claims]
    for taken in assignments(world, world.nodes[0], claims, held_in(world), Patience()):
        return [(f"{one.claim.metadata.name}:{one.name}", "/".join(one.seen.key)) for one in taken]
    return None


def _named(decision: Decision) -> Named | None:
    if isinstance(decision, NoFit):
        return None
    assert isinstance(decision, Fitting)
    return [
        (f"{picks.claim.ref.name}:{pick.demand.ref.name}", str(pick.candidate.device.id))
        for picks in decision.claims
        for pick in picks.picks
    ]


def _allocations(problem: Problem, found: Fitting) -> Sequence[AllocationResult]:
    built = [build_allocation(problem, picks) for picks in found.claims]
    return [each for each in built if isinstance(each, AllocationResult)]
