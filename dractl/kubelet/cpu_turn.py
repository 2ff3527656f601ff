"""The CPU manager for one pod: hints, and CPUs container by container (kubelet.md §3.2, §3.3, §5)."""

from typing import Final

from dractl.kubelet.cpu_policy import CpuPolicy
from dractl.kubelet.cpus import PodCpus
from dractl.kubelet.demand import ContainerDemand, PodDemand, Role
from dractl.kubelet.faults import KubeletFault
from dractl.kubelet.hints import Hint, Hints
from dractl.kubelet.options import CpuOption
from dractl.kubelet.refusal import Reason, Refusal, unexpected
from dractl.kubelet.taking import Shortage
from dractl.machine.idsets import NO_CPUS, CpuSet, NumaSet

CPU: Final = "cpu"


class CpuTurn:
    """One pod's turn with the CPU manager: the shared pool and what the pod holds change while it lasts.

    `reusable` are CPUs of the pod's init containers, which later containers may have as well; only the pod whose turn
    it is has any (kubelet.md §3.3).
    """

    def __init__(
        self, policy: CpuPolicy, demand: PodDemand, default: CpuSet, held: PodCpus, noted: set[KubeletFault]
    ) -> None:
        self.policy: Final = policy
        self.demand: Final = demand
        self.default = default
        self.containers = dict(held.containers)
        self.pod = held.pod
        self.reusable = NO_CPUS
        self.noted: Final = noted

    @property
    def held(self) -> PodCpus:
        """What the pod holds now."""
        return PodCpus(self.containers, self.pod)

    # --- hints -----------------------------------------------------------------------------------------------------

    def container_hints(self, container: ContainerDemand) -> Hints | None:
        """Where the container's CPUs could be; none for a container of the shared pool."""
        if container.cpus == 0:
            return None
        own = self.containers.get(container.name)
        if own is None:
            return {CPU: self._hints(container.cpus, self._available, self.reusable)}
        if len(own) != container.cpus:
            return {CPU: ()}
        return {CPU: self._hints(container.cpus, own, NO_CPUS)}

    def pod_hints(self) -> Hints | None:
        """Where all of the pod's CPUs could be together."""
        wanted = self.demand.cpus
        if wanted == 0:
            return None
        own = NO_CPUS
        for container in self.demand.containers:
            cpus = self.containers.get(container.name)
            if cpus is None:
                continue
            if len(cpus) != container.cpus:
                if self.demand.pooled and container.cpus == 0:
                    self.noted.add(KubeletFault.RUNNING_POD_REFUSED)
                return {CPU: ()}
            own |= cpus
        if len(own) == wanted:
            return {CPU: self._hints(wanted, own, NO_CPUS)}
        return {CPU: self._hints(wanted, self._available, self.reusable | own)}

    @property
    def _available(self) -> CpuSet:
        return CpuSet.of_mask(self.default.mask & ~self.policy.reserved)

    def _hints(self, wanted: int, available: CpuSet, reusable: CpuSet) -> tuple[Hint, ...]:
        """Every set of NUMA nodes that has room; preferred are those of the size that the hardware alone would need."""
        topology = self.policy.topology
        large_enough = (
            group.size for group, size in zip(topology.groups, topology.group_sizes, strict=True) if size >= wanted
        )
        fewest = next(large_enough, len(topology.numas))
        few_sockets = self._socket_count(fewest)
        if self.policy.most_when_idle[fewest] < wanted <= topology.cpus.bit_count():
            self.noted.add(KubeletFault.RESERVED_HIDES_NODE)
        needed = topology.numas_of(reusable.mask)
        lacking = wanted - len(reusable)
        counted = zip(topology.groups, topology.counts(available.mask), topology.group_sockets, strict=True)
        return tuple(
            group.hint(preferred=group.size == fewest or sockets == few_sockets)
            for group, free, sockets in counted
            if free >= lacking and not needed & ~group.mask
        )

    def _socket_count(self, nodes: int) -> int | None:
        """How many sockets so many NUMA nodes fill, where sockets are aligned."""
        if CpuOption.ALIGN_BY_SOCKET not in self.policy.options:
            return None
        nodes_per_socket = len(self.policy.topology.numas) // self.policy.topology.socket_count
        return -(-nodes // nodes_per_socket)

    # --- allocation ------------------------------------------------------------------------------------------------

    def allocate(self, container: ContainerDemand, nodes: NumaSet | None) -> Refusal | None:
        """Give the container its CPUs, on the hinted nodes as far as they reach."""
        if container.cpus == 0:
            return None
        if container.name not in self.containers:
            refusal = self.smt_refusal(container.cpus)
            if refusal is not None:
                return refusal
            chosen = self.policy.choose(self.default, self.reusable, container.cpus, nodes, self.noted)
            if isinstance(chosen, Shortage):
                return unexpected(chosen.text)
            self.default -= chosen
            self.containers[container.name] = chosen
        self._update_reusable(container)
        return None

    def smt_refusal(self, wanted: int) -> Refusal | None:
        """With full-pcpus-only: whole cores are asked for, and enough are free. CPUs for reuse are not counted."""
        if CpuOption.FULL_PCPUS not in self.policy.options:
            return None
        per_core = self.policy.topology.cpus_per_core
        if wanted % per_core:
            return _smt(f"requested {wanted} cpus not multiple cpus per core = {per_core}")
        free = (self.default.mask & ~self.policy.reserved_cores).bit_count()
        if wanted > free:
            if wanted <= ((self.default | self.reusable).mask & ~self.policy.reserved_cores).bit_count():
                self.noted.add(KubeletFault.REUSE_NOT_COUNTED)
            return _smt(
                f"not enough free physical CPUs: available physical CPUs = {free}, requested CPUs = {wanted}, "
                f"CPUs per core = {per_core}"
            )
        return None

    def _update_reusable(self, container: ContainerDemand) -> None:
        cpus = self.containers[container.name]
        self.reusable = self.reusable | cpus if container.role is Role.INIT else self.reusable - cpus


def _smt(text: str) -> Refusal:
    return Refusal(Reason.SMT_ALIGNMENT, f"SMT Alignment Error: {text}")
