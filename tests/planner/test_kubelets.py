"""Pods come to nodes whose machines are known. FEATURE: K1, K2, K3, K4, K5, K6, K7, P1"""

from collections.abc import Mapping
from typing import Any

from dractl.cluster.node_machine import NodeMachine
from dractl.finding import Finding
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.devices import HeldResources
from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Machine
from dractl.machine.state_files import CpuManagerState, StateFiles
from dractl.planner.plan import Plan
from dractl.solution.node_share import KubeletRefusal, KubeletStop, NodeShare, Pool
from dractl.solution.outcomes import PodOutcome, Verdict
from tests.kubelet.world import configured, device, grid
from tests.planner.world import claim, devices, gpu_class, gpus, node, outcome, planned, pod, template

SINGLE = configured("single-numa-node")
WHOLE_CORES = configured("none", options=["full-pcpus-only"], reserved="0,8")


def known(
    machine: Machine | None = None, configuration: KubeletConfiguration | None = SINGLE, **more: Any
) -> NodeMachine:
    return NodeMachine(machine or grid(2, 4), configuration, **more)


def fixed(
    name: str, cpu: str, *claims: str, on: str = "", uid: str = "", phase: str = "", **more: Any
) -> dict[str, Any]:
    """A Guaranteed pod; with `on` it names its node, with `phase` it is there."""
    made = pod(name, *claims, **more)
    amounts = {"cpu": cpu, "memory": "1Gi"}
    made["spec"]["containers"][0]["resources"] = {"requests": amounts, "limits": amounts}
    made["metadata"] |= {"uid": uid} if uid else {}
    made["spec"] |= {"nodeName": on} if on else {}
    return made | ({"status": {"phase": phase}} if phase else {})


def share(plan: Plan, name: str) -> NodeShare:
    found = outcome(plan, name).placement
    assert found is not None
    assert found.share is not None
    return found.share


def refusal(of: PodOutcome) -> KubeletRefusal:
    assert isinstance(of.refusal, KubeletRefusal), of
    return of.refusal


def told(plan: Plan, rule: str) -> list[Finding]:
    return [finding for finding in plan.findings if finding.rule == rule]


# --- let in and refused ----------------------------------------------------------------------------------------------


def test_what_a_pod_gets() -> None:
    plan = planned(node("n1", "15"), fixed("p", "4"), machines={"n1": known()})
    assert str(share(plan, "p").cpus) == "1-2,9-10"
    assert str(share(plan, "p").numa) == "0"
    assert share(plan, "p").containers[0].pool is Pool.OWN


def test_a_pod_of_the_shared_pool_has_nothing_of_its_own() -> None:
    plan = planned(node("n1"), pod("p"), machines={"n1": known()})
    assert share(plan, "p").cpus == CpuSet()
    assert share(plan, "p").containers[0].pool is Pool.NODE


def test_nothing_is_told_where_no_machine_is_known() -> None:
    found = outcome(planned(node("n1"), fixed("p", "2")), "p").placement
    assert found is not None
    assert found.share is None


def test_numa_does_not_matter_to_the_scheduler() -> None:
    plan = planned(node("n1", "15"), fixed("a", "5"), fixed("b", "5"), fixed("c", "5"), machines={"n1": known()})
    assert [each.verdict for each in plan.prediction.outcomes] == [Verdict.PLACED, Verdict.PLACED, Verdict.DOES_NOT_FIT]
    assert refusal(outcome(plan, "c")) == KubeletRefusal(
        "n1", "TopologyAffinityError", "Resources cannot be allocated with Topology locality"
    )
    assert outcome(plan, "c").message == "Pod was rejected: Resources cannot be allocated with Topology locality"


def test_a_refused_pod_was_bound_and_has_failed() -> None:
    plan = planned(node("n1"), fixed("p", "3"), machines={"n1": known(configuration=WHOLE_CORES)})
    [failed] = plan.prediction.pods.values()
    assert (failed.spec.nodeName, failed.status.phase) == ("n1", "Failed")
    assert failed.status.reason == refusal(outcome(plan, "p")).reason == "SMTAlignmentError"


