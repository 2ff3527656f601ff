# FEATURE: P1
"""RuntimeClasses: what new pods get before they are planned, and what is refused."""

from typing import Any

from dractl.solution.outcomes import Verdict
from tests.planner.world import node, outcome, planned, pod

TAINT = {"key": "example.com/kata", "effect": "NoSchedule"}
TOLERATION = {"key": "example.com/kata", "operator": "Exists"}


def runtime_class(**fields: Any) -> dict[str, Any]:
    return {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "kata"},
        "handler": "kata",
        **fields,
    }


def test_the_overhead_counts() -> None:
    world = [node("n1", cpu="3"), pod("p", cpu="2", runtimeClassName="kata")]
    assert outcome(planned(*world), "p").verdict is Verdict.PLACED
    plan = planned(*world, runtime_class(overhead={"podFixed": {"cpu": "1500m"}}))
    assert outcome(plan, "p").verdict is Verdict.DOES_NOT_FIT


def test_the_node_selector_and_the_tolerations_join_the_pods_own() -> None:
    scheduling = {"nodeSelector": {"kubernetes.io/hostname": "n2"}, "tolerations": [TOLERATION]}
    plan = planned(
        node("n1"),
        node("n2", taints=[TAINT]),
        runtime_class(scheduling=scheduling),
        pod("p", runtimeClassName="kata"),
        pod("q", runtimeClassName="other"),
    )
    found = [each.placement.node for each in plan.prediction.outcomes if each.placement is not None]
    assert found == ["n2", "n1"]
    assert [each.rule for each in plan.findings if each.rule == "scheduler/ignored"] == ["scheduler/ignored"]


def test_pods_that_contradict_the_class_are_refused() -> None:
    scheduling = {"nodeSelector": {"kubernetes.io/hostname": "n2"}}
    plan = planned(
        node("n1"),
        node("n2"),
        runtime_class(scheduling=scheduling, overhead={"podFixed": {"cpu": "1"}}),
        pod(
            "p",
            runtimeClassName="kata",
            nodeSelector={"kubernetes.io/hostname": "n1"},
            overhead={"cpu": "2"},
        ),
    )
    (finding,) = [each for each in plan.findings if each.rule == "runtime-class/refused"]
    assert finding.message == (
        "the API server refuses the pod by RuntimeClass kata: its node selector wants kubernetes.io/hostname=n2, the "
        "pod's kubernetes.io/hostname=n1; the pod names an overhead that is not that of the class. A plan has it "
        "without what the class adds"
    )


def test_pods_that_are_there_already_keep_what_they_have() -> None:
    dump = pod("p", cpu="2", runtimeClassName="kata")
    dump["metadata"]["uid"] = "u"
    plan = planned(node("n1", cpu="3"), runtime_class(overhead={"podFixed": {"cpu": "1500m"}}), dump)
    assert outcome(plan, "p").verdict is Verdict.PLACED
