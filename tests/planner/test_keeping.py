# FEATURE: P2, D16, D17
"""Pods whose rules the model does not know stay where the prediction has them, and the optimum says so."""

from typing import Any

from dractl.planner.keeping import EXTENDED, OTHER_PODS, TOGETHER
from dractl.planner.plan import Plan
from dractl.planner.settings import Settings
from dractl.solution.outcomes import Verdict
from tests.planner.world import claim, gpu_class, gpus, node, outcome, planned, pod


def optimum_of(*objects: dict[str, Any]) -> Plan:
    return planned(*objects, settings=Settings(wants_optimum=True))


def kept(plan: Plan) -> dict[str, str]:
    assert plan.optimum is not None
    return {ref.name: because for ref, because in plan.optimum.kept.items()}


def extended(name: str, count: int = 1) -> dict[str, Any]:
    wanted = pod(name)
    wanted["spec"]["containers"][0]["resources"]["limits"] = {"example.com/gpu": str(count)}
    return wanted


def served() -> dict[str, Any]:
    found = gpu_class()
    found["spec"]["extendedResourceName"] = "example.com/gpu"
    return found


def apart(name: str, app: str) -> dict[str, Any]:
    """A pod that wants no other of its kind on its node."""
    term = {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": "kubernetes.io/hostname"}
    made = pod(name, affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})
    made["metadata"]["labels"] = {"app": app}
    return made


def test_extended_resources_are_placed_in_the_optimum_too() -> None:
    plan = optimum_of(node("n1"), served(), gpus("n1", "a"), extended("p"), extended("q"))
    assert kept(plan) == {"p": EXTENDED, "q": EXTENDED}
    assert plan.optimum is not None
    assert plan.optimum.answer.count(Verdict.PLACED) == 1
    assert (plan.optimum.is_proven, plan.optimum.is_proven_beside) == (False, True)


def test_all_placed_is_the_optimum_whatever_is_kept() -> None:
    plan = optimum_of(node("n1"), served(), gpus("n1", "a"), extended("p"))
    assert plan.optimum is not None
    assert (plan.optimum.is_proven, plan.optimum.bound) == (True, 1)


def test_the_others_do_not_take_their_devices() -> None:
    plan = optimum_of(node("n1"), served(), gpus("n1", "a"), extended("p"), claim("c"), pod("q", "c"))
    assert outcome(plan, "q").verdict is Verdict.DOES_NOT_FIT
    assert plan.optimum is not None
    assert [each.pod.name for each in plan.optimum.answer.outcomes if each.placement is not None] == ["p"]


def test_rules_between_pods_hold_in_the_optimum() -> None:
    plan = optimum_of(node("n1"), node("n2"), apart("p", "x"), apart("q", "x"), apart("r", "x"))
    assert kept(plan) == {"p": OTHER_PODS, "q": OTHER_PODS, "r": OTHER_PODS}
    assert plan.optimum is not None
    nodes = [each.placement.node for each in plan.optimum.answer.outcomes if each.placement is not None]
    assert sorted(nodes) == ["n1", "n2"]


def test_pods_that_such_a_rule_is_about_are_kept_as_well() -> None:
    met = pod("q")
    met["metadata"]["labels"] = {"app": "x"}
    plan = optimum_of(node("n1"), apart("p", "x"), met, pod("other"))
    assert kept(plan) == {"p": OTHER_PODS, "q": OTHER_PODS}


def test_who_shares_a_claim_with_them_is_kept() -> None:
    first = extended("p")
    first["spec"]["resourceClaims"] = [{"name": "c", "resourceClaimName": "c"}]
    plan = optimum_of(node("n1"), served(), gpus("n1", "a", "b"), claim("c"), first, pod("q", "c"), pod("r"))
    assert kept(plan) == {"p": EXTENDED, "q": TOGETHER}


def test_host_ports_are_known_to_the_model() -> None:
    def with_port(name: str) -> dict[str, Any]:
        made = pod(name)
        made["spec"]["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 80}]
        return made

    plan = optimum_of(node("n1"), with_port("p"), with_port("q"))
    assert kept(plan) == {}
    assert plan.optimum is not None
    assert plan.optimum.is_proven
    assert plan.optimum.answer.count(Verdict.PLACED) == 1


def test_without_a_node_nothing_is_left_to_prove() -> None:
    plan = optimum_of(apart("p", "x"), apart("q", "x"))
    assert kept(plan) == {}
    assert plan.optimum is not None
    assert (plan.optimum.is_proven, plan.optimum.bound) == (True, 0)
