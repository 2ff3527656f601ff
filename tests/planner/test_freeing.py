# FEATURE: D24
"""Whose deletion would free the devices of a pod that preemption does not help."""

from typing import Any

from dractl.explain.freeing import Freeing
from dractl.planner.plan import Plan
from tests.planner.world import DRIVER, claim, gpu_class, gpus, node, outcome, planned, pod, template


def running(name: str, on: str, priority: int, *devices: str) -> list[dict[str, Any]]:
    """A pod on a node, and its claim with these devices."""
    held = claim(name, len(devices))
    results = [{"request": "r", "driver": DRIVER, "pool": on, "device": device} for device in devices]
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [on]}]}
    held["status"] = {
        "allocation": {"devices": {"results": results}, "nodeSelector": {"nodeSelectorTerms": [term]}},
        "reservedFor": [{"resource": "pods", "name": name, "uid": f"uid-{name}"}],
    }
    there = pod(name, name, nodeName=on, priority=priority)
    there["metadata"]["uid"] = f"uid-{name}"
    there["status"] = {"phase": "Running", "startTime": "2026-01-01T00:00:00Z"}
    return [held, there]


def wanting(priority: int = 100, count: int = 1) -> list[dict[str, Any]]:
    return [template("t", count), pod("high", of_template="t", priority=priority)]


def found(*objects: dict[str, Any]) -> tuple[Plan, Freeing | None]:
    plan = planned(node("n1"), node("n2"), gpu_class(), gpus("n1", "a", "b"), gpus("n2", "c"), *objects)
    return plan, plan.freeing.get(outcome(plan, "high").pod)


def names(freeing: Freeing | None) -> tuple[str, ...] | None:
    return tuple(ref.name for ref in freeing.pods) if freeing is not None else None


def test_the_least_important_holder() -> None:
    low = [*running("low-0", "n1", 5, "a"), *running("low-1", "n1", 1, "b"), *running("low-2", "n2", 7, "c")]
    _, freeing = found(*low, *wanting())
    assert freeing is not None
    assert (freeing.node, names(freeing)) == ("n1", ("low-1",))


def test_two_devices_need_both_to_go() -> None:
    low = [*running("low-0", "n1", 5, "a"), *running("low-1", "n1", 1, "b"), *running("low-2", "n2", 7, "c")]
    assert names(found(*low, *wanting(count=2))[1]) == ("low-0", "low-1")


def test_pods_of_the_same_priority_stay() -> None:
    same = [*running("low-0", "n1", 100, "a", "b"), *running("low-2", "n2", 100, "c")]
    assert found(*same, *wanting())[1] is None


def test_a_claim_that_others_reserve_is_not_freed() -> None:
    low = [*running("low-0", "n1", 5, "a", "b"), *running("low-2", "n2", 100, "c")]
    low[0]["status"]["reservedFor"].append({"resource": "pods", "name": "other", "uid": "uid-other"})
    other = pod("other", "low-0", nodeName="n1", priority=200)
    other["metadata"]["uid"] = "uid-other"
    other["status"] = {"phase": "Running"}
    assert found(*low, other, *wanting())[1] is None


def test_another_pod_would_take_what_is_freed() -> None:
    low = [*running("low-0", "n1", 5, "a", "b"), *running("low-2", "n2", 100, "c")]
    first = pod("first", of_template="t2", priority=200)
    assert names(found(*low, *wanting(count=1))[1]) == ("low-0",)
    assert found(*low, template("t2", 2), first, *wanting(count=1))[1] is None


def test_no_device_of_that_kind_at_all() -> None:
    assert found(*running("low-0", "n1", 5, "a", "b"), *wanting(count=3))[1] is None
