"""The checksums in the kubelet's state files (kubelet.md §10): FNV-1a over what Go prints of the file's content.

The functions take a file's content as plain data, with the keys as the kubelet writes them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

_OFFSET: Final = 0x811C9DC5
_PRIME: Final = 0x01000193
_TABLE_FIELDS: Final = (
    ("TotalMemSize", "total"),
    ("SystemReserved", "systemReserved"),
    ("Allocatable", "allocatable"),
    ("Reserved", "reserved"),
    ("Free", "free"),
)
NO_PODS: Final = " PodEntries:(state.PodCPUAssignments)map[]"
"""What some builds of 1.36 add to the text although no pod has resources of its own."""


def fnv1a(text: str) -> int:
    """The 32-bit FNV-1a hash of a text's UTF-8 bytes."""
    value = _OFFSET
    for byte in text.encode():
        value = (value ^ byte) * _PRIME & 0xFFFFFFFF
    return value


def data_checksum(data: str) -> int:
    """`dataChecksum` of either file, from the text of its field `data`."""
    return fnv1a(f"(string){data}")


def cpu_checksum(content: Mapping[str, Any], *, struct: str = "CPUManagerCheckpoint", pods: str = "") -> int:
    """`checksum` of `cpu_manager_state`. Some builds of 1.36 used another name for the struct, or `NO_PODS`."""
    entries = _map((uid, _map(sorted(sets.items()))) for uid, sets in sorted((content.get("entries") or {}).items()))
    return fnv1a(
        f"(*state.{struct}){{PolicyName:(string){content['policyName']} "
        f"DefaultCPUSet:(string){content['defaultCpuSet']} "
        f"Entries:(map[string]map[string]string){entries}{pods} Checksum:(checksum.Checksum)0}}"
    )


def memory_checksum(content: Mapping[str, Any], *, struct: str = "MemoryManagerCheckpoint") -> int:
    """`checksum` of `memory_manager_state`."""
    nodes = sorted((content.get("machineState") or {}).items(), key=lambda entry: int(entry[0]))
    entries = sorted((content.get("entries") or {}).items())
    machine = _map((number, _numa_node(node)) for number, node in nodes)
    assignments = _map(
        (uid, _map((name, _list(map(_block, blocks))) for name, blocks in sorted(containers.items())))
        for uid, containers in entries
    )
    return fnv1a(
        f"(*state.{struct}){{PolicyName:(string){content['policyName']} "
        f"MachineState:(state.NUMANodeMap){machine} "
        f"Entries:(state.ContainerMemoryAssignments){assignments} Checksum:(checksum.Checksum)0}}"
    )


def _numa_node(node: Mapping[str, Any]) -> str:
    tables = _map((resource, _table(table)) for resource, table in sorted(node["memoryMap"].items()))
    return (
        f"<*>{{NumberOfAssignments:(int){node['numberOfAssignments']} "
        f"MemoryMap:(map[v1.ResourceName]*state.MemoryTable){tables} Cells:([]int){_list(_numbers(node['cells']))}}}"
    )


def _table(table: Mapping[str, int]) -> str:
    return "<*>{" + " ".join(f"{name}:(uint64){table[key]}" for name, key in _TABLE_FIELDS) + "}"


def _block(block: Mapping[str, Any]) -> str:
    nodes = _list(_numbers(block["numaAffinity"]))
    return f"{{NUMAAffinity:([]int){nodes} Type:(v1.ResourceName){block['type']} Size:(uint64){block['size']}}}"


def _numbers(numbers: Sequence[int]) -> Iterable[str]:
    return map(str, numbers)


def _map(entries: Iterable[tuple[Any, str]]) -> str:
    return f"map[{' '.join(f'{key}:{value}' for key, value in entries)}]"


def _list(items: Iterable[str]) -> str:
    return f"[{' '.join(items)}]"
