"""`--prefer aligned`: devices on the NUMA node of their pod's CPUs, against all that can be done. FEATURE: K9, P2"""

import random
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import Any, cast

import pytest
from msgspec.structs import replace

from dractl.api.identities import ClaimRef
from dractl.cluster.requests import pod_requests
from dractl.kubelet import Admission, KubeletState, admit
from dractl.planner.plan import Optimum, Plan
from dractl.planner.settings import Preference, Settings
from dractl.solution.outcomes import Verdict
from tests.kubelet.world import configured, device, grid
from tests.planner.test_kubelets import fixed, known
from tests.planner.test_optimum_on_machines import optimum, two_containers
from tests.planner.world import claim, gpu_class, gpus, node, planned

ALIGNED = Settings(prefers=Preference.ALIGNED)
NUMA = "resource.kubernetes.io/numaNode"
SINGLE = configured("single-numa-node")


def gpu(name: str, numa: int | None) -> str:
    """A device that tells where it sits, unless `numa` is None."""
    return cast("str", {"name": name, "attributes": {NUMA: {"int": numa}} if numa is not None else {}})


def taken(found: Optimum | Plan) -> dict[str, list[str]]:
    """The devices of each placed pod, behind its node."""
    answer = found.answer if isinstance(found, Optimum) else found.prediction
    placements = [outcome.placement for outcome in answer.outcomes if outcome.placement is not None]
    return {
        each.pod.name: [each.node, *(r.device for a in each.allocations.values() for r in a.devices.results or ())]
        for each in placements
    }


def test_devices_follow_the_cpus() -> None:
    """CPUs of the second pod are on NUMA node 1; the first free device is on node 0."""
    world = [node("n1", "15"), gpu_class(), gpus("n1", gpu("a", 0), gpu("b", 0), gpu("c", 1)), claim("c1"), claim("c2")]
    pods = [fixed("p", "5", "c1"), fixed("q", "5", "c2")]
    plan = planned(*world, *pods, machines={"n1": known(grid(2, 8, 1), SINGLE)}, settings=ALIGNED)
    assert plan.prediction.count(Verdict.PLACED) == 2
    assert (plan.prediction.aligned, optimum(plan).answer.aligned) == (1, 2)
    assert taken(optimum(plan)) == {"p": ["n1", "a"], "q": ["n1", "c"]}
    assert optimum(plan).is_aligned_proven


def test_without_the_wish_no_model_is_built() -> None:
    world = [node("n1", "15"), gpu_class(), gpus("n1", gpu("a", 1)), claim("c1"), fixed("p", "2", "c1")]
    machines = {"n1": known(grid(2, 8, 1), SINGLE)}
    assert planned(*world, machines=machines).optimum is None
    assert planned(*world, machines=machines, settings=ALIGNED).optimum is not None


def test_another_order_brings_the_cpus_to_the_device() -> None:
    """The only device is on node 1, where CPUs are taken when node 0 has too few left."""
    world = [node("n1", "15"), gpu_class(), gpus("n1", gpu("a", 1)), claim("c1")]
    pods = [fixed("p", "5", "c1"), fixed("q", "5")]
    plan = planned(*world, *pods, machines={"n1": known(grid(2, 8, 1), SINGLE)}, settings=ALIGNED)
    assert (plan.prediction.aligned, optimum(plan).answer.aligned) == (0, 1)
    assert [ref.name for ref in optimum(plan).orders["n1"]] == ["q", "p"]


def test_another_node() -> None:
    world = [gpu_class(), gpus("n1", gpu("a", 1)), gpus("n2", gpu("a", 0)), claim("c1"), fixed("p", "5", "c1")]
    machines = dict.fromkeys(("n1", "n2"), known(grid(2, 8, 1), SINGLE))
    plan = planned(node("n1", "15"), node("n2", "15"), *world, machines=machines, settings=ALIGNED)
    assert taken(optimum(plan)) == {"p": ["n2", "a"]}


def test_no_pod_is_given_up() -> None:
    """Alone, either pod would be aligned; together one of them is crossed, and both are placed."""
    world = [node("n1", "15"), gpu_class(), gpus("n1", gpu("a", 0), gpu("b", 0)), claim("c1"), claim("c2")]
    pods = [fixed("p", "5", "c1"), fixed("q", "5", "c2")]
    plan = planned(*world, *pods, machines={"n1": known(grid(2, 8, 1), SINGLE)}, settings=ALIGNED)
    found = optimum(plan)
    assert (found.answer.count(Verdict.PLACED), found.answer.aligned) == (2, 1)
    assert (found.is_proven, found.is_aligned_proven) == (True, True)


