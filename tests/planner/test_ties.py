"""What rests on a choice among equally good nodes. FEATURE: P1"""

from typing import Any

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
