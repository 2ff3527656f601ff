"""The state files of CPU and memory manager as values (kubelet.md §10)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dractl.machine.idsets import NO_CPUS, CpuSet, NumaSet


@dataclass(frozen=True, slots=True)
class CpuManagerState:
    """What `cpu_manager_state` says.

    `entries` are the containers' sets by pod UID and container name, `pod_entries` the sets of pods with pod-level
    resources by pod UID. `damage` is why the kubelet refuses the file (a wrong checksum), in its words, else empty.
    """

    policy: str
    default: CpuSet = NO_CPUS
    entries: Mapping[str, Mapping[str, CpuSet]] = field(default_factory=dict)
    pod_entries: Mapping[str, CpuSet] = field(default_factory=dict)
    damage: str = ""


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """Memory of one type (`memory`, `hugepages-2Mi`) taken from a group of NUMA nodes; `size` in bytes."""

    resource: str
    nodes: NumaSet
    size: int


@dataclass(frozen=True, slots=True, order=True)
class MemoryTable:
    """One resource of one NUMA node, in bytes; the kubelet's arithmetic wraps at 2⁶⁴ (kubelet.md §6.1)."""

    total: int
    system_reserved: int
    allocatable: int
    reserved: int
    free: int


@dataclass(frozen=True, slots=True)
class NumaMemory:
    """The books of one NUMA node: tables by resource, how many blocks use it, and the group it is locked into."""

    tables: Mapping[str, MemoryTable]
    assignments: int
    cells: NumaSet

    def __hash__(self) -> int:
        return hash((tuple(sorted(self.tables.items())), self.assignments, self.cells))


@dataclass(frozen=True, slots=True)
class MemoryManagerState:
    """What `memory_manager_state` says: books by NUMA node, blocks by pod UID and container, blocks of whole pods."""

    policy: str
    machine: Mapping[int, NumaMemory] = field(default_factory=dict)
    entries: Mapping[str, Mapping[str, tuple[MemoryBlock, ...]]] = field(default_factory=dict)
    pod_entries: Mapping[str, tuple[MemoryBlock, ...]] = field(default_factory=dict)
    damage: str = ""


@dataclass(frozen=True, slots=True)
class StateFiles:
    """The kubelet's state files of one node; None stands for a file that is not there."""

    cpu: CpuManagerState | None = None
    memory: MemoryManagerState | None = None
