"""The best that can be done where kubelets have a say, against all orders of all placements. FEATURE: K5, K6, P2"""

import dataclasses
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any

import pytest
from msgspec import structs

from dractl.kubelet import Admission, KubeletState, admit
from dractl.planner.node_start import StartedNode
from dractl.planner.plan import Optimum, Plan
from dractl.planner.settings import Settings
from dractl.solution.outcomes import Verdict
from tests.kubelet.world import GI, configured, device, grid
from tests.planner.test_kubelets import fixed, known, share
from tests.planner.world import claim, gpu_class, gpus, node, planned

ASKED = Settings(wants_optimum=True)


def optimum(plan: Plan) -> Optimum:
    assert plan.optimum is not None
    return plan.optimum


def placed_on(plan: Plan) -> dict[str, str]:
    placements = (each.placement for each in optimum(plan).answer.outcomes)
    return {each.pod.name: each.node for each in placements if each is not None}


def test_one_numa_node_each() -> None:
    """Two sockets of seven and eight CPUs: 4 and 4 and 3 and 3 fit only in pairs that the queue does not make."""
    machines = {"n1": known(grid(2, 8, 1), configured("single-numa-node"))}
    pods = [fixed(name, cpu) for name, cpu in (("a", "3"), ("b", "3"), ("c", "5"), ("d", "4"))]
    plan = planned(node("n1", "15"), *pods, machines=machines)
    assert plan.prediction.count(Verdict.PLACED) == 3
    assert optimum(plan).is_proven
    assert optimum(plan).answer.count(Verdict.PLACED) == 4
    assert optimum(plan).orders["n1"] != tuple(each.pod for each in plan.prediction.outcomes)


def test_another_node_lets_the_pod_in() -> None:
    machines = {
        "n1": known(configuration=configured("none", options=["full-pcpus-only"], reserved="0,8")),
        "n2": known(configuration=configured("none")),
    }
    plan = planned(node("n1", "14"), node("n2", "7"), fixed("p", "3"), machines=machines)
    assert plan.prediction.outcomes[0].refusal is not None
    assert (placed_on(plan), optimum(plan).is_proven) == ({"p": "n2"}, True)


def test_devices_and_cpus_together() -> None:
    """The device keeps the pod on n1, where only one of two pods can have whole cores of one socket."""
    machines = dict.fromkeys(("n1", "n2"), known(grid(2, 2), configured("single-numa-node")))
    world = [node("n1", "7"), node("n2", "7"), gpu_class(), gpus("n1", "a"), claim("c")]
    plan = planned(*world, fixed("x", "4"), fixed("y", "4", "c"), machines=machines, settings=ASKED)
    assert placed_on(plan) == {"x": "n2", "y": "n1"}


def test_what_pods_have_in_the_optimum() -> None:
    machines = {"n1": known()}
    plan = planned(node("n1", "15"), fixed("p", "4"), machines=machines, settings=ASKED)
    found = optimum(plan).answer.outcomes[0].placement
    assert found is not None
    assert found.share == share(plan, "p")
    assert optimum(plan).orders == {}
    assert optimum(plan).answer.kubelets["n1"].state.active.keys() == plan.prediction.kubelets["n1"].state.active.keys()


def test_pods_that_name_their_node_are_there_first() -> None:
    machines = {"n1": known(grid(2, 4, 1), configured("single-numa-node"))}
    plan = planned(node("n1", "7"), fixed("p", "4"), fixed("bound", "2", on="n1"), fixed("q", "4"), machines=machines)
    assert {each.pod.name for each in optimum(plan).answer.outcomes} == {"p", "bound", "q"}
    assert optimum(plan).bound == optimum(plan).answer.count(Verdict.PLACED) == 2


def two_containers(name: str, first: str, second: str, **more: str) -> dict[str, Any]:
    """A Guaranteed pod of two containers with so many CPUs each; the second one has `more` besides."""
    made = fixed(name, first)
    [one] = made["spec"]["containers"]
    amounts = {"cpu": second, "memory": "1Gi", **more}
    made["spec"]["containers"].append({**one, "name": "d", "resources": {"requests": amounts, "limits": amounts}})
    return made


def test_a_pod_that_is_refused_alone_may_run_beside_another() -> None:
    """Alone, its first container takes the NUMA node of the device that the second one needs; beside `x`, the other."""
    offered = (device("d0", 0), device("d1", 0))
    machines = {"n1": known(grid(2, 8, 1), configured("single-numa-node"), devices=offered)}
    picky = two_containers("picky", "5", "3", **{"example.com/dev": "1"})
    alone = planned(node("n1", "15"), picky, machines=machines)
    assert (optimum(alone).answer.count(Verdict.PLACED), optimum(alone).is_proven) == (0, True)
    plan = planned(node("n1", "15"), picky, fixed("x", "3"), machines=machines)
    assert (optimum(plan).answer.count(Verdict.PLACED), optimum(plan).is_proven) == (2, True)
    assert [ref.name for ref in optimum(plan).orders["n1"]] == ["x", "picky"]


