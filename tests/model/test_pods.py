"""Rules on pods: nodes, priorities, order, and claims that several of them use."""

# FEATURE: P2

import pytest
from msgspec.structs import replace

from dractl.api.base import ObjectMeta
from dractl.api.core import Node, NodeStatus
from dractl.api.identities import PodRef
from dractl.api.resource import ResourceSlice
from dractl.model import optimize
from dractl.problem.joint import Consumers, JointProblem
from tests.model.worlds import optimum, placed, pod, world
from tests.verify.builders import claim, device, published, wants, where
from tests.worlds.world import joint_problem_of

BOTH = ("node-a", "node-b")


def local(node: str, *names: str) -> ResourceSlice:
    return published(*(device(name) for name in names), on=node, pool=node)


def remote(*names: str, **spec: object) -> ResourceSlice:
    return published(*(device(name) for name in names), on=None, pool="remote", **spec)


def zoned(name: str, zone: str) -> Node:
    return Node(metadata=ObjectMeta(name=name, labels={"zone": zone}))


# --- pods and nodes --------------------------------------------------------------------------------------------------


def test_pods_without_claims_fill_the_nodes_in_queue_order_by_name() -> None:
    pods = [pod(f"pod-{number}", cpu=2) for number in range(4)]
    free = {"node-b": {"cpu": 5}, "node-a": {"cpu": 3}}
    assert placed(world([], pods=pods, nodes=BOTH, free=free)) == {
        "pod-0": "node-a",
        "pod-1": "node-b",
        "pod-2": "node-b",
    }


def test_a_resource_that_is_not_named_is_not_limited() -> None:
    assert placed(world([], pods=[pod("pod-0", cpu=99)], free={"node-a": {"memory": 1}})) == {"pod-0": "node-a"}


def test_an_overdrawn_resource_keeps_out_only_who_wants_some() -> None:
    pods = [pod("wants", cpu=1), pod("wants-none", cpu=0)]
    assert placed(world([], pods=pods, free={"node-a": {"cpu": -3}})) == {"wants-none": "node-a"}


def test_one_pod_of_higher_priority_outweighs_many_of_lower() -> None:
    pods = [pod("high", priority=9, cpu=3), *(pod(f"low-{number}", cpu=1) for number in range(3))]
    found = optimum(world([], pods=pods, free={"node-a": {"cpu": 3}}))
    assert [each.pod.name for each in found.placements] == ["high"]
    assert (found.placed, found.bound) == (1, 1)


def test_a_pod_makes_room_where_first_fit_would_not() -> None:
    claims = [claim("one", wants("r")), claim("two", wants("r", 2))]
    assert placed(world([local("node-a", "a0", "a1"), local("node-b", "b0")], *claims, nodes=BOTH)) == {
        "pod-0": "node-b r:b0",
        "pod-1": "node-a r:a0 r:a1",
    }