def test_what_a_refused_pod_held_is_free_for_the_next() -> None:
    world = [node("n1", "4"), gpu_class(), gpus("n1", "a"), template("own")]
    plan = planned(
        *world,
        fixed("bad", "3", of_template="own"),
        fixed("good", "4", of_template="own"),
        machines={"n1": known(configuration=WHOLE_CORES)},
    )
    assert refusal(outcome(plan, "bad")).reason == "SMTAlignmentError"
    assert devices(outcome(plan, "good")) == ["a"]
    assert "default/bad failed before" in outcome(plan, "good").uncertain


def test_a_claim_that_others_reserve_stays_allocated() -> None:
    plan = planned(
        node("n1"),
        gpu_class(),
        gpus("n1", "a"),
        claim("shared"),
        fixed("first", "2", "shared"),
        fixed("bad", "3", "shared"),
        fixed("last", "2", "shared"),
        machines={"n1": known(configuration=WHOLE_CORES)},
    )
    assert [each.verdict for each in plan.prediction.outcomes] == [Verdict.PLACED, Verdict.DOES_NOT_FIT, Verdict.PLACED]
    [held] = plan.prediction.claims.values()
    assert [user.name for user in held.status.reservedFor or ()] == ["first", "last"]


def test_what_the_failure_does_not_change_is_certain() -> None:
    machines = {"n1": known(configuration=WHOLE_CORES)}
    plan = planned(node("n1"), fixed("bad", "3"), fixed("good", "2"), machines=machines)
    assert outcome(plan, "good").uncertain == ""


def test_a_pod_is_decided_again_when_a_failed_one_makes_room() -> None:
    plan = planned(
        node("n1", "4"),
        fixed("bad", "3", priority=1),
        fixed("good", "2"),
        machines={"n1": known(configuration=WHOLE_CORES)},
    )
    assert outcome(plan, "good").verdict is Verdict.PLACED


# --- nodes with the same score ---------------------------------------------------------------------------------------


def test_undecided_where_only_some_of_the_equal_nodes_let_the_pod_in() -> None:
    machines = {"n1": known(configuration=WHOLE_CORES), "n2": known(configuration=configured("none"))}
    found = outcome(planned(node("n1"), node("n2"), fixed("p", "3"), machines=machines), "p")
    assert (found.verdict, found.placement) == (Verdict.UNDECIDED, None)
    assert "on n1 the kubelet refuses it (SMTAlignmentError); on n2 it may run" in found.uncertain


def test_refused_where_all_equal_nodes_refuse() -> None:
    machines = dict.fromkeys(("n1", "n2"), known(configuration=WHOLE_CORES))
    assert outcome(planned(node("n1"), node("n2"), fixed("p", "3"), machines=machines), "p").refusal is not None


# --- who is there already --------------------------------------------------------------------------------------------


def state_of(entries: Mapping[str, str], default: str) -> StateFiles:
    files = {uid: {"c": CpuSet.parse(cpus)} for uid, cpus in entries.items()}
    return StateFiles(CpuManagerState("static", CpuSet.parse(default), files))


def test_running_pods_keep_what_the_state_file_says() -> None:
    states = state_of({"old": "4-5,12-13"}, "0-3,6-11,14-15")
    plan = planned(
        node("n1", "15"),
        fixed("running", "4", on="n1", uid="old", phase="Running"),
        fixed("p", "6"),
        machines={"n1": known(states=states)},
    )
    assert str(share(plan, "p").cpus) == "1-3,9-11"
    assert not told(plan, "kubelet/no-state")
    assert [each.pod.name for each in plan.prediction.outcomes] == ["p"]


