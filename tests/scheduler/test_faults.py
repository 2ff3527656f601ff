# FEATURE: D16, D17
"""Known faults of kube-scheduler v1.37.2: the prediction makes them too, and they are named (scheduling.md)."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import dractl.report
from dractl.cluster.scheduler_faults import SchedulerFault
from dractl.planner.plan import Plan
from dractl.report import json as json_report
from dractl.report import table
from dractl.report.view import View
from dractl.solution.outcomes import Verdict
from tests.planner.world import claim, gpu_class, gpus, node, outcome, planned, pod, template

VIEW = View(lambda _: None)
SCHEMA = json.loads((Path(dractl.report.__file__).parent / "schema" / "plan-v1.json").read_text())


def extended(name: str, resource: str = "example.com/gpu", *claims: str) -> dict[str, Any]:
    made = pod(name, *claims)
    made["spec"]["containers"][0]["resources"]["limits"] = {resource: "1"}
    return made


def served(name: str = "gpu", made: str = "") -> dict[str, Any]:
    found = gpu_class()
    found["metadata"] = {"name": name, **({"creationTimestamp": made} if made else {})}
    found["spec"]["extendedResourceName"] = "example.com/gpu"
    return found


def faults(plan: Plan, name: str) -> tuple[SchedulerFault, ...]:
    return outcome(plan, name).faults


def says(plan: Plan) -> str:
    jsonschema.validate(json_report.report(plan, VIEW), SCHEMA)
    return " ".join(table.render(plan, VIEW).split())


def test_own_claims_beside_a_device_plugin() -> None:
    plugin = node("n1")
    plugin["status"]["allocatable"]["example.com/gpu"] = "1"
    plan = planned(plugin, served(), gpus("n1", "a"), claim("c"), extended("p", "example.com/gpu", "c"))
    found = outcome(plan, "p")
    assert found.faults == (SchedulerFault.NO_REQUEST_MAPPINGS,)
    assert (found.verdict, found.is_error) == (Verdict.DOES_NOT_FIT, True)
    assert "nil or empty request mappings" in found.message
    assert "v1.37.2 fails at the end of every attempt for a pod with claims of its own" in says(plan)


@pytest.mark.parametrize(("of_zz", "is_lost"), [("2026-01-01T00:00:00Z", True), ("2026-01-03T00:00:00Z", False)])
def test_a_class_that_loses_its_implicit_name(of_zz: str, is_lost: bool) -> None:
    classes = [served("aa", "2026-01-02T00:00:00Z"), served("zz", of_zz)]
    plan = planned(node("n1"), *classes, gpus("n1", "a"), extended("p", "deviceclass.resource.kubernetes.io/zz"))
    assert faults(plan, "p") == ((SchedulerFault.LOST_IMPLICIT_NAME,) if is_lost else ())
    assert ("gives a class no implicit resource name" in says(plan)) is is_lost


@pytest.mark.parametrize(("amount", "is_met"), [("4", True), ("6", False)])
def test_a_waiting_pod_counts_twice(amount: str, is_met: bool) -> None:
    """Of 10 the waiting pod has 4: another 4 would fit if they counted once, 6 and 6 never do."""
    conditions = {"bindingConditions": ["example.com/ok"], "bindingFailureConditions": ["example.com/no"]}
    devices = gpus("n1", "a")
    devices["spec"]["devices"] = [
        {"name": "a", "allowMultipleAllocations": True, "capacity": {"memory": {"value": "10"}}, **conditions}
    ]
    claims = [claim("c1"), claim("c2")]
    for made in claims:
        made["spec"]["devices"]["requests"][0]["exactly"]["capacity"] = {"requests": {"memory": amount}}
    plan = planned(node("n1"), gpu_class(), devices, *claims, pod("first", "c1"), pod("second", "c2"))
    assert outcome(plan, "first").verdict is Verdict.WAITING
    assert outcome(plan, "second").verdict is Verdict.DOES_NOT_FIT
    assert faults(plan, "second") == ((SchedulerFault.WAITING_COUNTS_TWICE,) if is_met else ())
    assert ("counts the capacity twice" in says(plan)) is is_met


def gang(*first: str) -> list[dict[str, Any]]:
    """Two pods with a claim of the group and one of their own, in this order."""
    entries = {
        "crew": {"name": "crew", "resourceClaimTemplateName": "crew"},
        "own": {"name": "own", "resourceClaimTemplateName": "own"},
    }
    metadata = {"name": "g", "namespace": "default"}
    spec = {"schedulingPolicy": {"gang": {"minCount": 2}}, "resourceClaims": [entries["crew"]]}
    members = []
    for name in ("p", "q"):
        made = pod(name, schedulingGroup={"podGroupName": "g"})
        made["spec"]["resourceClaims"] = [entries[each] for each in first]
        members.append(made)
    group = {"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "metadata": metadata, "spec": spec}
    return [group, template("crew"), template("own"), *members]


def test_claims_of_a_group_are_mixed_up() -> None:
    plan = planned(node("n1"), gpu_class(), gpus("n1", "a", "b", "c"), *gang("crew", "own"))
    assert (faults(plan, "p"), faults(plan, "q")) == ((), (SchedulerFault.MIXED_UP_GROUP_CLAIMS,))
    second = outcome(plan, "q").placement
    assert second is not None
    (own,) = second.allocations
    (crew,) = second.rewritten
    assert second.intended[own] == second.rewritten[crew]
    assert "List the pod's own claims before the group's" in says(plan)
    assert all("at the same time" in each.uncertain for each in plan.prediction.outcomes)


def test_own_claims_first_are_safe() -> None:
    plan = planned(node("n1"), gpu_class(), gpus("n1", "a", "b", "c"), *gang("own", "crew"))
    assert [faults(plan, name) for name in ("p", "q")] == [(), ()]
    assert [each.verdict for each in plan.prediction.outcomes] == [Verdict.PLACED, Verdict.PLACED]
