# FEATURE: D17, P2
"""Rules of the optimum that are not about devices: groups start together, host ports are had once."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dractl.api.identities import ObjectRef, PodRef
from dractl.cluster.node_state import HostPort
from dractl.problem.joint import Gang, JointProblem
from tests.model.worlds import optimum, placed, pod, world
from tests.worlds.world import NAMESPACE, joint_problem_of

ANY = "0.0.0.0"


def problem(cpus: Mapping[str, int], nodes: Mapping[str, int], *gangs: tuple[str, int]) -> JointProblem:
    """Pods by name with their CPUs; a gang is named by the letter that its pods begin with."""
    given = world(
        (),
        pods=[pod(name, cpu=cpu) for name, cpu in cpus.items()],
        nodes=tuple(nodes),
        free={name: {"cpu": cpu} for name, cpu in nodes.items()},
    )
    joint = joint_problem_of(given)
    return replace(joint, gangs=tuple(_gang(letter, least, cpus) for letter, least in gangs))


def _gang(letter: str, least: int, pods: Mapping[str, int]) -> Gang:
    members = tuple(PodRef(NAMESPACE, name) for name in pods if name.startswith(letter))
    return Gang(ObjectRef("PodGroup", NAMESPACE, letter), members, least)


def test_too_few_of_a_group_do_not_start() -> None:
    pods = {"a-0": 2, "a-1": 2, "b-0": 1}
    assert placed(problem(pods, {"n": 3})) == {"a-0": "n", "b-0": "n"}
    assert placed(problem(pods, {"n": 3}, ("a", 2))) == {"b-0": "n"}
    assert placed(problem(pods, {"n": 5}, ("a", 2))) == {"a-0": "n", "a-1": "n", "b-0": "n"}


def test_a_group_may_start_without_all_of_its_pods() -> None:
    pods = {"a-0": 2, "a-1": 2, "a-2": 2}
    assert placed(problem(pods, {"n": 4}, ("a", 2))) == {"a-0": "n", "a-1": "n"}
    assert placed(problem(pods, {"n": 4}, ("a", 3))) == {}


def test_a_group_that_needs_more_pods_than_there_are() -> None:
    assert placed(problem({"a-0": 1, "b-0": 1}, {"n": 9}, ("a", 2))) == {"b-0": "n"}


@given(
    cpus=st.lists(st.integers(1, 3), min_size=1, max_size=5),
    free=st.lists(st.integers(0, 5), min_size=1, max_size=2),
    least=st.integers(0, 4),
    members=st.integers(0, 5),
)
def test_as_many_as_trying_everything_finds(cpus: list[int], free: list[int], least: int, members: int) -> None:
    pods = {f"{'a' if number < members else 'b'}-{number}": cpu for number, cpu in enumerate(cpus)}
    nodes = {f"n{number}": cpu for number, cpu in enumerate(free)}
    found = optimum(problem(pods, nodes, ("a", least)))
    assert found.is_proven
    assert found.placed == _most(list(pods.items()), free, 0, least)


def _most(left: list[tuple[str, int]], free: list[int], of_group: int, least: int) -> int:
    """How many pods fit at most, by trying every node for every pod; below everything if the group is short."""
    if not left:
        return 0 if of_group == 0 or of_group >= least else -100
    (name, cpu), rest = left[0], left[1:]
    best = _most(rest, free, of_group, least)
    for number, there in enumerate(free):
        if cpu <= there:
            now = [*free[:number], there - cpu, *free[number + 1 :]]
            best = max(best, 1 + _most(rest, now, of_group + name.startswith("a"), least))
    return best


def test_a_host_port_is_had_once_on_a_node() -> None:
    joint = problem({"a": 1, "b": 1, "c": 1}, {"n1": 9, "n2": 9})
    ports = [HostPort(ANY, "TCP", 80), HostPort("10.0.0.1", "TCP", 80), HostPort(ANY, "UDP", 80)]
    pods = tuple(replace(each, ports=frozenset((port,))) for each, port in zip(joint.pods, ports, strict=True))
    assert placed(replace(joint, pods=pods)) == {"a": "n1", "b": "n2", "c": "n1"}
