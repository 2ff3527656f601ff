"""What rests on a choice among equally good nodes. FEATURE: P1"""

from typing import Any

from dractl.planner.plan import Plan
from dractl.solution.outcomes import Verdict
from tests.planner.world import claim, devices, gpu_class, gpus, node, outcome, planned, pod


def test_a_pod_that_fits_only_by_another_choice_is_undecided() -> None:
    """One device may come from either node; two are on the first one alone."""
    world = [node("n1"), node("n2"), gpu_class(), gpus("n1", "a", "b"), gpus("n2", "c"), claim("one"), claim("two", 2)]
    plan = planned(*world, pod("p", "one"), pod("q", "two"))
    assert outcome(plan, "p").tied == ("n1", "n2")
    open_ = outcome(plan, "q")
    assert open_.verdict is Verdict.UNDECIDED
    assert open_.uncertain == ("default/p may as well go to n2; then this pod is placed on n1, else it does not fit")


def test_a_pod_that_gets_other_devices_is_marked() -> None:
    world = [node("n1"), node("n2"), gpu_class(), gpus("n1", "a"), gpus("n2", "b"), claim("one"), claim("two")]
    second = outcome(planned(*world, pod("p", "one"), pod("q", "two")), "q")
    assert devices(second) == ["b"]
    assert second.uncertain.startswith("default/p may as well go to n2")


def test_a_pod_that_does_not_mind_is_certain() -> None:
    """Only the second pod tolerates the third node's taint, so the first one's choice does not concern it."""
    kept = node("n3", taints=[{"key": "kept", "effect": "NoSchedule"}])
    there: dict[str, Any] = {"nodeSelector": {"kubernetes.io/hostname": "n3"}, "tolerations": [{"operator": "Exists"}]}
    pools = [gpus("n1", "a"), gpus("n2", "b"), gpus("n3", "c")]
    world = [node("n1"), node("n2"), kept, gpu_class(), *pools, claim("one"), claim("two")]
    plan = planned(*world, pod("p", "one"), pod("q", "two", **there))
    assert outcome(plan, "q").verdict is Verdict.PLACED
    assert outcome(plan, "q").uncertain == ""


def crowded(*more: dict[str, Any]) -> Plan:
    """Two nodes, each full with a running pod of no importance, and a pod that needs most of one of them."""
    nodes = [node("n1", cpu="4"), node("n2", cpu="4")]
    running = [pod(f"batch-{number}", cpu="4", nodeName=f"n{number}") for number in (1, 2)]
    return planned(*nodes, *running, pod("web", cpu="3", priority=10), *more)


def test_where_room_is_made_is_not_fixed() -> None:
    plan = crowded()
    assert plan.prediction.rooms[outcome(plan, "web").pod] == ("n1", "n2")
    assert outcome(plan, "web").uncertain.startswith("room for default/web may as well be made on n2")
    [finding] = [each for each in plan.findings if each.rule == "plan/preempted"]
    assert finding.subject == "Pod default/batch-1"
    assert finding.message == (
        "the scheduler deletes this pod (priority 0) on n1 to make room for default/web (priority 10); not certain, "
        "room for default/web may as well be made on n2, and then default/batch-2 is deleted instead"
    )


def test_a_pod_that_fits_only_beside_the_room_is_undecided() -> None:
    plan = crowded(pod("late", cpu="3", priority=10, nodeSelector={"kubernetes.io/hostname": "n2"}))
    assert outcome(plan, "late").verdict is Verdict.UNDECIDED
    assert outcome(plan, "late").uncertain.startswith("room for default/web may as well be made on n2")


def test_a_victim_of_every_choice_is_certain() -> None:
    plan = planned(node("n1", cpu="4"), pod("batch", cpu="4", nodeName="n1"), pod("web", cpu="3", priority=10))
    [finding] = [each for each in plan.findings if each.rule == "plan/preempted"]
    assert "not certain" not in finding.message
    assert outcome(plan, "web").uncertain == ""