def test_without_a_state_file_it_is_worked_out_in_the_order_of_creation() -> None:
    pods = [fixed(name, "4", on="n1", phase="Running") for name in ("late", "early")]
    for each, created in zip(pods, ("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"), strict=True):
        each["metadata"]["creationTimestamp"] = created
    plan = planned(node("n1", "15"), *pods, fixed("p", "2"), machines={"n1": known(configuration=configured("none"))})
    after = plan.prediction.kubelets["n1"].state
    held = {name.metadata.name: str(after.cpus.pods[uid].containers["c"]) for uid, name in after.active.items()}
    assert held == {"early": "1-2,9-10", "late": "3-4,11-12", "p": "5,13"}
    [finding] = told(plan, "kubelet/no-state")
    assert "in the order of creation" in finding.message


def test_pods_of_the_state_file_count_where_the_input_has_none_of_the_node() -> None:
    states = state_of({"stranger": "1-3,9-11"}, "0,4-8,12-15")
    plan = planned(node("n1", "15"), fixed("p", "6"), machines={"n1": known(states=states)})
    assert str(share(plan, "p").numa) == "1"
    [finding] = told(plan, "kubelet/unknown-pods")
    assert "name 1 pod that the input lacks: they count as running" in finding.message


def test_leftovers_are_taken_back_where_the_input_has_the_nodes_pods() -> None:
    states = state_of({"gone": "1-3,9-11", "old": "4,12"}, "0,5-8,13-15")
    plan = planned(
        node("n1", "15"),
        fixed("running", "2", on="n1", uid="old", phase="Running"),
        fixed("p", "6"),
        machines={"n1": known(states=states)},
    )
    assert str(share(plan, "p").cpus) == "1-3,9-11"
    assert told(plan, "kubelet/leftovers")


def test_pod_resources_tell_what_running_pods_hold() -> None:
    dev = device("d0", 0)
    held = HeldResources("default", "running", "c", CpuSet.parse("1,9"), (), (dev,))
    plan = planned(
        node("n1", "15"),
        fixed("running", "2", on="n1", phase="Running"),
        fixed("p", "2"),
        machines={"n1": known(held=(held,), devices=(dev, device("d1", 1)))},
    )
    assert str(share(plan, "p").cpus) == "2,10"
    after = plan.prediction.kubelets["n1"].state
    assert after.devices.in_use() == {"example.com/dev": frozenset({"d0"})}


def test_pods_that_name_their_node_come_first() -> None:
    plan = planned(
        node("n1", "15"),
        fixed("p", "6"),
        fixed("bound", "6", on="n1"),
        fixed("other", "6", on="n1"),
        machines={"n1": known()},
    )
    assert [each.pod.name for each in plan.prediction.outcomes] == ["bound", "other", "p"]
    assert (str(share(plan, "bound").numa), str(share(plan, "other").numa)) == ("0", "1")
    assert outcome(plan, "p").rejections[0].node == "n1"


def test_a_pod_that_names_its_node_may_be_refused() -> None:
    plan = planned(node("n1"), fixed("p", "3", on="n1"), machines={"n1": known(configuration=WHOLE_CORES)})
    assert refusal(outcome(plan, "p")).reason == "SMTAlignmentError"
    assert plan.prediction.pods[outcome(plan, "p").pod].status.phase == "Failed"


def test_nobody_allocates_for_a_pod_that_names_its_node() -> None:
    world = [node("n1"), gpu_class(), gpus("n1", "a"), claim("c")]
    found = outcome(planned(*world, fixed("p", "2", "c", on="n1"), machines={"n1": known()}), "p")
    assert found.verdict is Verdict.WAITING
    assert found.waiting_for == "devices of claim c: nobody allocates for a pod that names its node"


# --- kubelets that do not run ----------------------------------------------------------------------------------------


def test_a_kubelet_that_does_not_start_takes_no_pod() -> None:
    broken = known(configuration=configured("none", reserved="99"))
    plan = planned(node("n1"), node("n2"), fixed("p", "2"), machines={"n1": broken, "n2": known()})
    found = outcome(plan, "p").placement
    assert found is not None
    assert found.node == "n2"
    [finding] = told(plan, "kubelet/does-not-start")
    assert finding.subject == "node n1"
    assert "is not a subset of online-cpus" in finding.message


