# FEATURE: D15, P1, P2
"""What a plan says where only a known fault of v1.37.2 stands in the way, and what it then does not advise."""

import json
from pathlib import Path
from typing import Any

import jsonschema

from dractl.cluster.upstream import UpstreamFault
from dractl.planner.plan import Plan
from dractl.planner.settings import Settings
from dractl.report import json as json_report
from dractl.report import table
from dractl.report.view import View
from dractl.solution.outcomes import Verdict
from tests.planner.world import DRIVER, claim, devices, gpu_class, gpus, node, outcome, planned, pod

ADMIN = {
    "apiVersion": "v1",
    "kind": "Namespace",
    "metadata": {"name": "default", "labels": {"resource.kubernetes.io/admin-access": "true"}},
}
VIEW = View(lambda _: None)


def counted(name: str, units: str, of: str = "board", **fields: Any) -> Any:
    use = {"counterSet": of, "counters": {"units": {"value": units}}}
    return {"name": name, "consumesCounters": [use], **fields}


def board(on: str, units: str, *names: Any, sets: tuple[str, ...] = ("board",)) -> list[dict[str, Any]]:
    """A pool of counter sets and devices that consume them."""
    parts, counters = gpus(on, *names), gpus(on)
    counters["metadata"]["name"] = f"counters-{on}"
    del counters["spec"]["devices"]
    counters["spec"]["sharedCounters"] = [{"name": each, "counters": {"units": {"value": units}}} for each in sets]
    for each in (parts, counters):
        each["spec"]["pool"]["resourceSliceCount"] = 2
    return [parts, counters]


def admin(name: str) -> dict[str, Any]:
    asked = claim(name)
    asked["spec"]["devices"]["requests"][0]["exactly"]["adminAccess"] = True
    return asked


def holds(name: str, *held: str, pool: str = "n1") -> dict[str, Any]:
    """A claim that has its devices, and a pod that runs with it."""
    stored = claim(name, len(held))
    results = [{"request": "r", "driver": DRIVER, "pool": pool, "device": each} for each in held]
    field = {"key": "metadata.name", "operator": "In", "values": ["n1"]}
    selector = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    user = {"resource": "pods", "name": f"user-of-{name}", "uid": f"uid-of-{name}"}
    allocation = {"devices": {"results": results}, "nodeSelector": selector}
    return {**stored, "status": {"allocation": allocation, "reservedFor": [user]}}


def user_of(name: str) -> dict[str, Any]:
    running = pod(f"user-of-{name}", name, nodeName="n1")
    running["metadata"]["uid"] = f"uid-of-{name}"
    return running


def faults(of: Plan, name: str) -> tuple[UpstreamFault, ...]:
    documented = outcome(of, name).documented
    return documented.faults if documented is not None else ()


def page(of: Plan) -> str:
    return table.render(of, VIEW)


def test_admin_access_that_would_cost_counters() -> None:
    held = [holds("own", "full"), user_of("own")]
    plan = planned(
        ADMIN, node("n1"), gpu_class(), *board("n1", "2", counted("full", "2")), *held, admin("mon"), pod("p", "mon")
    )
    refused = outcome(plan, "p")
    assert refused.verdict is Verdict.DOES_NOT_FIT
    assert faults(plan, "p") == (UpstreamFault.ADMIN_PAYS_COUNTERS,)
    assert refused.documented is not None
    assert [
        each.device for a in refused.documented.placement.allocations.values() for each in a.devices.results or ()
    ] == ["full"]
    assert plan.prediction.checked_by == "the rules of v1.37.2"
    assert plan.optimum is not None
    assert plan.optimum.answer.checked_by == "the rules of v1.37.2"
    assert plan.optimum.documented is not None
    assert (plan.optimum.documented.faults, plan.optimum.documented.placed) == ((UpstreamFault.ADMIN_PAYS_COUNTERS,), 1)
    text = page(plan)
    assert "by the documented rules 1 of 1 pod: needs the fix of kubernetes#140729" in text
    assert "It would fit" not in text


def test_two_faults_are_named_together_if_neither_alone_is_enough() -> None:
    world = [ADMIN, node("n1"), gpu_class(), *board("n1", "2", counted("full", "2"))]
    plan = planned(*world, admin("mon"), claim("own"), pod("p", "mon", "own"))
    assert faults(plan, "p") == (UpstreamFault.ADMIN_PAYS_COUNTERS, UpstreamFault.ADMIN_BLOCKS_LATER)
    text = page(plan)
    assert (
        "charges counters to admin access (kubernetes#140729) and keeps a device with admin access from later" in text
    )
    assert (
        "(no issue known); by the documented rules claim mon would get full and claim own would get full on n1" in text
    )


