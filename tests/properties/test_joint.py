"""Several pods at once: the model places as many as brute force, and the checker accepts how."""

# FEATURE: P2

from unittest.mock import patch

from hypothesis import HealthCheck, assume, event, given, settings

from dractl.api.identities import ClaimRef
from dractl.api.resource import AllocationResult
from dractl.cluster.upstream import UpstreamFault
from dractl.model import ModelPlacement, Optimum, optimize
from dractl.problem.joint import ClaimOnNode, JointProblem
from dractl.solution.allocation import build_allocation
from dractl.solution.outcomes import Placement
from dractl.solution.verify import check_placements
from tests.worlds.brute_force import TooLarge, most_placed
from tests.worlds.changes import Renaming, renamed
from tests.worlds.strategies import joint_worlds
from tests.worlds.world import World, joint_problem_of, plan_start_of

thorough = settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
short = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


@thorough
@given(joint_worlds())
def test_the_model_places_as_many_as_brute_force_and_the_checker_agrees(world: World) -> None:
    problem = joint_problem_of(world)
    # Brute force goes on where the allocator's search would end.
    assume(UpstreamFault.CONSTRAINT_ENDS_ALL not in world.features.faults)
    try:
        expected = most_placed(world)
    except TooLarge:
        assume(False)
    found = _optimum(problem)
    event(f"{found.placed} of {len(world.pods)} placed")
    assert found.is_proven and found.is_unique
    assert _by_priority(world, found) == expected
    assert found.bound == found.placed == len(found.placements)
    assert check_placements(plan_start_of(world), [_placement(problem, each) for each in found.placements]) == ()


@short
@given(joint_worlds())
def test_neither_workers_nor_the_way_to_the_first_answer_change_it(world: World) -> None:
    found = _named(_optimum(joint_problem_of(world)))
    assert _named(optimize(joint_problem_of(world), time_limit_seconds=60, workers=3)) == found
    with patch("dractl.model.optimum.QUICK", 0):
        assert _named(_optimum(joint_problem_of(world))) == found


@short
@given(joint_worlds())
def test_renaming_devices_renames_the_answer(world: World) -> None:
    names = Renaming.of(world)
    found = _named(_optimum(joint_problem_of(world)))
    again = _named(_optimum(joint_problem_of(renamed(world, names))))
    assert again == [(pod, node, [(ask, names.device(device)) for ask, device in picks]) for pod, node, picks in found]


def _optimum(problem: JointProblem) -> Optimum:
    return optimize(problem, time_limit_seconds=60, workers=1)


def _by_priority(world: World, found: Optimum) -> tuple[int, ...]:
    priorities = {pod.ref: pod.priority for pod in world.pods}
    placed = [priorities[placement.pod] for placement in found.placements]
    return tuple(placed.count(priority) for priority in sorted(set(priorities.values()), reverse=True))


def _placement(problem: JointProblem, found: ModelPlacement) -> Placement:
    allocations: dict[ClaimRef, AllocationResult] = {}
    for picks in found.claims:
        built = build_allocation(problem.problems[ClaimOnNode(picks.claim.ref, found.node)], picks)
        assert isinstance(built, AllocationResult)
        allocations[picks.claim.ref] = built
    return Placement(found.pod, found.node, allocations)


def _named(found: Optimum) -> list[tuple[str, str, list[tuple[str, str]]]]:
    return [
        (
            placement.pod.name,
            placement.node,
            [
                (f"{picks.claim.ref.name}:{pick.demand.ref.name}", str(pick.candidate.device.id))
                for picks in placement.claims
                for pick in picks.picks
            ],
        )
        for placement in found.placements
    ]