def test_a_pod_that_tolerates_it_waits_there() -> None:
    broken = known(configuration=configured("none", reserved="99"))
    everything = [{"operator": "Exists"}]
    found = outcome(planned(node("n1"), fixed("p", "2", tolerations=everything), machines={"n1": broken}), "p")
    assert (found.verdict, found.waiting_for) == (Verdict.WAITING, "the kubelet of n1, which does not start")


def test_a_kubelet_that_hangs_lets_nobody_in() -> None:
    """The rest of a request is dealt to NUMA nodes without whole cores for ever (kubelet.md §13)."""
    options = ["distribute-cpus-across-numa", "full-pcpus-only"]
    hanging = configured("none", options=options, reserved="0,4,8,12")
    machines = {"n1": known(grid(4, 4, sockets=2), hanging)}
    plan = planned(node("n1", "28"), fixed("p", "22"), fixed("q", "2"), machines=machines)
    stop = outcome(plan, "p").refusal
    assert isinstance(stop, KubeletStop)
    assert (stop.node, stop.how) == ("n1", "hang")
    assert outcome(plan, "q").verdict is Verdict.WAITING
    assert outcome(plan, "q").waiting_for == "the kubelet of n1, which does not answer since default/p came"
    assert plan.optimum is not None
    assert {each.pod.name: each.verdict for each in plan.optimum.answer.outcomes} == {
        "p": Verdict.DOES_NOT_FIT,
        "q": Verdict.PLACED,
    }


def test_what_dumps_lack_is_told() -> None:
    without_memory = Machine(tuple(type(each)(each.node_id, each.cores) for each in grid(2, 4).nodes))
    plan = planned(
        node("n1"), fixed("p", "2"), machines={"n1": known(without_memory, configured("none", memory={0: 1}))}
    )
    [finding] = told(plan, "kubelet/missing-facts")
    assert "memory of NUMA node 0, 1" in finding.message
    assert outcome(plan, "p").verdict is Verdict.PLACED


# --- nodes without Node objects --------------------------------------------------------------------------------------


def test_nodes_that_only_dumps_describe() -> None:
    plan = planned(fixed("p", "2"), fixed("q", "14"), machines={"w1": known()})
    assert plan.cluster.nodes["w1"].status.allocatable is not None
    assert str(plan.cluster.nodes["w1"].status.allocatable["cpu"]) == "15"
    assert outcome(plan, "p").verdict is Verdict.PLACED
    assert outcome(plan, "q").rejections[0].node == "w1"
    assert told(plan, "topology/assumed-nodes")


def test_devices_of_plugins_count_where_the_node_does_not_name_them() -> None:
    offered = (device("d0", 0), device("d1", 1), device("d2", 1, healthy=False))
    asking = fixed("p", "2")
    amounts = {"cpu": "2", "memory": "1Gi", "example.com/dev": "2"}
    asking["spec"]["containers"][0]["resources"] = {"requests": amounts, "limits": amounts}
    plan = planned(node("n1"), asking, machines={"n1": known(configuration=configured("best-effort"), devices=offered)})
    assert [each.device for each in share(plan, "p").devices] == ["d0", "d1"]
    assert told(plan, "topology/unreported-devices")


# --- afterwards ------------------------------------------------------------------------------------------------------


def test_nothing_is_said_where_all_is_well() -> None:
    plan = planned(node("n1", "15"), fixed("p", "4"), machines={"n1": known()})
    assert [finding.rule for finding in plan.findings if finding.rule.startswith("kubelet/")] == []


def test_equal_remarks_are_one_finding() -> None:
    machines = dict.fromkeys(("n1", "n2", "n3"), known(configuration=None))
    [finding] = told(planned(*map(node, machines), pod("p"), machines=machines), "kubelet/no-configuration")
    assert finding.subject == "node n1, n2, n3"
