"""The static CPU manager policy of one node: its options, what is reserved, how CPUs are chosen (kubelet.md §3, §4)."""

from collections.abc import Mapping, Set
from functools import cached_property
from typing import Final

from msgspec import Struct

from dractl.api.quantity import Quantity
from dractl.errors import FieldPath
from dractl.kubelet.cpu_topology import CpuTopology, cpu_topology, union
from dractl.kubelet.distributed import Spreading, take_distributed
from dractl.kubelet.faults import KubeletFault
from dractl.kubelet.options import CpuOption, OptionFault, cpu_options
from dractl.kubelet.packed import Packing, take_packed
from dractl.kubelet.reservations import Reservation, Stage, StartFault
from dractl.kubelet.taking import Shortage
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.idsets import CpuSet, NumaSet
from dractl.machine.machine import Machine

STATIC: Final = "static"
NONE: Final = "none"
_OPTIONS: Final = "cpuManagerPolicyOptions"


class CpuPolicy(Struct, frozen=True, dict=True):
    """The static policy. `reserved` are CPUs that no container gets for itself, as bits."""

    topology: CpuTopology
    options: frozenset[CpuOption]
    reserved: int = 0

    @cached_property
    def reserved_cores(self) -> int:
        """All threads of every core with a reserved CPU."""
        return self.topology.whole_cores(self.reserved)

    @cached_property
    def group(self) -> int:
        """How many CPUs are handed out together: those of a whole core with full-pcpus-only."""
        return self.topology.cpus_per_core if CpuOption.FULL_PCPUS in self.options else 1

    @cached_property
    def initial_default(self) -> CpuSet:
        """The shared pool before any pod came: all CPUs, without the reserved ones where the reservation is strict."""
        strict = CpuOption.STRICT_RESERVATION in self.options
        return CpuSet.of_mask(self.topology.cpus & ~self.reserved if strict else self.topology.cpus)

    @cached_property
    def most_when_idle(self) -> Mapping[int, int]:
        """By number of NUMA nodes, the most CPUs that so many nodes have for containers when no pod runs."""
        most: dict[int, int] = {}
        for group, free in zip(self.topology.groups, self.topology.counts(self.allocatable.mask), strict=True):
            most[group.size] = max(most.get(group.size, 0), free)
        return most

    @property
    def allocatable(self) -> CpuSet:
        """All CPUs but the reserved ones."""
        return CpuSet.of_mask(self.topology.cpus & ~self.reserved)

    def take(self, available: int, wanted: int, noted: set[KubeletFault]) -> int | Shortage:
        """Choose so many of the available CPUs, as bits (kubelet.md §4). Faults that decide are added to `noted`."""
        if CpuOption.ACROSS_NUMA in self.options:
            spreading = Spreading(self.group, CpuOption.ALIGN_BY_SOCKET in self.options)
            return take_distributed(self.topology, available, wanted, spreading, noted)
        return take_packed(self.topology, available, wanted, self._packing)

    def choose(
        self, default: CpuSet, reusable: CpuSet, wanted: int, nodes: NumaSet | None, noted: set[KubeletFault]
    ) -> CpuSet | Shortage:
        """CPUs for a container: first those on the hinted NUMA nodes, the rest from everywhere (§3.2, step 5)."""
        allocatable = default.mask & ~self.reserved | reusable.mask
        chosen = 0
        if nodes is not None:
            aligned = allocatable & self._aligned_with(nodes)
            first = self.take(aligned, min(wanted, aligned.bit_count()), noted)
            if isinstance(first, Shortage):
                return first
            chosen = first
        rest = self.take(allocatable & ~chosen, wanted - chosen.bit_count(), noted)
        if isinstance(rest, Shortage):
            return rest
        chosen |= rest
        if chosen & self.reserved:
            noted.add(KubeletFault.TAKES_RESERVED)
        if chosen & ~allocatable & ~self.reserved:
            noted.add(KubeletFault.TAKES_BUSY)
        return CpuSet.of_mask(chosen)

    def _aligned_with(self, nodes: NumaSet) -> int:
        cpus = self.topology.cpus_of_nodes(nodes.mask)
        if CpuOption.ALIGN_BY_SOCKET not in self.options:
            return cpus
        return union(self.topology.sockets[socket] for socket in self.topology.sockets_of(cpus))

    @property
    def _packing(self) -> Packing:
        if CpuOption.UNCORE_CACHE in self.options:
            return Packing.UNCORES
        return Packing.SPREAD if CpuOption.ACROSS_CORES in self.options else Packing.CORES


def cpu_policy_of(
    machine: Machine, configuration: KubeletConfiguration, gates: Set[str], reservation: Reservation
) -> CpuPolicy | None:
    """The policy that the configuration names; None for `none`. Raises StartFault."""
    name, written = configuration.cpuManagerPolicy or NONE, configuration.cpuManagerPolicyOptions or {}
    if name == NONE:
        if written:
            message = f"new none policy error: None policy: received unsupported options={_go_map(written)}"
            raise _fault(message, (_OPTIONS,))
        return None
    if name != STATIC:
        raise _fault(f'unknown policy: "{name}"', ("cpuManagerPolicy",))
    if reservation.cpu.nano == 0:
        message = "[cpumanager] unable to determine reserved CPU resources for static policy"
        raise _fault(message, ("cpuManagerPolicy",))
    topology = cpu_topology(machine)
    try:
        options = cpu_options(written, gates, topology, configuration.topologyManagerPolicy)
    except OptionFault as error:
        fields = ((_OPTIONS, option) for option in error.names)
        raise _fault(f"new static policy error: {error}", *fields) from None
    policy = CpuPolicy(topology, options)
    return CpuPolicy(topology, options, _reserved(policy, reservation.cpus, reservation.cpu))


def _reserved(policy: CpuPolicy, named: CpuSet, amount: Quantity) -> int:
    """The named CPUs, else as many whole CPUs as the amount needs, chosen like a container's."""
    if named:
        return named.mask
    count = amount.rounded_up()
    chosen = policy.take(policy.topology.cpus, count, set())
    reserved = 0 if isinstance(chosen, Shortage) else chosen
    if reserved.bit_count() != count:
        raise _fault(
            "new static policy error: [cpumanager] unable to reserve the required amount of CPUs "
            f"(size of {CpuSet.of_mask(reserved)} did not equal {count})",
            ("kubeReserved", "cpu"),
            ("systemReserved", "cpu"),
        )
    return reserved


def _go_map(values: Mapping[str, str]) -> str:
    return f"map[{' '.join(f'{key}:{values[key]}' for key in sorted(values))}]"


def _fault(message: str, *fields: FieldPath) -> StartFault:
    return StartFault(Stage.CPU, message, *fields)
