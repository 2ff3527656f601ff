# FEATURE: D24, P1
"""A pod of the plan that is placed, and deleted again for a more important one that could not be placed before."""

from typing import Any

from dractl.report import json as json_report
from dractl.report import table, wide
from dractl.report import yaml as yaml_report
from dractl.report.view import View
from dractl.solution.outcomes import Verdict
from tests.planner.world import node, outcome, planned, pod

HOST = "kubernetes.io/hostname"
VIEW = View(lambda _: None)


def spread(name: str, on: str, **spec: Any) -> dict[str, Any]:
    """A pod that has to be spread evenly over all nodes."""
    made = pod(name, nodeSelector={HOST: on}, **spec)
    made["metadata"]["labels"] = {"app": "s"}
    constraint = {
        "maxSkew": 1,
        "topologyKey": HOST,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "s"}},
        "nodeAffinityPolicy": "Ignore",
    }
    made["spec"]["topologySpreadConstraints"] = [constraint]
    return made


def test_a_planned_pod_makes_room() -> None:
    running = pod("running", nodeName="n1", priority=1000)
    running["metadata"] |= {"labels": {"app": "s"}, "uid": "u"}
    high = spread("high", "n1", priority=100, cpu="3")
    low = pod("low", cpu="3", priority=5, nodeSelector={HOST: "n1"})
    friend = spread("friend", "n2", priority=1)
    plan = planned(node("n1", cpu="4"), node("n2", cpu="4"), running, high, low, friend)
    placed = {each.pod.name: each.placement.node for each in plan.prediction.outcomes if each.placement is not None}
    assert placed == {"high": "n1", "friend": "n2"}
    victim = outcome(plan, "low")
    assert victim.verdict is Verdict.DOES_NOT_FIT
    assert victim.preempted_by is not None
    assert victim.preempted_by.name == "high"
    assert "it is deleted again to make room for default/high" in " ".join(table.render(plan, VIEW).split())
    for report in (wide, yaml_report, json_report):
        assert report.render(plan, VIEW)


def test_a_deletion_that_the_scheduler_does_not_notice() -> None:
    """Labels of namespaces are not looked up for a pod that is gone: the one that wanted it gone is not tried again."""
    term = {
        "labelSelector": {"matchLabels": {"app": "b"}},
        "topologyKey": HOST,
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "default"}},
    }
    there = pod("batch", nodeName="n1")
    there["metadata"]["labels"] = {"app": "b"}
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    plan = planned(node("n1"), there, pod("web", priority=10, affinity=apart))
    web = outcome(plan, "web")
    assert web.verdict is Verdict.DOES_NOT_FIT
    assert "preempting 1 victims" in web.message
    assert web.uncertain.startswith("no pod that is deleted for it makes the scheduler try it again")


def test_a_pod_that_is_going_already_is_waited_for() -> None:
    """It is not deleted again, and still has its room."""
    going = pod("going", cpu="3", nodeName="n1")
    going["metadata"] |= {"uid": "u", "deletionTimestamp": "2026-05-31T00:00:00Z", "finalizers": ["example.com/f"]}
    plan = planned(node("n1", cpu="4"), going, pod("high", cpu="3", priority=100))
    found = outcome(plan, "high")
    assert (found.verdict, [each.name for each in found.awaits]) == (Verdict.DOES_NOT_FIT, ["going"])
    assert "preempting 1 victims" in found.message
    assert not plan.prediction.preempted
    assert not [finding for finding in plan.findings if finding.rule == "plan/preempted"]
    text = " ".join(table.render(plan, VIEW).split())
    assert "It waits until default/going (on n1) is gone: it is being deleted already." in text
    [answer] = json_report.report(plan, VIEW)["prediction"]["pods"]
    assert answer["awaits"] == ["default/going"]
