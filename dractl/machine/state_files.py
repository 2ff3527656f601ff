"""The state files of CPU and memory manager as values (kubelet.md §10)."""

from collections.abc import Mapping

from msgspec import Struct, field

from dractl.machine.idsets import NO_CPUS, CpuSet, NumaSet


class CpuManagerState(Struct, frozen=True):
    """What `cpu_manager_state` says.

    `entries` are the containers' sets by pod UID and container name, `pod_entries` the sets of pods with pod-level
    resources by pod UID. `damage` is why the kubelet refuses the file (a wrong checksum), in its words, else empty.
    """

    policy: str
    default: CpuSet = NO_CPUS
    entries: Mapping[str, Mapping[str, CpuSet]] = field(default_factory=dict)
    pod_entries: Mapping[str, CpuSet] = field(default_factory=dict)
    damage: str = ""


class MemoryBlock(Struct, frozen=True):
    """Memory of one type (`memory`, `hugepages-2Mi`) taken from a group of NUMA nodes; `size` in bytes."""

    resource: str
    nodes: NumaSet
    size: int


class MemoryTable(Struct, frozen=True, order=True):
    """One resource of one NUMA node, in bytes; the kubelet's arithmetic wraps at 2⁶⁴ (kubelet.md §6.1)."""

    total: int
    system_reserved: int
    allocatable: int
    reserved: int
    free: int


class NumaMemory(Struct, frozen=True):
    """The books of one NUMA node: tables by resource, how many blocks use it, and the group it is locked into."""

    tables: Mapping[str, MemoryTable]
    assignments: int
    cells: NumaSet

    def __hash__(self) -> int:
        return hash((tuple(sorted(self.tables.items())), self.assignments, self.cells))


class MemoryManagerState(Struct, frozen=True):
    """What `memory_manager_state` says: books by NUMA node, blocks by pod UID and container, blocks of whole pods."""

    policy: str
    machine: Mapping[int, NumaMemory] = field(default_factory=dict)
    entries: Mapping[str, Mapping[str, tuple[MemoryBlock, ...]]] = field(default_factory=dict)
    pod_entries: Mapping[str, tuple[MemoryBlock, ...]] = field(default_factory=dict)
    damage: str = ""


class StateFiles(Struct, frozen=True):
    """The kubelet's state files of one node; None stands for a file that is not there."""

    cpu: CpuManagerState | None = None
    memory: MemoryManagerState | None = None
