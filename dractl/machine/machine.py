"""The hardware of one node as the kubelet sees it, and what dumps say besides (kubelet.md §2, topology-dumps.md)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from dractl.machine.idsets import NO_CPUS, CpuSet, NumaSet


class CoreKind(StrEnum):
    """What a hybrid machine calls its cores; on all others every core is standard."""

    STANDARD = "standard"
    PERFORMANCE = "performance"
    EFFICIENCY = "efficiency"


class Core(Struct, frozen=True):
    """The online threads of one core inside one NUMA node.

    `core_id` is the kernel's and repeats across sockets. `uncore_id` is the kernel's id of the core's first cache above
    level 2 that is not the whole node's, None where there is none or where the dump has no ids (kubelet.md §2).
    """

    core_id: int
    socket: int
    cpus: CpuSet
    uncore_id: int | None = None
    kind: CoreKind = CoreKind.STANDARD


class HugePages(Struct, frozen=True, order=True):
    """Pages of one size that a NUMA node has, free or not. `size` in bytes."""

    size: int
    count: int

    @property
    def resource(self) -> str:
        """The resource's name, `hugepages-2Mi`."""
        return huge_page_resource(self.size)


class NumaNode(Struct, frozen=True):
    """One NUMA node; without cores where it has memory only.

    `memory` is MemTotal in bytes, None where the dump does not say. `distances` is the node's row as the kernel gives
    it, empty where the dump has none: one value per node, in ascending order of node ids.
    """

    node_id: int
    cores: tuple[Core, ...] = ()
    memory: int | None = None
    huge_pages: tuple[HugePages, ...] = ()
    distances: tuple[int, ...] = ()

    @property
    def cpus(self) -> CpuSet:
        """All online CPUs of the node."""
        return _union(core.cpus for core in self.cores)


class Cache(Struct, frozen=True):
    """One cache and the online CPUs that share it. `cache_id` is the kernel's, None where it is not known.

    `kind` is `data`, `instruction` or `unified`; `size` in bytes.
    """

    level: int
    cpus: CpuSet
    kind: str = "unified"
    size: int | None = None
    cache_id: int | None = None


class PciDevice(Struct, frozen=True):
    """One PCI function.

    `address` is `0000:3b:00.0`; `numa_node` None where firmware does not tell (−1); `local_cpus` is the kernel's
    `local_cpulist`, None where it is not known; `root` is the PCIe root as `pci0000:3a`; `parent` is the address of the
    bridge above it. Ids are hexadecimal as in `lspci -n`.
    """

    address: str
    numa_node: int | None = None
    local_cpus: CpuSet | None = None
    root: str = ""
    parent: str = ""
    class_id: str = ""
    vendor_id: str = ""
    device_id: str = ""
    name: str = ""


class Exactness(StrEnum):
    """How far one aspect of a machine can be trusted."""

    EXACT = "exact"
    DERIVED = "derived"
    GUESSED = "guessed"
    MISSING = "missing"


class Provenance(Struct, frozen=True):
    """Where one aspect of a machine (`cpus`, `sockets`, `uncore ids`, `memory`, …) came from, and how exact it is."""

    aspect: str
    exactness: Exactness
    source: str
    reason: str = ""


@dataclass(frozen=True)
class Machine:
    """One node's hardware. Two machines are equal when their hardware is, wherever it was read.

    `nodes` are all NUMA nodes, those without CPUs too, in the order of the source. `socket_count` is None unless the
    source counts sockets whose CPUs are not all there. `offline` are CPUs that exist but are not online; `isolated` are
    those that the kernel keeps free of its own work (the kubelet does not look at them).
    """

    nodes: tuple[NumaNode, ...]
    socket_count: int | None = None
    memory_capacity: int | None = None
    offline: CpuSet = NO_CPUS
    isolated: CpuSet = NO_CPUS
    caches: tuple[Cache, ...] = ()
    pci_devices: tuple[PciDevice, ...] = ()
    architecture: str = ""
    model: str = ""
    provenance: tuple[Provenance, ...] = field(default=(), compare=False)

    @cached_property
    def _hash(self) -> int:
        return hash((self.nodes, self.socket_count, self.memory_capacity, self.offline, self.caches, self.pci_devices))

    def __hash__(self) -> int:
        """Computed once: equal machines are the key under which predictions are shared."""
        return self._hash

    @cached_property
    def cpus(self) -> CpuSet:
        """All online CPUs that belong to a NUMA node: those that the kubelet knows."""
        return _union(node.cpus for node in self.nodes)

    @cached_property
    def cores(self) -> tuple[Core, ...]:
        """All cores, node by node."""
        return tuple(core for node in self.nodes for core in node.cores)

    @cached_property
    def sockets(self) -> int:
        """How many sockets there are, as MachineInfo counts them."""
        return len({core.socket for core in self.cores}) if self.socket_count is None else self.socket_count

    @cached_property
    def numa_nodes(self) -> NumaSet:
        """All NUMA nodes, those without CPUs too."""
        return NumaSet(node.node_id for node in self.nodes)

    @cached_property
    def memory(self) -> int | None:
        """Bytes of memory of the whole machine, None unless every node's is known."""
        if self.memory_capacity is not None:
            return self.memory_capacity
        amounts = [node.memory for node in self.nodes]
        return None if None in amounts else sum(amount for amount in amounts if amount is not None)

    def numa_nodes_of(self, cpus: CpuSet) -> NumaSet:
        """The NUMA nodes that own at least one of the CPUs."""
        return NumaSet(node.node_id for node in self.nodes if not node.cpus.isdisjoint(cpus))


def huge_page_resource(size: int) -> str:
    """The name of the resource for huge pages of so many bytes: `hugepages-2Mi`, `hugepages-1Gi`."""
    for power, suffix in ((3, "Gi"), (2, "Mi"), (1, "Ki")):
        if size % 1024**power == 0:
            return f"hugepages-{size // 1024**power}{suffix}"
    return f"hugepages-{size}"


def _union(sets: Iterator[CpuSet]) -> CpuSet:
    mask = 0
    for cpus in sets:
        mask |= cpus.mask
    return CpuSet.of_mask(mask)
