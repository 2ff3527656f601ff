"""What one dump says about one machine, before several are put together.

None, or an entry that is missing, means that the dump does not say; it never means "none".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from msgspec import Struct

from dractl.errors import Origin
from dractl.finding import Finding
from dractl.machine.idsets import NO_CPUS, CpuSet
from dractl.machine.machine import Cache, CoreKind, HugePages, PciDevice


class DumpFormat(Enum):
    """The formats that say something about hardware, the most trusted first (topology-dumps.md §4)."""

    MACHINE_INFO = "cAdvisor MachineInfo"
    SYSFS = "sysfs tree"
    HWLOC = "hwloc XML"
    LSCPU = "lscpu"
    NUMACTL = "numactl -H"
    NODE_RESOURCE_TOPOLOGY = "NodeResourceTopology"
    MEMORY_STATE = "memory_manager_state"

    @property
    def trust(self) -> int:
        """Smaller is trusted more."""
        return list(DumpFormat).index(self)

    @property
    def names_every_node(self) -> bool:
        """Whether NUMA nodes without CPUs are all there: lscpu has none of them, and hwloc hides those of GPUs."""
        return self not in (DumpFormat.HWLOC, DumpFormat.LSCPU)


class CoreKey(Struct, frozen=True):
    """What makes two threads of one NUMA node one core; the ids are the dump's, and repeat across sockets."""

    core: int
    socket: int
    book: int = 0
    drawer: int = 0


class CpuFacts(Struct, frozen=True):
    """One online CPU. `node` is None where the dump names none; `siblings` the threads of its core as hardware sees it.

    `first_uncore` is set by dumps that name the cache the kubelet would pick, and `kind` by those of hybrid machines.
    """

    core: CoreKey
    node: int | None = None
    siblings: CpuSet | None = None
    first_uncore: int | None = None
    kind: CoreKind = CoreKind.STANDARD


class NumaFacts(Struct, frozen=True):
    """One NUMA node. `memory` in bytes, exact to `memory_step` bytes; `cpu_count` where a dump only counts them."""

    memory: int | None = None
    memory_step: int = 1
    huge_pages: tuple[HugePages, ...] | None = None
    distances: tuple[int, ...] | None = None
    cpus: CpuSet | None = None
    cpu_count: int | None = None


class UncoreKnowledge(Enum):
    """What a dump knows about the caches that cores share."""

    NOTHING = "nothing"
    PICKED = "the kubelet's pick for each core"
    KERNEL_IDS = "caches with the kernel's ids"
    GROUPS = "which CPUs share a cache, without ids"


@dataclass(frozen=True)
class Description:
    """One dump's account of one machine.

    `origin` is the file (and the line where it begins); `label` names it in texts. `node_names` are what the dump calls
    its node, best first. `has_kernel_ids` is False where core and socket numbers were renumbered, as lscpu does.
    `has_numa_nodes` is False where the kernel has none (the kubelet then takes each package for one). `is_partial`
    marks dumps taken inside a cgroup or of a part of the machine, which miss CPUs. `guesses` says why an aspect of the
    dump cannot be relied on.
    """

    origin: Origin = field(compare=False)
    format: DumpFormat
    cpus: Mapping[int, CpuFacts] = field(default_factory=dict)
    numa: Mapping[int, NumaFacts] = field(default_factory=dict)
    node_names: tuple[str, ...] = ()
    has_kernel_ids: bool = True
    is_partial: bool = False
    has_numa_nodes: bool = True
    uncore: UncoreKnowledge = UncoreKnowledge.NOTHING
    offline: CpuSet | None = None
    isolated: CpuSet = NO_CPUS
    caches: tuple[Cache, ...] = ()
    pci_devices: tuple[PciDevice, ...] = ()
    memory_capacity: int | None = None
    socket_count: int | None = None
    architecture: str = ""
    model: str = ""
    guesses: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    @property
    def label(self) -> str:
        """The file and its format, for texts: `n1.xml (hwloc XML)`."""
        return f"{self.origin.file} ({self.format.value})"

    @property
    def visible(self) -> CpuSet:
        """The online CPUs that belong to a NUMA node; all where the dump has no NUMA nodes."""
        return CpuSet(cpu for cpu, facts in self.cpus.items() if facts.node is not None) or self.online

    @property
    def online(self) -> CpuSet:
        """Every online CPU that the dump knows."""
        return CpuSet(self.cpus)
