"""Pods that name their node and do not fit there: what the kubelet says behind its managers. FEATURE: D18, P1"""

from typing import Any

import pytest

from dractl.planner.plan import Plan
from dractl.solution.node_share import KubeletRefusal
from dractl.solution.outcomes import Verdict
from tests.kubelet.world import configured, grid
from tests.planner.test_kubelets import fixed, known, refusal
from tests.planner.world import node, outcome, planned, pod

MACHINES = {"n1": known(grid(2, 4), configured("none"))}


def named(name: str, cpu: str = "1", created: str = "", **spec: Any) -> dict[str, Any]:
    """A pod that names n1."""
    made = pod(name, cpu=cpu, nodeName="n1", **spec)
    made["metadata"] |= {"creationTimestamp": f"2026-01-31T12:00:{created}Z"} if created else {}
    return made


def listed(plan: Plan) -> dict[str, Verdict]:
    return {each.pod.name: each.verdict for each in plan.prediction.outcomes}


def test_what_is_short() -> None:
    plan = planned(node("n1", "4"), named("first", "3", "01"), named("second", "2", "02"))
    assert listed(plan) == {"second": Verdict.DOES_NOT_FIT}
    assert refusal(outcome(plan, "second")) == KubeletRefusal("n1", "OutOfcpu", "2 of cpu is needed, 1 is free")
    [failed] = [each for ref, each in plan.prediction.pods.items() if ref.name == "second"]
    assert (failed.status.phase, failed.status.reason) == ("Failed", "OutOfcpu")


def test_the_later_one_is_refused() -> None:
    plan = planned(node("n1", "4"), named("late", "3", "02"), named("early", "2", "01"))
    assert listed(plan) == {"late": Verdict.DOES_NOT_FIT}


def test_one_that_is_refused_leaves_room_for_the_next() -> None:
    plan = planned(node("n1", "4"), named("large", "5", "01"), named("small", "4", "02"), pod("free", cpu="1"))
    assert listed(plan) == {"large": Verdict.DOES_NOT_FIT, "free": Verdict.DOES_NOT_FIT}
    assert outcome(plan, "free").refusal is None


def test_pods_that_run_are_not_asked_again() -> None:
    there = [named(name, "3") | {"status": {"phase": "Running"}} for name in ("a", "b")]
    assert listed(planned(node("n1", "4"), *there)) == {}
    trimmed = [named(name, "3") for name in ("a", "b")]
    for each in trimmed:
        each["metadata"]["uid"] = each["metadata"]["name"]
    assert listed(planned(node("n1", "4"), *trimmed)) == {}
    plan = planned(node("n1", "4"), *there, named("c", "1"))
    assert refusal(outcome(plan, "c")).message == "1 of cpu is needed, 0 is free"


def test_memory_and_pods() -> None:
    hungry = named("hungry")
    hungry["spec"]["containers"][0]["resources"]["requests"]["memory"] = "40Gi"
    assert refusal(outcome(planned(node("n1"), hungry), "hungry")) == KubeletRefusal(
        "n1", "OutOfmemory", "40Gi of memory is needed, 32Gi is free"
    )
    full = node("n1")
    full["status"]["allocatable"]["pods"] = "1"
    plan = planned(full, named("a", created="01"), named("b", created="02"))
    assert refusal(outcome(plan, "b")).reason == "OutOfpods"


def test_resources_that_the_node_does_not_list_are_ignored() -> None:
    asking = named("p")
    asking["spec"]["containers"][0]["resources"]["requests"]["example.com/gpu"] = "1"
    assert listed(planned(node("n1"), asking)) == {}


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ({"nodeSelector": {"zone": "a"}}, "the labels of the node do not match spec.nodeSelector"),
        ({"nodeSelector": {"kubernetes.io/hostname": "n1"}}, ""),
        ({"tolerations": []}, "it does not tolerate the node's taint example.com/gone:NoExecute"),
        ({"tolerations": [{"key": "example.com/gone", "operator": "Exists"}]}, ""),
    ],
)
def test_labels_and_taints(spec: dict[str, Any], says: str) -> None:
    tainted = node("n1", taints=[{"key": "example.com/gone", "effect": "NoExecute"}] if "tolerations" in spec else [])
    plan = planned(tainted, named("p", **spec))
    assert listed(plan) == ({"p": Verdict.DOES_NOT_FIT} if says else {})
    if says:
        assert refusal(outcome(plan, "p")) == KubeletRefusal("n1", "", says)


def test_taints_that_only_repel_and_cordons_do_not_matter() -> None:
    repelling = node("n1", taints=[{"key": "k", "effect": "NoSchedule"}], unschedulable=True)
    assert listed(planned(repelling, named("p"))) == {}


def test_nothing_is_said_of_critical_pods_and_of_nodes_without_a_node_object() -> None:
    assert listed(planned(node("n1", "1"), named("p", "2", priority=2_000_000_000))) == {}
    assert listed(planned(named("p", "2", nodeSelector={"zone": "a"}))) == {}


def test_the_managers_come_first() -> None:
    whole = {"n1": known(grid(2, 4), configured("none", options=["full-pcpus-only"], reserved="0,8"))}
    plan = planned(node("n1", "2"), fixed("p", "3", on="n1"), machines=whole)
    assert refusal(outcome(plan, "p")).reason == "SMTAlignmentError"


def test_what_the_managers_had_given_comes_back() -> None:
    """The first pod has too much memory: its CPUs are free for the next one."""
    first = fixed("a", "12", on="n1")
    amounts = {"cpu": "12", "memory": "40Gi"}
    first["spec"]["containers"][0]["resources"] = {"requests": amounts, "limits": amounts}
    plan = planned(node("n1", "15"), first, fixed("b", "12"), machines=MACHINES)
    assert listed(plan) == {"a": Verdict.DOES_NOT_FIT, "b": Verdict.PLACED}
    assert set(plan.prediction.kubelets["n1"].state.cpus.pods) == set(plan.prediction.kubelets["n1"].state.active)
