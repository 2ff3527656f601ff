"""Taking CPUs one topology element after the other: what every way of choosing has in common (kubelet.md §4)."""

from collections.abc import Iterable

from msgspec import Struct

from dractl.kubelet.cpu_topology import CpuTopology, Masks, Parts
from dractl.machine.idsets import members_of


class Shortage(Struct, frozen=True):
    """The allocator cannot deliver; the text is the kubelet's."""

    text: str


def not_enough(wanted: int, available: int) -> Shortage:
    """More is wanted than is available (bits)."""
    return Shortage(
        f"not enough cpus available to satisfy request: requested={wanted}, available={available.bit_count()}"
    )


def ceil_div(amount: int, size: int) -> int:
    """How many of a size hold the amount."""
    return -(-amount // size)


class Taking:
    """CPUs that are still free, those taken so far, and how many are still wanted.

    Elements come in the universal order: fewest free CPUs first, then the lowest number; those without a free CPU not
    at all. An order that is asked for again reflects what was taken since.
    """

    __slots__ = ("free", "taken", "topology", "wanted")

    def __init__(self, topology: CpuTopology, available: int, wanted: int) -> None:
        self.topology = topology
        self.free = available & topology.cpus
        self.taken = 0
        self.wanted = wanted

    @property
    def satisfied(self) -> bool:
        """Whether nothing more is wanted."""
        return self.wanted < 1

    def take(self, cpus: int) -> None:
        """Take CPUs, whether they are free or not; each call counts in full."""
        self.taken |= cpus
        self.free &= ~cpus
        self.wanted -= cpus.bit_count()

    def take_if_not_too_many(self, cpus: int) -> bool:
        """Take the CPUs if all of them are wanted; tell whether nothing more is wanted then."""
        if cpus.bit_count() <= self.wanted:
            self.take(cpus)
        return self.satisfied

    def free_in(self, cpus: int) -> int:
        """How many of the CPUs are free."""
        return (self.free & cpus).bit_count()

    def sockets(self) -> list[int]:
        """Sockets in the order of taking; where NUMA nodes are above sockets, once for each node they span."""
        if not self.topology.numa_above_socket:
            return self._ordered(self.topology.sockets, self.topology.sockets)
        return self._nested(self.numas(), self.topology.numas, self.topology.sockets_of_numa, self.topology.sockets)

    def numas(self) -> list[int]:
        """NUMA nodes in the order of taking."""
        if self.topology.numa_above_socket:
            return self._ordered(self.topology.numas, self.topology.numas)
        return self._nested(self.sockets(), self.topology.sockets, self.topology.numas_of_socket, self.topology.numas)

    def cores(self) -> list[int]:
        """Cores in the order of taking."""
        if self.topology.numa_above_socket:
            return self._nested(
                self.sockets(), self.topology.sockets, self.topology.cores_of_socket, self.topology.cores
            )
        return self._nested(self.numas(), self.topology.numas, self.topology.cores_of_numa, self.topology.cores)

    def uncores(self) -> list[int]:
        """Uncore caches in the order of taking; one that spans NUMA nodes comes once for each."""
        return self._nested(self.numas(), self.topology.numas, self.topology.uncores_of_numa, self.topology.uncores)

    def free_cpus_by_core(self) -> list[int]:
        """Single CPUs, cores in order."""
        return [cpu for core in self.cores() for cpu in members_of(self.free & self.topology.cores[core])]

    def free_cpus_by_socket(self) -> list[int]:
        """Single CPUs, sockets in order, whatever the NUMA nodes and cores."""
        return [cpu for socket in self.sockets() for cpu in members_of(self.free & self.topology.sockets[socket])]

    def _ordered(self, numbers: Iterable[int], masks: Masks) -> list[int]:
        free = self.free
        counted = [((free & masks[number]).bit_count(), number) for number in numbers if free & masks[number]]
        counted.sort()
        return [number for _, number in counted]

    def _nested(self, outer: list[int], outer_masks: Masks, inner_of: Parts, inner_masks: Masks) -> list[int]:
        """For each outer element in turn, its parts that have a free CPU in it, in order."""
        found: list[int] = []
        for number in outer:
            free_here = self.free & outer_masks[number]
            found += self._ordered((part for part in inner_of[number] if free_here & inner_masks[part]), inner_masks)
        return found
