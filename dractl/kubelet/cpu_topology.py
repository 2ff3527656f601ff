"""The CPU manager's picture of a machine (kubelet.md §2)."""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from msgspec import Struct

from dractl.kubelet.hints import Group, groups_over, sums_over
from dractl.machine.idsets import members_of
from dractl.machine.machine import Core, Machine

Masks = Mapping[int, int]
"""CPUs as bits, by the number of a core, socket, NUMA node or uncore cache."""

Parts = Mapping[int, tuple[int, ...]]
"""The numbers of the elements that have CPUs in another kind of element, ascending."""


class CpuTopology(Struct, frozen=True, dict=True):
    """CPUs by core, socket, NUMA node and uncore cache, for nodes that own CPUs only.

    A core's number is its lowest CPU. A core without an uncore cache belongs to one with the number of its socket. The
    sizes are averages by integer division, as the kubelet uses them.
    """

    cpus: int
    cores: Masks
    sockets: Masks
    numas: Masks
    uncores: Masks
    socket_count: int

    @cached_property
    def cpus_per_core(self) -> int:
        """Average threads of a core: 1 as soon as a few cores have lost a thread."""
        return self.cpus.bit_count() // len(self.cores)

    @cached_property
    def cpus_per_socket(self) -> int:
        """Average CPUs of a socket."""
        return self.cpus.bit_count() // self.socket_count

    @cached_property
    def cpus_per_uncore(self) -> int:
        """Average CPUs of an uncore cache."""
        return self.cpus.bit_count() // len(self.uncores)

    @cached_property
    def numa_above_socket(self) -> bool:
        """Whether NUMA nodes are taken before sockets: there are as many sockets as nodes, or more."""
        return self.socket_count >= len(self.numas)

    @cached_property
    def numas_of_socket(self) -> Parts:
        """NUMA nodes that have CPUs in a socket."""
        return _touching(self.sockets, self.numas)

    @cached_property
    def sockets_of_numa(self) -> Parts:
        """Sockets that have CPUs in a NUMA node."""
        return _touching(self.numas, self.sockets)

    @cached_property
    def cores_of_socket(self) -> Parts:
        """Cores of a socket."""
        return _touching(self.sockets, self.cores)

    @cached_property
    def cores_of_numa(self) -> Parts:
        """Cores of a NUMA node."""
        return _touching(self.numas, self.cores)

    @cached_property
    def uncores_of_numa(self) -> Parts:
        """Uncore caches that have CPUs in a NUMA node."""
        return _touching(self.numas, self.uncores)

    @cached_property
    def cores_of_uncore(self) -> Parts:
        """Cores of an uncore cache."""
        return _touching(self.uncores, self.cores)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Every set of NUMA nodes with CPUs."""
        return groups_over(tuple(sorted(self.numas)))

    @cached_property
    def group_sizes(self) -> tuple[int, ...]:
        """All CPUs of each group."""
        return tuple(self.counts(self.cpus))

    @cached_property
    def group_sockets(self) -> tuple[int, ...]:
        """How many sockets each group touches."""
        return tuple(len(self.sockets_of(self.cpus_of_nodes(group.mask))) for group in self.groups)

    def counts(self, cpus: int) -> list[int]:
        """How many of the CPUs each group has."""
        return sums_over(self.groups, [(cpus & self.numas[numa]).bit_count() for numa in sorted(self.numas)])

    def numas_of(self, cpus: int) -> int:
        """The NUMA nodes that own at least one of the CPUs, as bits."""
        return sum(1 << numa for numa, own in self.numas.items() if own & cpus)

    def cpus_of_nodes(self, nodes: int) -> int:
        """All CPUs of the NUMA nodes, given as bits; nodes without CPUs add nothing."""
        return union(self.numas.get(node, 0) for node in members_of(nodes))

    def sockets_of(self, cpus: int) -> list[int]:
        """The sockets that own at least one of the CPUs."""
        return [socket for socket, own in self.sockets.items() if own & cpus]

    def whole_cores(self, cpus: int) -> int:
        """All threads of every core that has at least one of the CPUs."""
        return union(core for core in self.cores.values() if core & cpus)


@lru_cache(maxsize=1024)
def cpu_topology(machine: Machine) -> CpuTopology:
    """A machine as the CPU manager sees it. Machines without any CPU are not possible here."""
    cores: dict[int, int] = {}
    sockets: dict[int, int] = {}
    numas: dict[int, int] = {}
    uncores: dict[int, int] = {}
    for node in machine.nodes:
        for core in node.cores:
            cpus = core.cpus.mask
            cores[_number(core)] = cpus
            for masks, number in ((sockets, core.socket), (numas, node.node_id), (uncores, _uncore(core))):
                masks[number] = masks.get(number, 0) | cpus
    return CpuTopology(machine.cpus.mask, cores, sockets, numas, uncores, machine.sockets)


def union(masks: Iterable[int]) -> int:
    """The bits of all masks together."""
    together = 0
    for mask in masks:
        together |= mask
    return together


def _number(core: Core) -> int:
    return next(iter(core.cpus))


def _uncore(core: Core) -> int:
    return core.socket if core.uncore_id is None else core.uncore_id


def _touching(outer: Masks, inner: Masks) -> Parts:
    return {number: tuple(sorted(part for part, own in inner.items() if own & cpus)) for number, cpus in outer.items()}
