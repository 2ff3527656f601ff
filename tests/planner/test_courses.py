"""All courses of pods that come to a kubelet, and what the model learns from them. FEATURE: K6, P2"""

from collections.abc import Mapping, Sequence
from typing import Any

from dractl.api.codec import to_api
from dractl.api.core import Pod
from dractl.api.defaults import with_defaults
from dractl.api.identities import PodRef
from dractl.kubelet import KubeletState, start
from dractl.planner.admitting import Admitting
from dractl.planner.courses import Explorer, Step
from dractl.planner.learning import Learning
from dractl.problem.nodes import AlikePods
from tests.kubelet.world import configured, device, grid
from tests.planner.test_kubelets import fixed
from tests.planner.test_optimum_on_machines import two_containers

ALL = 1_000


def refs(*names: str) -> list[PodRef]:
    return [PodRef("default", name) for name in names]


def asked(
    *pods: dict[str, Any], after: Mapping[PodRef, PodRef] | None = None, devices: Sequence[Any] = ()
) -> Admitting:
    """Two NUMA nodes of seven and eight CPUs, all of a container on one of them."""
    state = start(grid(2, 8, 1), configured("single-numa-node"), devices=tuple(devices))
    assert isinstance(state, KubeletState)
    known = {PodRef("default", each["metadata"]["name"]): with_defaults(to_api(each, Pod)) for each in pods}
    return Admitting({"n1": state}, known, after or {})


def explorer(of: Admitting, *, with_homes: bool = True) -> Explorer:
    kinds = of.kinds_of("n1", list(of.pods))
    return Explorer(of.states["n1"], kinds, of.pods, of.after, with_homes=with_homes)


def test_where_pods_lie_depends_on_the_order() -> None:
    courses = explorer(asked(fixed("a", "5"), fixed("b", "4"))).explore((1, 1), ALL)
    assert courses.is_complete
    assert dict(courses.reached[1, 1]) == {
        ((0, 0), (1, 1)): (Step(0, 0), Step(1, 1)),
        ((0, 1), (1, 0)): (Step(1, 0), Step(0, 1)),
    }


def test_without_homes_one_course_is_as_good_as_another() -> None:
    courses = explorer(asked(fixed("a", "5"), fixed("b", "4")), with_homes=False).explore((1, 1), ALL)
    assert dict(courses.reached[1, 1]) == {(): (Step(0, None), Step(1, None))}


def test_what_is_refused_is_not_reached() -> None:
    """Of three pods with five CPUs two find a NUMA node."""
    courses = explorer(asked(*(fixed(name, "5") for name in "abc"))).explore((3,), ALL)
    assert set(courses.reached) == {(0,), (1,), (2,)}
    assert courses.hopeless((3,)) == [(3,)]


def test_beside_another_pod_it_may_be_let_in() -> None:
    """What is refused alone is not hopeless: the other pod takes the CPUs that were in the way."""
    picky = two_containers("picky", "5", "3", **{"example.com/dev": "1"})
    of = asked(picky, fixed("x", "3"), devices=[device("d0", 0)])
    courses = explorer(of).explore((1, 1), ALL)
    assert set(courses.reached) == {(0, 0), (0, 1), (1, 1)}
    assert courses.hopeless((1, 0)) == []


def test_a_pod_that_waits_comes_later() -> None:
    [first, second] = refs("a", "b")
    of = asked(fixed("a", "5"), fixed("b", "5"), after={second: first})
    courses = explorer(of).explore((1, 1), ALL)
    assert list(courses.reached[1, 1].values()) == [(Step(0, 0), Step(1, 1))]


def test_few_questions_and_a_narrow_look_leave_something_out() -> None:
    found = explorer(asked(*(fixed(name, str(cpu)) for cpu, name in enumerate("abcd", 1))))
    assert not found.explore((1, 1, 1, 1), 3).is_complete
    narrow = found.explore((1, 1, 1, 1), ALL, width=1)
    assert not narrow.is_complete
    assert (1, 1, 1, 1) in narrow.reached


def test_where_all_is_known_the_model_gets_a_table() -> None:
    of = asked(*(fixed(name, "5") for name in "abc"))
    lesson = Learning(of, refs(*"abc"), {}).of_refusal("n1", refs(*"abc"), is_proven=True)
    [table] = lesson.tables
    assert (table.rows, lesson.is_sure) == (((0,), (1,), (2,)), True)


def test_a_guess_is_not_sure() -> None:
    """No order was found in time: then as few as are refused already are refused, whatever else comes."""
    of = asked(*(fixed(name, "5") for name in "abc"))
    learning = Learning(of, refs(*"abc"), {})
    learning._left = 0  # all questions have been asked
    lesson = learning.of_refusal("n1", refs(*"abc"), is_proven=False)
    [conflict] = lesson.conflicts
    assert conflict.together == (AlikePods(frozenset(refs(*"abc")), 3),)
    assert not lesson.is_sure


def test_an_order_for_the_homes_that_are_wanted() -> None:
    of = asked(fixed("a", "5"), fixed("b", "4"))
    learning = Learning(of, refs("a", "b"), {"n1": frozenset(refs("a", "b"))})
    learning.of_homes("n1", refs("a", "b"))
    found = learning.admitted("n1", {PodRef("default", "a"): 1, PodRef("default", "b"): None})
    assert found is not None
    assert [ref.name for ref in found.order] == ["b", "a"]
