"""Where the prediction places all that fits at all, it is the optimum, and no model is built. FEATURE: P2"""

import random
from typing import Any
from unittest.mock import patch

import pytest

from dractl.planner.plan import Plan
from dractl.planner.settings import Settings
from dractl.solution.outcomes import Verdict
from tests.planner.test_optimum_on_machines import small_world as small_world_of_machines
from tests.planner.world import claim, gpu_class, gpus, node, planned, pod

ASKED = Settings(wants_optimum=True)


def planned_without_a_model(*objects: dict[str, Any]) -> Plan:
    with patch("dractl.planner.optimum.solve", side_effect=AssertionError("a model is built")):
        return planned(*objects)


def placed(plan: Plan, settings: Settings) -> list[int]:
    """How many pods the optimum places of each priority."""
    assert plan.optimum is not None, settings
    assert plan.optimum.is_proven
    assert plan.optimum.bound == plan.optimum.answer.count(Verdict.PLACED)
    done = [each.pod for each in plan.optimum.answer.outcomes if each.placement is not None]
    priorities = [plan.cluster.pods[ref].spec.priority or 0 for ref in done]
    return [priorities.count(number) for number in (2, 1, 0)]


def test_a_pod_that_fits_nowhere_needs_no_model() -> None:
    plan = planned_without_a_model(
        node("n1"), gpu_class(), gpus("n1", "a", "b"), claim("c"), claim("many", 3), pod("p", "c"), pod("q", "many")
    )
    assert placed(plan, Settings()) == [0, 0, 1]


def test_a_pod_that_others_displace_needs_one() -> None:
    with pytest.raises(AssertionError, match="a model is built"):
        planned_without_a_model(
            node("n1"), gpu_class(), gpus("n1", "a"), claim("c"), claim("d"), pod("p", "c"), pod("q", "d")
        )


@pytest.mark.parametrize("seed", range(150))
def test_the_model_places_no_more(seed: int) -> None:
    world = small_world(seed)
    without = planned(*world)
    if without.optimum is not None:
        assert placed(without, Settings()) == placed(planned(*world, settings=ASKED), ASKED)


@pytest.mark.parametrize("seed", range(60))
def test_the_model_places_no_more_where_kubelets_answer(seed: int) -> None:
    objects, machines = small_world_of_machines(seed)
    without = planned(*objects, machines=machines)
    if without.optimum is not None:
        assert placed(without, Settings()) == placed(planned(*objects, machines=machines, settings=ASKED), ASKED)


def small_world(seed: int) -> list[dict[str, Any]]:
    """Two nodes with a few devices of two sizes, and pods that share claims now and then."""
    dice = random.Random(seed)
    world: list[dict[str, Any]] = [gpu_class()]
    for name in ("n1", "n2"):
        devices: list[Any] = [
            {"name": f"d{number}", "attributes": {"size": {"int": dice.randint(1, 2)}}}
            for number in range(dice.randint(0, 4))
        ]
        world += [node(name, str(dice.randint(1, 4))), gpus(name, *devices)]
    match = {"constraints": [{"matchAttribute": "gpu.example.com/size"}]}
    claims = [claim(f"c{number}", dice.randint(1, 3), **dice.choice(({}, match))) for number in range(4)]
    pods = []
    for number in range(dice.randint(2, 5)):
        chosen = dice.sample([each["metadata"]["name"] for each in claims], dice.randint(0, 2))
        pods.append(pod(f"p{number}", *chosen, cpu=str(dice.randint(1, 4)), priority=dice.randint(0, 2)))
    return [*world, *claims, *pods]
