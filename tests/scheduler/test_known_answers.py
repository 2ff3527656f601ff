# FEATURE: P1
"""Equal claims are looked for once on a node, until something changes in the pools that it sees."""

from collections.abc import Iterator

import pytest

from dractl.api.identities import ClaimRef, PodRef
from dractl.cluster.state import ClusterState
from dractl.problem.problem import Problem
from dractl.scheduler import carry_out, schedule_pod
from dractl.search import first_fit
from dractl.solution.outcomes import Placement
from dractl.solution.picks import Decision
from tests.planner.world import claim, gpu_class, gpus, node, planned, pod, template


class Counting:
    """The search, with how often it was asked on which node."""

    def __init__(self) -> None:
        self.nodes: list[str] = []

    def __call__(self, problem: Problem) -> Decision:
        self.nodes.append(problem.node.metadata.name)
        return first_fit(problem)


@pytest.fixture
def state() -> Iterator[ClusterState]:
    """Two nodes with two devices each, and pods that ask for one of them."""
    pods = [pod(f"p{number}", of_template="t") for number in range(4)]
    slices = [gpus("n1", "a", "b"), gpus("n2", "c", "d")]
    plan = planned(
        node("n1"), node("n2"), gpu_class(), *slices, template("t"), claim("pair", 2), pod("q", "pair"), *pods
    )
    yield ClusterState(plan.cluster)


def place(state: ClusterState, name: str, decide: Counting) -> Placement:
    placement = schedule_pod(state, PodRef("default", name), decide).outcome.placement
    assert placement is not None
    carry_out(state, placement, is_bound=True)
    return placement


def devices(placement: Placement) -> list[str]:
    return [each.device for allocation in placement.allocations.values() for each in allocation.devices.results or ()]


def test_only_the_node_that_changed_is_asked_again(state: ClusterState) -> None:
    decide = Counting()
    first = place(state, "p0", decide)
    assert decide.nodes == ["n1", "n2"]
    decide.nodes.clear()
    second = place(state, "p1", decide)
    assert decide.nodes == [first.node]
    assert (first.node, second.node) == ("n1", "n2")
    assert devices(first) + devices(second) == ["a", "c"]


def test_the_answer_is_for_the_claim_that_asks(state: ClusterState) -> None:
    decide = Counting()
    schedule_pod(state, PodRef("default", "p0"), decide)
    again = schedule_pod(state, PodRef("default", "p1"), decide).outcome.placement
    assert again is not None
    assert list(again.allocations) == [ClaimRef("default", "p1-own")]


def test_other_claims_are_another_question(state: ClusterState) -> None:
    decide = Counting()
    place(state, "p0", decide)
    decide.nodes.clear()
    assert devices(place(state, "q", decide)) == ["c", "d"]
    assert decide.nodes == ["n1", "n2"]


def test_a_device_that_is_freed_is_found_again(state: ClusterState) -> None:
    decide = Counting()
    taken = place(state, "p0", decide)
    (held,) = taken.allocations
    state.deallocate(held)
    decide.nodes.clear()
    assert devices(place(state, "p1", decide)) in (["a"], ["c"])
    assert decide.nodes == ["n1", "n2"]


def test_what_is_tried_on_a_snapshot_does_not_count(state: ClusterState) -> None:
    decide = Counting()
    place(state.snapshot(), "p0", decide)
    place(state.snapshot(), "p1", decide)
    assert devices(place(state, "p2", decide)) == ["a"]