def test_priority_decides_who_is_aligned() -> None:
    world = [node("n1", "15"), gpu_class(), gpus("n1", gpu("a", 0), gpu("b", 0)), claim("c1"), claim("c2")]
    pods = [fixed("p", "5", "c1"), fixed("q", "5", "c2", priority=7)]
    plan = planned(*world, *pods, machines={"n1": known(grid(2, 8, 1), SINGLE)}, settings=ALIGNED)
    aligned = {ref.name for ref, each in optimum(plan).answer.alignments.items() if each.is_aligned}
    assert aligned == {"q"}


def test_devices_that_are_held_already_count() -> None:
    """The claim of the pod has been allocated: only the order can bring the CPUs to the device."""
    held = claim("c1")
    held["status"] = {
        "allocation": {
            "devices": {"results": [{"request": "r", "driver": "gpu.example.com", "pool": "n1", "device": "a"}]},
            "nodeSelector": {
                "nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]
            },
        },
        "reservedFor": [{"resource": "pods", "name": "p", "uid": "p-uid"}],
    }
    pods = [fixed("p", "5", "c1", uid="p-uid"), fixed("q", "5")]
    world = [node("n1", "15"), gpu_class(), gpus("n1", gpu("a", 1)), held, *pods]
    plan = planned(*world, machines={"n1": known(grid(2, 8, 1), SINGLE)}, settings=ALIGNED)
    assert (plan.prediction.aligned, optimum(plan).answer.aligned) == (0, 1)


def test_devices_of_plugins_count() -> None:
    """The kubelet's own devices follow its policy; under `none` only the order helps."""
    offered = (device("d0", 1),)
    asking = fixed("p", "5")
    amounts = asking["spec"]["containers"][0]["resources"]["requests"] | {"example.com/dev": "1"}
    asking["spec"]["containers"][0]["resources"] = {"requests": amounts, "limits": amounts}
    machines = {"n1": known(grid(2, 8, 1), configured("none"), devices=offered)}
    plan = planned(node("n1", "15"), asking, fixed("q", "7"), machines=machines, settings=ALIGNED)
    assert (plan.prediction.aligned, optimum(plan).answer.aligned) == (0, 1)


# --- against brute force ---------------------------------------------------------------------------------------------

World = tuple[list[dict[str, Any]], dict[str, Any]]


def small_world(seed: int) -> World:
    """One or two nodes, a few devices that mostly tell where they sit, and two or three pods with claims or without."""
    dice = random.Random(seed)
    machine = grid(2, dice.choice((4, 6)), 1)
    policy = dice.choice(("none", "best-effort", "restricted", "single-numa-node"))
    memory = {0: 512} if dice.random() < 0.3 else None
    settings = configured(policy, scope=dice.choice(("container", "pod")), reserved="0", memory=memory)
    names = ["n1", "n2"][: dice.choice((1, 1, 2))]
    objects = [node(name, str(len(machine.cpus) - 1)) for name in names] + [gpu_class()]
    for each in objects[: len(names)]:
        each["status"]["allocatable"]["memory"] = "15Gi"
    for name in names:
        where = [dice.choice((0, 0, 1, 1, None)) for _ in range(dice.choice((2, 3)))]
        objects.append(gpus(name, *(gpu(f"d{number}", numa) for number, numa in enumerate(where))))
    for number in range(dice.choice((2, 3))):
        claims = [f"c{number}"] if dice.random() < 0.8 else []
        objects += [claim(each, dice.choice((1, 1, 2))) for each in claims]
        amount = str(dice.randint(1, 5))
        if dice.random() < 0.3:
            made = two_containers(f"p{number}", amount, str(dice.randint(1, 3)))
            made["spec"]["resourceClaims"] = [{"name": each, "resourceClaimName": each} for each in claims]
        else:
            made = fixed(f"p{number}", amount, *claims)
        objects.append(made)
    return objects, dict.fromkeys(names, known(machine, settings))