@pytest.mark.parametrize("patience", [0, 1_000])
def test_tightly_packed_pods_are_on_their_first_possible_nodes(patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dractl.model.optimum.QUICK", patience)
    pods = [pod(f"pod-{number}", cpu=cpu) for number, cpu in enumerate((2, 2, 5, 2, 5, 5))]
    free = {node: {"cpu": 7} for node in ("node-a", "node-b", "node-c")}
    assert list(placed(world([], pods=pods, nodes=tuple(free), free=free)).values()) == [
        "node-a",
        "node-b",
        "node-a",
        "node-c",
        "node-b",
        "node-c",
    ]


def test_a_device_of_the_network_is_one_device_for_all_nodes() -> None:
    claims = [claim("one", wants("r")), claim("two", wants("r"))]
    assert placed(world([remote("net", allNodes=True)], *claims, nodes=BOTH)) == {"pod-0": "node-a r:net"}


def test_a_pod_comes_after_the_one_it_waits_for() -> None:
    problem = joint_problem_of(world([], pods=[pod("web-0", cpu=9), pod("web-1", cpu=1)], free={"node-a": {"cpu": 5}}))
    assert list(placed(problem)) == ["web-1"]
    assert list(placed(_ordered(problem))) == []


def _ordered(problem: JointProblem) -> JointProblem:
    first, second = problem.pods
    return replace(problem, pods=(first, replace(second, after=first.ref)))


def test_waiting_for_a_pod_that_is_not_planned_keeps_nobody_out() -> None:
    problem = joint_problem_of(world([], pods=[pod("web-1")]))
    (only,) = problem.pods
    assert placed(replace(problem, pods=(replace(only, after=PodRef("lab", "web-0")),))) == {"web-1": "node-a"}


# --- shared claims ---------------------------------------------------------------------------------------------------


def test_a_shared_claim_is_allocated_once_with_its_first_pod() -> None:
    pods = [pod("first", "shared"), pod("second", "shared")]
    assert placed(world([local("node-a", "a0")], claim("shared", wants("r")), pods=pods)) == {
        "first": "node-a r:a0",
        "second": "node-a",
    }


def test_a_local_device_holds_all_pods_of_the_claim_on_its_node() -> None:
    pods = [pod(name, "shared", cpu=2) for name in ("first", "second", "third")]
    slices = [local("node-a", "a0"), local("node-b", "b0")]
    free = {"node-a": {"cpu": 2}, "node-b": {"cpu": 4}}
    assert placed(world(slices, claim("shared", wants("r")), pods=pods, nodes=BOTH, free=free)) == {
        "first": "node-b r:b0",
        "second": "node-b",
    }


@pytest.mark.parametrize(("zone", "number"), [("a", 2), ("b", 1)])
def test_a_remote_device_is_used_where_its_selector_matches(zone: str, number: int) -> None:
    pods = [pod("first", "shared", cpu=1), pod("second", "shared", cpu=1)]
    nodes = [zoned("node-a", "a"), zoned("node-b", zone)]
    free = {name: {"cpu": 1} for name in BOTH}
    slices = [remote("net", nodeSelector=where(("zone", "a")))]
    assert len(placed(world(slices, claim("shared", wants("r")), pods=pods, nodes=nodes, free=free))) == number


@pytest.mark.parametrize(("declared", "number"), [(["DRAOptionalNodeOperations"], 2), ([], 1)])
def test_skipped_node_operations_have_to_be_declared_on_every_node(declared: list[str], number: int) -> None:
    pods = [pod("first", "shared", cpu=1), pod("second", "shared", cpu=1)]
    nodes = [
        Node(metadata=ObjectMeta(name=name), status=NodeStatus(declaredFeatures=features))
        for name, features in (("node-a", ["DRAOptionalNodeOperations"]), ("node-b", declared))
    ]
    free = {name: {"cpu": 1} for name in BOTH}
    slices = [remote("net", allNodes=True, skipNodeOperations=["NodePrepareResources"])]
    assert len(placed(world(slices, claim("shared", wants("r")), pods=pods, nodes=nodes, free=free))) == number


def test_a_claim_has_256_users_at_most() -> None:
    pods = [pod(f"pod-{number:03}", "shared") for number in range(258)]
    asked = joint_problem_of(world([local("node-a", "a0")], claim("shared", wants("r")), pods=pods))
    alone = tuple((each.ref,) for each in asked.pods)
    limited = replace(asked, consumers=(Consumers(asked.pods[0].claims[0], alone, 256),))
    assert optimize(limited, time_limit_seconds=60).placed == 256


def test_the_pods_of_a_group_are_one_user_of_a_claim() -> None:
    pods = [pod(f"pod-{number}", "shared") for number in range(4)]
    asked = joint_problem_of(world([local("node-a", "a0")], claim("shared", wants("r")), pods=pods))
    one, two, *others = (each.ref for each in asked.pods)
    limited = replace(asked, consumers=(Consumers(asked.pods[0].claims[0], ((one, two), tuple(others)), 1),))
    assert [each.pod for each in optimize(limited, time_limit_seconds=60).placements] == [one, two]


def test_a_selector_of_several_terms_needs_a_local_device_before_it() -> None:
    terms = where(("zone", "a")).nodeSelectorTerms or []
    several = {"nodeSelectorTerms": [*terms, *(where(("zone", "b")).nodeSelectorTerms or [])]}
    choosy = published(device("net", nodeSelector=several), on=None, pool="z-remote", perDeviceNodeSelection=True)
    nodes = [zoned("node-a", "a")]
    assert placed(world([choosy], claim("c", wants("r")), nodes=nodes)) == {}
    assert placed(world([local("node-a", "a0"), choosy], claim("c", wants("r", 2)), nodes=nodes)) == {
        "pod-0": "node-a r:a0 r:net"
    }


# --- the answer itself -----------------------------------------------------------------------------------------------


def test_without_time_nothing_is_placed_and_nothing_is_claimed() -> None:
    found = optimum(world([local("node-a", "a0")], claim("c", wants("r"))), seconds=0)
    assert (found.placements, found.bound, found.is_proven, found.is_unique) == ((), 1, False, False)


def test_nothing_to_place_is_a_proven_optimum() -> None:
    found = optimum(world([]))
    assert (found.placed, found.bound, found.is_proven) == (0, 0, True)