def test_all_devices_with_a_driver_that_skips_node_operations() -> None:
    skips = gpus("n1", "b", skipNodeOperations=["NodePrepareResources"])
    skips["metadata"]["name"] = "slice-skips"
    skips["spec"]["pool"]["name"] = "other"
    asked = claim("c")
    asked["spec"]["devices"]["requests"][0]["exactly"] = {"deviceClassName": "gpu", "allocationMode": "All"}
    plan = planned(node("n1"), gpu_class(), gpus("n1", "a"), skips, asked, pod("p", "c"))
    assert faults(plan, "p") == (UpstreamFault.ALL_TAKES_UNUSABLE,)
    assert "(kubernetes#141091); by the documented rules claim c would get a on n1" in page(plan)


def test_a_pool_that_another_set_blocks() -> None:
    devices = [counted("a", "2"), counted("b", "2"), counted("c", "1", of="second")]
    held = [holds("one", "a"), user_of("one"), holds("two", "b"), user_of("two")]
    slices = board("n1", "3", *devices, sets=("board", "second"))
    plan = planned(node("n1"), gpu_class(), *slices, *held, claim("c"), pod("p", "c"))
    assert faults(plan, "p") == (UpstreamFault.OVERDRAWN_SET_BLOCKS_POOL,)
    assert plan.optimum is not None
    assert plan.optimum.answer.count(Verdict.PLACED) == 0
    assert "needs a fix of what has no known issue (v1.37.2 refuses every consuming device" in page(plan)


def numbered(name: str, number: int) -> Any:
    return {"name": name, "attributes": {"numa": {"int": number}}}


def all_or_one() -> dict[str, Any]:
    asked = claim("c", constraints=[{"matchAttribute": f"{DRIVER}/numa"}])
    every = {"name": "every", "deviceClassName": "gpu", "allocationMode": "All"}
    one = {"name": "one", "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}
    asked["spec"]["devices"]["requests"] = [{"name": "r", "firstAvailable": [every, one]}]
    return asked


def test_a_constraint_that_ends_the_attempt() -> None:
    plan = planned(node("n1"), gpu_class(), gpus("n1", numbered("a", 0), numbered("b", 1)), all_or_one(), pod("p", "c"))
    refused = outcome(plan, "p")
    assert refused.aborted is not None
    assert faults(plan, "p") == (UpstreamFault.CONSTRAINT_ENDS_ALL,)
    text = page(plan)
    assert "by the documented rules claim c would get a on n1" in text
    assert "It would fit" not in text
    assert plan.optimum is not None
    assert plan.optimum.answer.count(Verdict.PLACED) == 0
    assert plan.optimum.documented is not None


def test_a_constraint_is_not_asked_where_a_device_is_in_use() -> None:
    asked = [claim("first"), all_or_one()]
    world = [node("n1"), gpu_class(), gpus("n1", numbered("a", 0), numbered("b", 1)), *asked]
    plan = planned(*world, pod("o", "first"), pod("p", "c"), settings=Settings(wants_optimum=True))
    assert devices(outcome(plan, "p")) == ["b"]
    assert plan.optimum is not None
    assert plan.optimum.answer.count(Verdict.PLACED) == 2


def test_a_pod_that_does_not_fit_by_any_rules_says_nothing_of_faults() -> None:
    world = [ADMIN, node("n1"), gpu_class(), *board("n1", "2", counted("full", "2"))]
    mon = admin("mon")
    mon["spec"]["devices"]["requests"][0]["exactly"]["count"] = 2
    plan = planned(*world, mon, pod("p", "mon"))
    assert faults(plan, "p") == ()
    assert plan.optimum is not None
    assert plan.optimum.documented is None
    assert "documented rules" not in page(plan)


def test_members_of_a_gang_are_asked_about_together() -> None:
    group = {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "g", "namespace": "default"},
        "spec": {"schedulingPolicy": {"gang": {"minCount": 2}}},
    }
    member: dict[str, Any] = {"schedulingGroup": {"podGroupName": "g"}}
    held = [holds("own", "full"), user_of("own")]
    world = [ADMIN, node("n1"), gpu_class(), *board("n1", "2", counted("full", "2")), *held, group]
    plan = planned(*world, admin("mon"), pod("p", "mon", **member), pod("q", **member))
    assert [outcome(plan, name).verdict for name in "pq"] == [Verdict.DOES_NOT_FIT] * 2
    assert faults(plan, "p") == faults(plan, "q") == (UpstreamFault.ADMIN_PAYS_COUNTERS,)
    assert "the pod would run on n1" in page(plan)


def test_json_has_it_all() -> None:
    held = [holds("own", "full"), user_of("own")]
    plan = planned(
        ADMIN, node("n1"), gpu_class(), *board("n1", "2", counted("full", "2")), *held, admin("mon"), pod("p", "mon")
    )
    report = json.loads(json_report.render(plan, VIEW))
    schema = json.loads((Path(json_report.__file__).parent / "schema/plan-v1.json").read_text(encoding="utf-8"))
    jsonschema.validate(report, schema)
    (said,) = report["prediction"]["pods"]
    assert said["documented"]["faults"][0]["issue"] == "kubernetes#140729"
    assert said["documented"]["claims"][0]["devices"][0]["device"] == "full"
    assert report["optimum"]["documented"]["placed"] == 1
    assert report["prediction"]["checkedBy"] == "the rules of v1.37.2"
