"""Facts about pods that do not fit. FEATURE: P3"""

from typing import Any

from dractl.explain.facts import ConstraintUnmet, CounterUsedUp, HeldBy, NodeFact, TooFewDevices
from dractl.planner.plan import Plan
from dractl.problem.selectors import FalseSelector
from tests.planner.world import DRIVER, claim, gpu_class, gpus, node, outcome, planned, pod


def facts(plan: Plan, name: str) -> tuple[NodeFact, ...]:
    (explanation,) = plan.explanations[outcome(plan, name).pod]
    return explanation.facts


def rooted(name: str, attribute: str, root: str) -> Any:
    return {"name": name, "attributes": {attribute: {"string": root}}}


def test_held_devices_name_their_holders() -> None:
    plan = planned(node("n1"), gpu_class(), gpus("n1", "a"), claim("c"), claim("d"), pod("p", "c"), pod("q", "d"))
    (fact,) = facts(plan, "q")
    assert isinstance(fact, TooFewDevices)
    (refused,) = fact.refused
    assert isinstance(refused.because, HeldBy)
    assert [str(each) for each in refused.because.claims] == ["default/c"]
    assert fact.place.path[-2:] == ("requests", 0)


def test_a_selector_that_is_false_is_named() -> None:
    asked = claim("c")
    asked["spec"]["devices"]["requests"][0]["exactly"]["selectors"] = [{"cel": {"expression": "false"}}]
    (fact,) = facts(planned(node("n1"), gpu_class(), gpus("n1", "a"), asked, pod("p", "c")), "p")
    assert isinstance(fact, TooFewDevices)
    assert isinstance(fact.refused[0].because, FalseSelector)
    assert fact.refused[0].because.selector.expression == "false"


def test_counters_that_are_used_up_name_who_uses_them() -> None:
    use = {"consumesCounters": [{"counterSet": "board", "counters": {"memory": {"value": "3"}}}]}
    devices = gpus("n1", {"name": "a", **use}, {"name": "b", **use})  # type: ignore[arg-type]
    counters = gpus("n1")
    counters["metadata"]["name"] = "slice-counters"
    counters["spec"].pop("devices")
    counters["spec"]["sharedCounters"] = [{"name": "board", "counters": {"memory": {"value": "4"}}}]
    for slice_ in (devices, counters):
        slice_["spec"]["pool"]["resourceSliceCount"] = 2
    plan = planned(node("n1"), gpu_class(), devices, counters, claim("c"), claim("d"), pod("p", "c"), pod("q", "d"))
    (fact,) = facts(plan, "q")
    assert isinstance(fact, TooFewDevices)
    used_up = fact.refused[1].because
    assert isinstance(used_up, CounterUsedUp)
    assert (used_up.wanted, used_up.left) == ("3", "1")
    assert [str(each) for each in used_up.holders] == [f"{DRIVER}/n1/a"]


def test_a_constraint_says_how_many_agree_and_what_comes_close() -> None:
    pair = claim("c", 2, constraints=[{"matchAttribute": "resource.kubernetes.io/pcieRoot"}])
    slices = gpus("n1", rooted("a", "resource.kubernetes.io/pcieRoot", "pci0"), rooted("b", "pciRoot", "pci0"))
    (fact,) = facts(planned(node("n1"), gpu_class(), slices, pair, pod("p", "c")), "p")
    assert isinstance(fact, ConstraintUnmet)
    assert (fact.wanted, fact.best, fact.near_miss) == (2, 1, f"{DRIVER}/pciRoot")
    assert fact.place.path[-2:] == ("constraints", 0)
