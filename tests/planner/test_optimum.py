"""What could be done beside what will be done. FEATURE: P2"""

from typing import Any

from dractl.planner.settings import Settings
from dractl.solution.outcomes import Verdict
from tests.planner.world import DRIVER, claim, gpu_class, gpus, node, outcome, planned, pod


def sized(name: str, memory: str) -> Any:
    return {"name": name, "capacity": {"memory": {"value": memory}}}


def at_least(name: str, memory: str) -> dict[str, Any]:
    asked = claim(name)
    expression = f'device.capacity["{DRIVER}"].memory.compareTo(quantity("{memory}")) >= 0'
    asked["spec"]["devices"]["requests"][0]["exactly"]["selectors"] = [{"cel": {"expression": expression}}]
    return asked


def test_the_optimum_places_what_first_fit_wastes() -> None:
    plan = planned(
        node("n1"),
        gpu_class(),
        gpus("n1", sized("d80", "80Gi"), sized("d4", "4Gi")),
        at_least("small", "4Gi"),
        at_least("big", "80Gi"),
        pod("p-small", "small"),
        pod("p-big", "big"),
    )
    assert outcome(plan, "p-big").verdict is Verdict.DOES_NOT_FIT
    assert plan.optimum is not None
    assert plan.optimum.answer.count(Verdict.PLACED) == plan.optimum.bound == 2
    assert plan.optimum.is_proven


def test_no_model_is_built_if_all_pods_are_placed() -> None:
    world = [node("n1"), gpu_class(), gpus("n1", "a"), claim("c"), pod("p", "c")]
    assert planned(*world).optimum is None
    asked = planned(*world, settings=Settings(wants_optimum=True)).optimum
    assert asked is not None
    assert asked.bound == 1
