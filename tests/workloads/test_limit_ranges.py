# FEATURE: D26
"""LimitRanges: defaults that new pods get before they are planned, and what is refused."""

from typing import Any

from tests.planner.world import node, outcome, planned, pod


def limits(**item: Any) -> dict[str, Any]:
    metadata = {"name": "range", "namespace": "default"}
    spec = {"limits": [{"type": "Container", **item}]}
    return {"apiVersion": "v1", "kind": "LimitRange", "metadata": metadata, "spec": spec}


def bare(name: str, **resources: Any) -> dict[str, Any]:
    made = pod(name)
    made["spec"]["containers"][0]["resources"] = resources
    return made


def requests(*objects: dict[str, Any]) -> dict[str, str]:
    plan = planned(node("n1"), *objects)
    container = (plan.prediction.pods[outcome(plan, "p").pod].spec.containers or [])[0]
    return {name: str(amount) for name, amount in (container.resources.requests or {}).items()}


def rules(*objects: dict[str, Any]) -> list[str]:
    return [each.rule for each in planned(node("n1"), *objects).findings if each.rule.startswith("limits/")]


def test_default_requests() -> None:
    assert requests(limits(defaultRequest={"cpu": "3"}), bare("p")) == {"cpu": "3"}
    assert rules(limits(defaultRequest={"cpu": "3"}), bare("p")) == ["limits/defaulted"]


def test_what_a_container_names_stays() -> None:
    given = bare("p", requests={"cpu": "1"})
    assert requests(limits(defaultRequest={"cpu": "3"}), given) == {"cpu": "1"}
    assert rules(limits(defaultRequest={"cpu": "3"}), given) == []


def test_a_default_limit_is_a_default_request_and_so_is_a_maximum() -> None:
    assert requests(limits(default={"cpu": "2"}, max={"memory": "1Gi"}), bare("p")) == {"cpu": "2", "memory": "1Gi"}
    assert requests(limits(min={"cpu": "500m"}), bare("p")) == {"cpu": "500m"}


def test_pods_that_are_there_already_keep_what_they_have() -> None:
    dump = bare("p")
    dump["metadata"]["uid"] = "u"
    assert requests(limits(defaultRequest={"cpu": "3"}), dump) == {}


def test_the_plan_counts_what_is_filled_in() -> None:
    plan = planned(node("n1", cpu="4"), limits(defaultRequest={"cpu": "3"}), bare("p"), bare("q"))
    assert [each.placement is not None for each in plan.prediction.outcomes] == [True, False]


def test_pods_outside_the_range() -> None:
    plan = planned(node("n1"), limits(min={"cpu": "2"}, max={"cpu": "4"}), bare("p", requests={"cpu": "1"}))
    (finding,) = [each for each in plan.findings if each.rule == "limits/refused"]
    assert "minimum cpu usage per Container is 2, but request is 1" in finding.message
    large = bare("p", limits={"cpu": "6"})
    assert "limits/refused" in rules(limits(max={"cpu": "4"}), large)


def test_pods_that_controllers_make_are_new() -> None:
    template = {"metadata": {"labels": {"app": "web"}}, "spec": bare("x")["spec"]}
    spec = {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}
    plan = planned(node("n1", cpu="4"), limits(defaultRequest={"cpu": "3"}), deployment)
    assert [each.placement is not None for each in plan.prediction.outcomes] == [True, False]