def best(plan: Plan) -> tuple[int, int]:
    """How many pods can be placed, and how many of them aligned: all nodes, all orders, all devices."""
    pods = list(plan.cluster.pods)
    most = (0, 0)
    for nodes in product([None, *plan.machines], repeat=len(pods)):
        found = (0, 0)
        for name in plan.machines:
            here = [pod for pod, at in zip(pods, nodes, strict=True) if at == name]
            on_node = max(
                (_result(plan, name, order) for order in permutations(here)), key=lambda each: each or (-1, 0)
            )
            if on_node is None:
                break
            found = (found[0] + on_node[0], found[1] + on_node[1])
        else:
            most = max(most, found)
    return most


def _result(plan: Plan, name: str, order: Sequence[Any]) -> tuple[int, int] | None:
    """What becomes of pods in this order: all placed, so many of them aligned at best; None if that cannot be."""
    allocatable = plan.cluster.nodes[name].status.allocatable or {}
    state, shares = plan.machines[name].kubelet, []
    assert isinstance(state, KubeletState)
    for resource in ("cpu", "memory"):
        if sum(pod_requests(plan.cluster.pods[ref])[resource] for ref in order) > allocatable[resource].nano:
            return None
    for ref in order:
        answer = admit(state, plan.cluster.pods[ref])
        if not isinstance(answer, Admission) or not answer.admitted:
            return None
        state = answer.state
        own = answer.state.kubelet.machine.numa_nodes_of(_cpus(answer))
        shares.append(own)
    wanted = [_count(plan, ref) for ref in order]
    aligned = (
        sum(_is_aligned(own, numas) for own, numas in zip(shares, chosen, strict=True))
        for chosen in _handed_out(_devices(plan, name), wanted)
    )
    most = max(aligned, default=None)
    return (len(order), most) if most is not None else None


def _cpus(answer: Admission) -> Any:
    cpus = answer.pod_cpus
    for grant in answer.containers.values():
        cpus |= grant.cpus
    return cpus


def _count(plan: Plan, ref: Any) -> int:
    entries = plan.cluster.pods[ref].spec.resourceClaims or ()
    claims = [plan.cluster.claims[ClaimRef(ref.namespace, entry.resourceClaimName or "")] for entry in entries]
    requests = [request for each in claims for request in each.spec.devices.requests or ()]
    return sum(request.exactly.count or 1 for request in requests if request.exactly is not None)


def _devices(plan: Plan, name: str) -> list[int | None]:
    slices = [each for each in plan.cluster.slices if each.spec.nodeName == name]
    found = [(each.attributes or {}).get(NUMA) for slice_ in slices for each in slice_.spec.devices or ()]
    return [attribute.int if attribute is not None else None for attribute in found]


def _handed_out(devices: list[int | None], wanted: list[int]) -> Iterator[list[list[int | None]]]:
    """All ways to give so many devices to each."""
    if not wanted:
        yield []
        return
    for chosen in permutations(range(len(devices)), wanted[0]):
        if list(chosen) == sorted(chosen):
            left = [each for number, each in enumerate(devices) if number not in chosen]
            mine = [devices[number] for number in chosen]
            yield from ([mine, *others] for others in _handed_out(left, wanted[1:]))


def _is_aligned(own: Any, devices: list[int | None]) -> bool:
    located = {each for each in devices if each is not None}
    return len(own) == 1 and bool(located) and located == set(own)


@pytest.mark.parametrize("seed", range(80))
def test_as_many_as_brute_force_aligns(seed: int) -> None:
    objects, machines = small_world(seed)
    plan = planned(*objects, machines=machines, settings=ALIGNED)
    found = optimum(plan)
    assert (found.is_proven, found.is_aligned_proven, found.rests_on_refusals) == (True, True, False)
    assert (found.answer.count(Verdict.PLACED), found.answer.aligned) == best(plan)


def test_the_wish_does_not_change_how_many_are_placed() -> None:
    for seed in range(40, 60):
        objects, machines = small_world(seed)
        plain = planned(*objects, machines=machines, settings=replace(ALIGNED, prefers=None, wants_optimum=True))
        wished = planned(*objects, machines=machines, settings=ALIGNED)
        assert optimum(plain).answer.count(Verdict.PLACED) == optimum(wished).answer.count(Verdict.PLACED)
