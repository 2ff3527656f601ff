"""What admissions add to the kubelet's metrics, and the gauges of a node (kubelet.md §14.1)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from dractl.kubelet.cpu_policy import CpuPolicy
from dractl.kubelet.cpu_turn import CPU
from dractl.kubelet.demand import MEMORY, ContainerDemand
from dractl.kubelet.kubelet import Kubelet, KubeletState
from dractl.kubelet.merging import TopologyPolicyName
from dractl.kubelet.options import CpuOption
from dractl.kubelet.refusal import Reason, Refusal
from dractl.machine.idsets import NO_CPUS, CpuSet

_POD_LEVEL_GATE: Final = "PodLevelResourceManagers"
_NAMED_REASONS: Final = (Reason.AFFINITY, Reason.UNEXPECTED)


class Figure(Struct, frozen=True, order=True):
    """One time series: a metric's name without the prefix `kubelet_`, and its labels."""

    name: str
    labels: tuple[tuple[str, str], ...] = ()


Counts = tuple[tuple[Figure, int], ...]
"""What is added to each counter."""


class Tally:
    """Counts what happens in one admission."""

    def __init__(self, kubelet: Kubelet) -> None:
        self._kubelet = kubelet
        self._counts: Counter[Figure] = Counter()

    def counts(self) -> Counts:
        """All that was counted."""
        return tuple(sorted(self._counts.items()))

    def asked(self) -> None:
        """A pod was brought before the topology manager."""
        self._add("topology_manager_admission_requests_total")

    def answered(self, refusal: Refusal | None) -> None:
        """The pod was let in or refused."""
        if refusal is None:
            return
        if self._kubelet.topology.name is not TopologyPolicyName.NONE:
            self._add("topology_manager_admission_errors_total")
        reason = str(refusal.reason) if refusal.reason in _NAMED_REASONS else "Other"
        self._add("admission_rejections_total", reason=reason)

    def merged(self, scope: str, *, admitted: bool) -> None:
        """Hints of a container or pod were merged."""
        if self._kubelet.topology.name is TopologyPolicyName.SINGLE_NUMA_NODE:
            kind = "count" if admitted else "failure_count"
            self._add(f"container_aligned_compute_resources_{kind}", boundary="numa_node", scope=scope)

    def container_cpus(
        self, container: ContainerDemand, refusal: Refusal | None, cpus: CpuSet, *, before: bool
    ) -> None:
        """A container asked for CPUs of its own; `before` says that it had them already."""
        if not container.cpus:
            return
        self._add("cpu_manager_pinning_requests_total")
        whole_cores = self._kubelet.cpu is not None and CpuOption.FULL_PCPUS in self._kubelet.cpu.options
        if whole_cores:
            kind = "count" if refusal is None else "failure_count"
            self._add(f"container_aligned_compute_resources_{kind}", boundary="physical_cpu", scope="container")
        if refusal is not None:
            self._add("cpu_manager_pinning_errors_total")
            self._allocation_error(CPU, "node")
        elif not before:
            self._uncore(cpus, "container")
            self._allocation(CPU, "node")
            self._assignment(CPU, "node_exclusive")

    def container_memory(self, container: ContainerDemand, refusal: Refusal | None, *, before: bool) -> None:
        """A container asked for memory of its own."""
        if not container.memory:
            return
        self._add("memory_manager_pinning_requests_total")
        if refusal is not None:
            self._add("memory_manager_pinning_errors_total")
            self._allocation_error(MEMORY, "node")
        elif not before:
            for _ in container.memory:
                self._allocation(MEMORY, "node")
            self._assignment(MEMORY, "node_exclusive")

    def pod_cpus(self, containers: Iterable[ContainerDemand], refusal: Refusal | None, bubble: CpuSet) -> None:
        """A pod asked for CPUs in one piece; the empty set: it asked for none."""
        if refusal is not None:
            self._add("cpu_manager_pinning_errors_total")
            self._allocation_error(CPU, "pod")
        elif bubble:
            self._uncore(bubble, "pod")
            for container in containers:
                if container.cpus:
                    self._add("cpu_manager_pinning_requests_total")
                self._allocation(CPU, "pod")
                self._assignment(CPU, "pod_exclusive" if container.cpus else "pod_shared")

    def pod_memory(self, containers: Iterable[ContainerDemand], refusal: Refusal | None) -> None:
        """A pod asked for memory in one piece."""
        self._add("memory_manager_pinning_requests_total")
        if refusal is not None:
            self._add("memory_manager_pinning_errors_total")
            self._allocation_error(MEMORY, "pod")
            return
        for container in containers:
            if container.memory or container.is_init:
                self._add("memory_manager_pinning_requests_total")
            self._allocation(MEMORY, "pod")
            self._assignment(MEMORY, "pod_exclusive" if container.memory else "pod_shared")

    def _uncore(self, cpus: CpuSet, scope: str) -> None:
        policy = self._kubelet.cpu
        if policy is not None and _in_one_uncore(policy, cpus):
            self._add("container_aligned_compute_resources_count", boundary="uncore_cache", scope=scope)

    def _allocation(self, resource: str, source: str) -> None:
        self._add_of_managers("resource_manager_allocations_total", resource_name=resource, source=source)

    def _allocation_error(self, resource: str, source: str) -> None:
        self._add_of_managers("resource_manager_allocation_errors_total", resource_name=resource, source=source)

    def _assignment(self, resource: str, kind: str) -> None:
        self._add_of_managers(
            "resource_manager_container_assignments_total", resource_name=resource, assignment_type=kind
        )

    def _add_of_managers(self, name: str, **labels: str) -> None:
        """These exist only with the gate for pod-level resource managers."""
        if _POD_LEVEL_GATE in self._kubelet.gates:
            self._add(name, **labels)

    def _add(self, name: str, **labels: str) -> None:
        self._counts[Figure(name, tuple(sorted(labels.items())))] += 1


def totals(counts: Iterable[Counts]) -> Mapping[Figure, int]:
    """The sums over several admissions, sorted."""
    sums: Counter[Figure] = Counter()
    for each in counts:
        sums.update(dict(each))
    return dict(sorted(sums.items()))


def gauges(state: KubeletState) -> Mapping[Figure, int]:
    """What the CPU manager's gauges show after a start of the kubelet with these books; later they drift (§14.1)."""
    policy = state.kubelet.cpu
    if policy is None:
        return {}
    held = [cpus for pod in state.cpus.pods.values() for cpus in pod.containers.values()]
    shown = {
        Figure("cpu_manager_shared_pool_size_millicores"): 1000
        * (state.cpus.default.mask & ~policy.reserved).bit_count(),
        Figure("cpu_manager_exclusive_cpu_allocation_count"): sum(map(len, held)),
    }
    for numa, own in sorted(policy.topology.numas.items()):
        count = sum((cpus.mask & own).bit_count() for cpus in held)
        if count:
            shown[Figure("cpu_manager_allocation_per_numa", (("numa_node", str(numa)),))] = count
    return shown


def _in_one_uncore(policy: CpuPolicy, cpus: CpuSet) -> bool:
    return cpus != NO_CPUS and sum(1 for own in policy.topology.uncores.values() if own & cpus.mask) == 1
