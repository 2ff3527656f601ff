"""Nodes that nothing can tell apart for a pod are asked once, and that changes no answer. FEATURE: P1"""

import random
from typing import Any

import pytest

from dractl.planner.plan import Plan
from dractl.scheduler import schedule
from dractl.scheduler.cycle import Cycle
from tests.planner.world import node, outcome, planned, pod


def each_alone(cycle: Cycle) -> list[list[str]]:
    return [[name] for name in cycle.state.nodes]


def world(seed: int) -> list[dict[str, Any]]:
    """Nodes of two sizes with a few labels and taints; pods with and without rules about nodes and other pods."""
    dice = random.Random(seed)
    objects = []
    for number in range(dice.randint(3, 7)):
        taints = [{"key": "t", "value": "v", "effect": dice.choice(("NoSchedule", "PreferNoSchedule"))}]
        made = node(f"n{number}", dice.choice(("2", "4")), **({"taints": taints} if dice.random() < 0.3 else {}))
        made["metadata"]["labels"] |= {"zone": dice.choice("ab")} if dice.random() < 0.7 else {}
        if dice.random() < 0.3:
            made["status"]["images"] = [{"names": ["example.com/app:1"], "sizeBytes": 10**9}]
        objects.append(made)
    for number in range(dice.randint(3, 9)):
        made = pod(f"p{number}", cpu=dice.choice(("500m", "1", "2")), **_rules(dice))
        made["metadata"]["labels"] = {"app": dice.choice("xy")}
        if dice.random() < 0.4:
            ports = [{"containerPort": 80, "hostPort": port} for port in dice.sample((80, 81, 82), dice.choice((1, 2)))]
            made["spec"]["containers"][0]["ports"] = ports
        objects.append(made)
    return objects


def _rules(dice: random.Random) -> dict[str, Any]:
    term = {"labelSelector": {"matchLabels": {"app": "x"}}, "topologyKey": "zone"}
    wanted = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}
    hidden = {"matchFields": [{"key": "metadata.name", "operator": "NotIn", "values": ["n0"]}]}
    choices: list[dict[str, Any]] = [
        {},
        {},
        {"nodeSelector": {"zone": "a"}},
        {"tolerations": [{"operator": "Exists"}]},
        {"affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [_weighted(wanted)]}}},
        {
            "affinity": {
                "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [hidden]}}
            }
        },
        {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}},
        {"affinity": {"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [_liked(term)]}}},
    ]
    return dice.choice(choices) | ({"priority": dice.choice((0, 5))} if dice.random() < 0.3 else {})


def _weighted(preference: dict[str, Any]) -> dict[str, Any]:
    return {"weight": 10, "preference": preference}


def _liked(term: dict[str, Any]) -> dict[str, Any]:
    return {"weight": 10, "podAffinityTerm": term}


def answers(plan: Plan) -> list[Any]:
    return [(each, plan.explanations.get(each.pod)) for each in plan.prediction.outcomes]


@pytest.mark.parametrize("seed", range(60))
def test_asking_each_node_gives_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    objects = world(seed)
    together = answers(planned(*objects))
    monkeypatch.setattr(schedule, "alike_nodes", each_alone)
    assert answers(planned(*objects)) == together


def test_equal_nodes_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    try_node = Cycle.try_node

    def noted(cycle: Cycle, one: Any) -> Any:
        asked.append(one.name)
        return try_node(cycle, one)

    monkeypatch.setattr(Cycle, "try_node", noted)
    plan = planned(*(node(f"n{number}") for number in range(5)), pod("p"), pod("q"))
    assert asked[:3] == ["n0", "n0", "n1"], "the first pod, then the second on a node of each kind"
    assert outcome(plan, "p").tied == ("n0", "n1", "n2", "n3", "n4")
    assert outcome(plan, "q").tied == ("n1", "n2", "n3", "n4")
