"""QoS classes, and what a pod asks of the managers (kubelet.md §3, §6.4, §7)."""

# FEATURE: K1

from typing import Any

import pytest

from dractl.kubelet.demand import PodDemand, PodLevelGates, QosClass, demand_of
from tests.kubelet.world import GI, MI, container, pod

BOTH = PodLevelGates(resources=True, managers=True)


def of(*containers: Any, init: Any = (), level: Any = None, gates: PodLevelGates = BOTH) -> PodDemand:
    return demand_of(pod("p", *containers, init=init, level=level), gates, frozenset({"example.com/dev"}))


def partly(requests: dict[str, str], limits: dict[str, str]) -> Any:
    return {"name": "c", "resources": {"requests": requests, "limits": limits}}


@pytest.mark.parametrize(
    ("one", "qos"),
    [
        (container("c"), QosClass.BEST_EFFORT),
        (container("c", "1"), QosClass.GUARANTEED),
        (container("c", "100m"), QosClass.GUARANTEED),
        (partly({}, {"cpu": "1"}), QosClass.BURSTABLE),
        (partly({"cpu": "1", "memory": "1Gi"}, {}), QosClass.BURSTABLE),
        (partly({"cpu": "1"}, {"cpu": "1", "memory": "1Gi"}), QosClass.GUARANTEED),
        (partly({"cpu": "500m"}, {"cpu": "1", "memory": "1Gi"}), QosClass.BURSTABLE),
        (partly({}, {"cpu": "0", "memory": "0"}), QosClass.BEST_EFFORT),
        (partly({}, {"hugepages-2Mi": "2Mi"}), QosClass.BEST_EFFORT),
    ],
)
def test_the_class_follows_cpu_and_memory(one: Any, qos: QosClass) -> None:
    assert of(one).qos is qos


def test_one_container_without_limits_spoils_the_class() -> None:
    assert of(container("a", "1"), container("b")).qos is QosClass.BURSTABLE
    assert of(container("a", "1"), init=[container("i")]).qos is QosClass.BURSTABLE


@pytest.mark.parametrize(
    ("cpu", "exclusive"),
    [("2", 2), ("2000m", 2), ("2.0", 2), ("2e0", 2), ("1500m", 0), ("100m", 0), ("2000000u", 2), ("2000001u", 0)],
)
def test_whole_cpus_are_exclusive(cpu: str, exclusive: int) -> None:
    demand = of(container("c", cpu))
    assert demand.containers[0].cpus == demand.cpus == exclusive


def test_only_guaranteed_pods_have_cpus_and_memory_of_their_own() -> None:
    demand = of(container("a", "2"), container("b"))
    assert [one.cpus for one in demand.containers] == [0, 0]
    assert demand.memory == ()


def test_sidecars_stay_and_other_init_containers_run_one_by_one() -> None:
    demand = of(
        container("a", "2", "1Gi"),
        container("b", "1", "1Gi"),
        init=[
            container("i", "4", "2Gi"),
            container("s", "1", "512Mi", sidecar=True),
            container("j", "5", "5Gi"),
            container("k", "1500m", "64Mi"),
        ],
    )
    assert demand.cpus == 6, "the second init container beside the sidecar"
    assert demand.memory == (("memory", 5 * GI + 512 * MI),)
    assert [one.role for one in demand.containers] == ["init", "sidecar", "init", "init", "app", "app"]


def test_what_only_init_containers_ask_for_gives_no_hint_for_the_pod() -> None:
    demand = of(container("a", "1"), init=[container("i", "1", more={"hugepages-1Gi": "1Gi"})])
    assert [name for name, _ in demand.memory] == ["memory"]


def test_devices_are_counted_from_limits() -> None:
    demand = of(
        container("a", "1", more={"example.com/dev": "2", "example.com/unknown": "1"}),
        init=[container("i", "1", more={"example.com/dev": "3"})],
    )
    assert demand.devices == (("example.com/dev", 3),)
    assert demand.containers[1].devices == (("example.com/dev", 2),)


# FEATURE: K7


def test_a_pod_with_pod_level_resources_has_the_class_of_the_pod_level() -> None:
    demand = of(container("a"), level={"cpu": "2", "memory": "1Gi"})
    assert (demand.qos, demand.pooled, demand.cpus) == (QosClass.GUARANTEED, True, 2)
    assert demand.memory == (("memory", GI),)


def test_in_a_pool_only_containers_that_are_guaranteed_by_themselves_are_exclusive() -> None:
    half = {"name": "b", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}
    demand = of(container("a", "1"), half, container("d", "1500m"), level={"cpu": "3500m", "memory": "3Gi"})
    assert [one.cpus for one in demand.containers] == [1, 0, 0]
    assert [bool(one.memory) for one in demand.containers] == [True, False, True]


@pytest.mark.parametrize("gates", [PodLevelGates(managers=False), PodLevelGates(resources=False, managers=True)])
def test_without_both_gates_such_a_pod_gets_nothing_of_its_own(gates: PodLevelGates) -> None:
    demand = of(container("a", "1"), level={"cpu": "2", "memory": "1Gi"}, gates=gates)
    assert demand.pod_level
    assert (demand.pooled, demand.cpus, demand.memory, demand.containers[0].cpus) == (False, 0, (), 0)


def test_a_fraction_of_the_pod_level_is_no_budget() -> None:
    assert of(container("a"), level={"cpu": "2500m", "memory": "1Gi"}).cpus == 0


def test_pod_level_resources_that_the_managers_do_not_know_do_not_count() -> None:
    assert not of({"name": "a"}, level={"ephemeral-storage": "1Gi"}).pod_level