# --- against brute force ---------------------------------------------------------------------------------------------

POLICIES = ("none", "best-effort", "restricted", "single-numa-node")


def small_world(seed: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """One or two nodes with a few cores, and up to four pods of one or two containers."""
    dice = random.Random(seed)
    threads = dice.choice((1, 2))
    machine = grid(2, dice.choice((2, 3)), threads)
    if dice.random() < 0.3:
        machine = dataclasses.replace(
            machine, nodes=(machine.nodes[0], structs.replace(machine.nodes[1], memory=3 * GI))
        )
    options = ["full-pcpus-only"] if threads == 2 and dice.random() < 0.5 else []
    memory = {0: 512} if dice.random() < 0.6 else None
    settings = configured(
        dice.choice(POLICIES), scope=dice.choice(("container", "pod")), options=options, reserved="0", memory=memory
    )
    names = ["n1", "n2"][: dice.choice((1, 1, 2))]
    count = len(machine.cpus) - 1
    pods = []
    for number in range(dice.choice((2, 3, 4)) if len(names) == 1 else 3):
        made = fixed(f"p{number}", str(dice.randint(1, 4)))
        amounts = {"cpu": str(dice.randint(1, 4)), "memory": f"{dice.randint(1, 9)}Gi"}
        made["spec"]["containers"][0]["resources"] = {"requests": amounts, "limits": amounts}
        if dice.random() < 0.4:
            made["spec"]["containers"] += two_containers("", "1", "1", memory=f"{dice.randint(1, 9)}Gi")["spec"][
                "containers"
            ][1:]
        pods.append(made)
    nodes = [node(name, str(count)) for name in names]
    for each in nodes:
        each["status"]["allocatable"]["memory"] = "15Gi"
    return [*nodes, *pods], dict.fromkeys(names, known(machine, settings))


def most(plan: Plan, started: Mapping[str, StartedNode]) -> int:
    """Over all ways to spread the pods over the nodes, and all orders on each."""
    names = list(started)
    pods = {ref: plan.cluster.pods[ref] for ref in plan.cluster.pods}
    best = 0
    for choice in product([None, *names], repeat=len(pods)):
        by_node = {name: [pod for pod, at in zip(pods.values(), choice, strict=True) if at == name] for name in names}
        number = sum(map(len, by_node.values()))
        if number > best and all(_fits(plan, name, by_node[name]) for name in names):
            states = [(started[name].kubelet, by_node[name]) for name in names]
            if all(isinstance(state, KubeletState) and _let_in(state, some) for state, some in states):
                best = number
    return best


def _fits(plan: Plan, name: str, pods: Sequence[Any]) -> bool:
    allocatable = plan.cluster.nodes[name].status.allocatable or {}
    for resource in ("cpu", "memory"):
        asked = sum(each.resources.requests[resource].nano for pod in pods for each in pod.spec.containers)
        if asked > allocatable[resource].nano:
            return False
    return True


def _let_in(state: KubeletState, pods: Sequence[Any]) -> bool:
    return any(_all_in(state, order) for order in permutations(pods))


def _all_in(state: KubeletState, order: Sequence[Any]) -> bool:
    for pod in order:
        answer = admit(state, pod)
        if not isinstance(answer, Admission) or not answer.admitted:
            return False
        state = answer.state
    return True


@pytest.mark.parametrize("seed", range(80))
def test_as_many_as_brute_force_places(seed: int) -> None:
    objects, machines = small_world(seed)
    plan = planned(*objects, machines=machines, settings=ASKED)
    found = optimum(plan)
    assert found.is_proven
    assert not found.rests_on_refusals
    assert found.answer.count(Verdict.PLACED) == found.bound == most(plan, plan.machines)
    assert plan.prediction.count(Verdict.PLACED) <= found.bound
    for name, order in _orders(found):
        state = plan.machines[name].kubelet
        assert isinstance(state, KubeletState)
        assert _all_in(state, [plan.cluster.pods[ref] for ref in order])


def _orders(found: Optimum) -> Iterator[tuple[str, list[Any]]]:
    """The orders in which the answer's pods come, node by node."""
    on_nodes: dict[str, list[Any]] = {}
    for outcome in found.answer.outcomes:
        if outcome.placement is not None:
            on_nodes.setdefault(outcome.placement.node, []).append(outcome.pod)
    for name, queued in on_nodes.items():
        yield name, list(found.orders.get(name, queued))
