"""Pods in queue order, each using up what it takes. FEATURE: P1, D2, D19"""

from typing import Any

from dractl.planner.settings import Settings
from dractl.solution.outcomes import Verdict
from tests.planner.world import claim, devices, gpu_class, gpus, node, outcome, planned, pod, template

NOT_HELPFUL = "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."


def test_a_placed_pod_uses_up_its_devices() -> None:
    plan = planned(
        node("n1"), gpu_class(), gpus("n1", "a"), template("t"), pod("p", of_template="t"), pod("q", of_template="t")
    )
    assert devices(outcome(plan, "p")) == ["a"]
    refused = outcome(plan, "q")
    assert refused.verdict is Verdict.DOES_NOT_FIT
    assert refused.message == f"0/1 nodes are available: 1 cannot allocate all claims. {NOT_HELPFUL}"


def test_higher_priority_goes_first() -> None:
    important = pod("q", of_template="t", priorityClassName="high")
    high = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 10}
    plan = planned(high, node("n1"), gpu_class(), gpus("n1", "a"), template("t"), pod("p", of_template="t"), important)
    assert [each.pod.name for each in plan.prediction.outcomes] == ["q", "p"]
    assert outcome(plan, "p").verdict is Verdict.DOES_NOT_FIT


def test_a_shared_claim_leads_the_second_pod_to_its_node() -> None:
    plan = planned(
        node("n1", cpu="1"), node("n2"), gpu_class(), gpus("n2", "a"), claim("c"), pod("p", "c"), pod("q", "c")
    )
    first, second = outcome(plan, "p"), outcome(plan, "q")
    assert first.placement is not None
    assert second.placement is not None
    assert (first.placement.node, second.placement.node) == ("n2", "n2")
    assert second.placement.allocations == {}
    (stored,) = [each for each in plan.prediction.claims.values() if each.metadata.name == "c"]
    assert [consumer.name for consumer in stored.status.reservedFor or ()] == ["p", "q"]


def test_cpu_is_used_up_too() -> None:
    plan = planned(node("n1", cpu="3"), pod("p", cpu="2"), pod("q", cpu="2"))
    assert outcome(plan, "p").verdict is Verdict.PLACED
    assert outcome(plan, "q").message == (
        "0/1 nodes are available: 1 Insufficient cpu. "
        "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."
    )


def test_a_pod_whose_claim_is_not_there_waits() -> None:
    waiting = outcome(planned(node("n1"), pod("p", "c")), "p")
    assert waiting.verdict is Verdict.WAITING
    assert waiting.waiting_for == 'could not find ResourceClaim "default/c"'


def test_an_unknown_class_is_named() -> None:
    refused = outcome(planned(node("n1"), claim("c"), pod("p", "c")), "p")
    assert refused.message == (f"0/1 nodes are available: request r: device class gpu does not exist. {NOT_HELPFUL}")


def test_no_nodes_at_all() -> None:
    assert (
        outcome(planned(gpu_class(), claim("c"), pod("p", "c")), "p").message == "no nodes available to schedule pods"
    )


def test_an_error_on_one_node_ends_the_attempt_on_all() -> None:
    risky: dict[str, Any] = gpu_class()
    risky["spec"]["selectors"] = [{"cel": {"expression": 'device.attributes["gpu.example.com"].mode == "x"'}}]
    good: Any = {"name": "b", "attributes": {"mode": {"string": "x"}}}
    plan = planned(node("n1"), node("n2"), risky, gpus("n1", "a"), gpus("n2", good), claim("c"), pod("p", "c"))
    refused = outcome(plan, "p")
    assert refused.aborted is not None
    assert refused.message.startswith(
        'running "DynamicResources" filter plugin: class gpu: selector #0 on device gpu.example.com/n1/a'
    )


def test_binding_conditions_make_a_pod_wait_with_its_devices() -> None:
    bound: Any = {
        "name": "a",
        "bindingConditions": ["x.example.com/ok"],
        "bindingFailureConditions": ["x.example.com/no"],
    }
    waiting = outcome(planned(node("n1"), gpu_class(), gpus("n1", bound), claim("c"), pod("p", "c")), "p")
    assert (waiting.verdict, devices(waiting)) == (Verdict.WAITING, ["a"])
    assert waiting.waiting_for == (
        "binding conditions are not true yet: x.example.com/ok of gpu.example.com/n1/a (for at most 10 minutes)"
    )


def test_slices_that_disagree_about_their_number_leave_the_pod_undecided() -> None:
    one, two = gpus("n1", "a"), gpus("n1", "b")
    two["metadata"]["name"] = "slice-n1-more"
    two["spec"]["pool"]["resourceSliceCount"] = 2
    for slices in ((one, two), (two, one)):
        open_ = outcome(planned(node("n1"), gpu_class(), *slices, claim("c"), pod("p", "c")), "p")
        assert open_.verdict is Verdict.UNDECIDED
        assert "slice-n1 says 1, slice-n1-more says 2" in open_.uncertain


def test_assumed_nodes_take_pods() -> None:
    plan = planned(gpu_class(), gpus("n1", "a"), claim("c"), pod("p", "c", cpu="1000"))
    assert plan.cluster.assumed_nodes == {"n1"}
    assert outcome(plan, "p").verdict is Verdict.PLACED


def test_the_257th_consumer_of_a_claim_is_refused() -> None:
    pods = [pod(f"p-{number:03}", "c", cpu="0") for number in range(257)]
    nodes = [node(name, cpu="8") for name in ("n1", "n2", "n3")]
    shared = gpus("n1", "a")
    shared["spec"].pop("nodeName")
    shared["spec"]["allNodes"] = True
    plan = planned(*nodes, gpu_class(), shared, claim("c"), *pods, settings=Settings(time_limit_seconds=1))
    assert plan.prediction.count(Verdict.PLACED) == 256
    assert "must have at most 256 items" in outcome(plan, "p-256").message
