"""Pods at home on one NUMA node, and what kubelets are known to make of pods together. FEATURE: K9, P2"""

from collections.abc import Mapping

from msgspec.structs import replace

from dractl.api.identities import DeviceId, PodRef
from dractl.machine.idsets import NumaSet
from dractl.problem.joint import JointProblem
from dractl.problem.nodes import AlikePods, CourseTable, Gathering, NodeConflict, NodeLayout, Settled
from tests.model.worlds import optimum, placed, pod, world
from tests.verify.builders import DRIVER, claim, device, published, wants
from tests.worlds.world import joint_problem_of

NODE = "node-a"


def two_pods(*devices: str, where: Mapping[str, int], prefers: bool = True) -> JointProblem:
    """Two pods with a device each; `where` says on which NUMA node devices sit."""
    slices = [published(*(device(name) for name in devices))]
    problem = joint_problem_of(world(slices, claim("c0", wants("r")), claim("c1", wants("r"))))
    [pool] = {each.devices[0].id.pool for each in problem.problems.values()}
    sits = {DeviceId(DRIVER, pool, name): NumaSet((numa,)) for name, numa in where.items()}
    pods = frozenset(each.ref for each in problem.pods)
    layouts = {NODE: NodeLayout((0, 1), sits, pods, frozenset())} if prefers else {}
    return replace(problem, layouts=layouts)


def alike(problem: JointProblem, number: int) -> AlikePods:
    return AlikePods(frozenset(pod.ref for pod in problem.pods), number)


def homes(problem: JointProblem) -> dict[str, int | None]:
    return {each.pod.name: each.home for each in optimum(problem).placements}


def test_without_the_wish_nobody_has_a_home() -> None:
    assert homes(two_pods("d0", "d1", where={"d0": 0, "d1": 1}, prefers=False)) == {"pod-0": None, "pod-1": None}


def test_pods_are_at_home_where_their_devices_sit() -> None:
    assert homes(two_pods("d0", "d1", where={"d0": 0, "d1": 1})) == {"pod-0": 0, "pod-1": 1}


def test_a_device_of_which_nothing_is_known_aligns_nobody() -> None:
    assert homes(two_pods("d0", "d1", where={"d0": 0})) == {"pod-0": 0, "pod-1": None}


def test_devices_give_way_to_alignment() -> None:
    """The order of devices alone would give d0 to the first pod."""
    problem = two_pods("d0", "d1", "d2", where={"d1": 0, "d2": 1})
    assert placed(replace(problem, layouts={})) == {"pod-0": f"{NODE} r:d0", "pod-1": f"{NODE} r:d1"}
    assert placed(problem) == {"pod-0": f"{NODE} r:d1", "pod-1": f"{NODE} r:d2"}


def test_placing_a_pod_is_worth_more() -> None:
    """One of two pods would be aligned if it were alone; both together lie on no single NUMA node."""
    problem = two_pods("d0", "d1", where={"d0": 0, "d1": 0})
    both, one = alike(problem, 2), alike(problem, 1)
    alone = Gathering((NODE,), (one,), ((Settled(one, 0),),))
    problem = replace(problem, gatherings=(Gathering((NODE,), (both,), ((),)), alone))
    assert homes(problem) == {"pod-0": None, "pod-1": None}
    assert optimum(problem).is_aligned_proven


def test_no_more_are_at_home_than_a_course_allows() -> None:
    problem = two_pods("d0", "d1", where={"d0": 0, "d1": 1})
    course = (Settled(alike(problem, 1), 1),)
    found = homes(replace(problem, gatherings=(Gathering((NODE,), (alike(problem, 2),), (course,)),)))
    assert sorted(found.values(), key=str) == [1, None]


def test_one_course_after_the_other_not_half_of_each() -> None:
    problem = two_pods("d0", "d1", where={"d0": 0, "d1": 1})
    courses = ((Settled(alike(problem, 1), 0),), (Settled(alike(problem, 1), 1),))
    found = homes(replace(problem, gatherings=(Gathering((NODE,), (alike(problem, 2),), courses),)))
    assert list(found.values()).count(None) == 1


def test_another_number_of_pods_is_another_gathering() -> None:
    problem = two_pods("d0", "d1", where={"d0": 0, "d1": 1})
    assert homes(replace(problem, gatherings=(Gathering((NODE,), (alike(problem, 1),), ()),))) == {
        "pod-0": 0,
        "pod-1": 1,
    }


def test_a_gathering_without_courses_is_refused() -> None:
    problem = two_pods("d0", "d1", where={})
    found = optimum(replace(problem, gatherings=(Gathering((NODE,), (alike(problem, 2),)),)))
    assert (found.placed, found.is_proven) == (1, True)


def test_a_table_has_all_that_can_be() -> None:
    """Both pods at once only with one of them at home on NUMA node 1."""
    problem = two_pods("d0", "d1", where={"d0": 0, "d1": 1})
    kind = alike(problem, 0).pods
    table = CourseTable((NODE,), (kind,), ((0, 0), (0, 1)), ((0, 0, 0), (1, 1, 0), (2, 0, 1)))
    assert sorted(homes(replace(problem, tables=(table,))).values(), key=str) == [1, None]
    assert placed(replace(problem, tables=(replace(table, rows=table.rows[:2]),))) == {"pod-0": f"{NODE} r:d0"}


def test_a_conflict_holds_unless_others_are_there() -> None:
    problem = joint_problem_of(world([], pods=[pod("picky"), pod("other")]))
    picky, other = (AlikePods(frozenset({PodRef(each.ref.namespace, each.ref.name)}), 1) for each in problem.pods)
    for_all = replace(problem, conflicts=(NodeConflict((NODE,), (picky,)),))
    assert list(placed(for_all)) == ["other"]
    beside = replace(problem, conflicts=(NodeConflict((NODE,), (picky,), (other,)),))
    assert list(placed(beside)) == ["picky", "other"]
