"""What a node would report: PodResources, metrics, quotas (kubelet.md §14)."""

# FEATURE: K8

from dractl.kubelet.figures import Figure, gauges, totals
from dractl.kubelet.quota import quotas_of
from dractl.kubelet.reports import allocatable_resources, pod_resources
from dractl.machine.idsets import NO_CPUS, NumaSet
from dractl.machine.state_files import MemoryBlock
from tests.kubelet.world import (
    GI,
    MANAGERS,
    admitted,
    answered,
    configured,
    container,
    device,
    grid,
    node,
    pod,
)

DEV = "example.com/dev"


def figure(name: str, **labels: str) -> Figure:
    return Figure(name, tuple(sorted(labels.items())))


def test_the_list_names_what_containers_have_for_themselves() -> None:
    state = node(grid(2, 4), configured(memory={0: 512}), [device("d0", 1), device("d1", 1)])
    init = [container("i", "1"), container("s", "1", sidecar=True)]
    first = admitted(state, pod("p", container("c", "1500m", more={DEV: "1"}), init=init))
    [listed] = pod_resources(first.state)
    assert [one.name for one in listed.containers] == ["s", "c"], "init containers that end are never listed"
    sidecar, app = listed.containers
    assert sidecar.cpus == first.containers["s"].cpus
    assert app.cpus == NO_CPUS
    assert app.memory == (MemoryBlock("memory", NumaSet((1,)), GI),)
    assert [one.device for one in app.devices] == ["d0"]
    assert (listed.cpus, listed.memory) == (NO_CPUS, ())


def test_a_pool_is_listed_with_the_pod_and_not_with_those_who_share_it() -> None:
    state = node(grid(2, 8), configured(scope="pod", memory={0: 512}, gates=MANAGERS))
    asked = pod("p", container("a", "2"), container("b"), level={"cpu": "4", "memory": "4Gi"})
    [listed] = pod_resources(admitted(state, asked).state)
    assert str(listed.cpus) == "1-2,17-18"
    assert [str(one.cpus) for one in listed.containers] == ["1,17", ""]
    assert [len(one.memory) for one in listed.containers] == [1, 0]


def test_what_can_be_allocated_in_all() -> None:
    devices = [device("d0", 0), device("d1", 0, healthy=False)]
    state = node(grid(2, 4, huge={0: 0, 1: 1}), configured(memory={0: 512}), devices)
    allocatable = allocatable_resources(state)
    assert str(allocatable.cpus) == "1-15"
    assert [(block.resource, list(block.nodes)) for block in allocatable.memory] == [
        ("memory", [0]),
        ("hugepages-1Gi", [1]),
        ("memory", [1]),
    ]
    assert [one.device for one in allocatable.devices] == ["d0"]
    plain = allocatable_resources(node(grid(), configured("none", cpuManagerPolicy="none")))
    assert (plain.cpus, plain.memory) == (NO_CPUS, ())


def test_counters_of_an_admission_and_a_refusal() -> None:
    configuration = configured("single-numa-node", options=["full-pcpus-only"], memory={0: 512}, gates=MANAGERS)
    state = node(grid(2, 4), configuration)
    first = admitted(state, pod("p", container("a", "2"), container("b", "2")))
    second = answered(first.state, pod("q", container("c", "3")))
    assert totals([first.counts, second.counts]) == {
        figure("admission_rejections_total", reason="Other"): 1,
        figure("container_aligned_compute_resources_count", boundary="numa_node", scope="container"): 3,
        figure("container_aligned_compute_resources_count", boundary="physical_cpu", scope="container"): 2,
        figure("container_aligned_compute_resources_count", boundary="uncore_cache", scope="container"): 2,
        figure("container_aligned_compute_resources_failure_count", boundary="physical_cpu", scope="container"): 1,
        figure("cpu_manager_pinning_errors_total"): 1,
        figure("cpu_manager_pinning_requests_total"): 3,
        figure("memory_manager_pinning_requests_total"): 2,
        figure("resource_manager_allocation_errors_total", resource_name="cpu", source="node"): 1,
        figure("resource_manager_allocations_total", resource_name="cpu", source="node"): 2,
        figure("resource_manager_allocations_total", resource_name="memory", source="node"): 2,
        figure(
            "resource_manager_container_assignments_total", assignment_type="node_exclusive", resource_name="cpu"
        ): 2,
        figure(
            "resource_manager_container_assignments_total", assignment_type="node_exclusive", resource_name="memory"
        ): 2,
        figure("topology_manager_admission_errors_total"): 1,
        figure("topology_manager_admission_requests_total"): 2,
    }


def test_counters_of_the_resource_managers_need_their_gate() -> None:
    admission = admitted(node(grid(), configured("none")), pod("p", container("c", "2")))
    assert not any(counted.name.startswith("resource_manager") for counted, _ in admission.counts)


def test_a_pool_counts_every_container_in_it() -> None:
    state = node(grid(2, 8), configured(scope="pod", memory={0: 512}, gates=MANAGERS))
    asked = pod("p", container("a", "2"), container("b"), level={"cpu": "4", "memory": "4Gi"})
    counted = dict(admitted(state, asked).counts)
    assert counted[figure("resource_manager_allocations_total", resource_name="cpu", source="pod")] == 2
    assert counted[figure("cpu_manager_pinning_requests_total")] == 1
    assert counted[figure("memory_manager_pinning_requests_total")] == 2
    for kind in ("pod_exclusive", "pod_shared"):
        name = "resource_manager_container_assignments_total"
        assert counted[figure(name, assignment_type=kind, resource_name="memory")] == 1


def test_gauges() -> None:
    admission = admitted(node(grid(2, 4), configured()), pod("p", container("c", "2")))
    assert gauges(admission.state) == {
        figure("cpu_manager_shared_pool_size_millicores"): 13000,
        figure("cpu_manager_exclusive_cpu_allocation_count"): 2,
        figure("cpu_manager_allocation_per_numa", numa_node="0"): 2,
    }
    assert gauges(node(grid(), configured("none", cpuManagerPolicy="none"))) == {}


# FEATURE: K2


def test_containers_with_cpus_of_their_own_have_no_quota_and_nor_has_their_pod() -> None:
    state = node(grid(2, 4), configured())
    mixed = admitted(state, pod("p", container("a", "2"), container("b", "500m"))).state
    assert quotas_of(mixed, "p").containers == {"a": False, "b": True}
    assert not quotas_of(mixed, "p").pod
    shared = admitted(mixed, pod("q", container("c", "500m"))).state
    assert quotas_of(shared, "q").pod
