"""`cpu_manager_state` and `memory_manager_state`, in each form that kubelets since v1.18 wrote (kubelet.md §10)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from dractl.errors import FieldPath
from dractl.machine.checksums import NO_PODS, cpu_checksum, data_checksum, memory_checksum
from dractl.machine.idsets import LARGEST_ID, CpuSet, NumaSet
from dractl.machine.state_files import CpuManagerState, MemoryBlock, MemoryManagerState, MemoryTable, NumaMemory
from dractl.topology.dumps import Unreadable
from dractl.topology.json_values import parse_json, respelt, to_typed, without_nulls

CORRUPTED: Final = "checkpoint is corrupted"
"""What the kubelet says of a wrong checksum."""


class _PodCpus(msgspec.Struct, frozen=True):
    cpuSet: str = ""


class _CpuFile(msgspec.Struct, frozen=True):
    policyName: str
    defaultCpuSet: str = ""
    entries: dict[str, dict[str, str]] = {}
    podEntries: dict[str, _PodCpus] = {}
    checksum: int = 0
    data: str = ""
    dataChecksum: int = 0


class _Table(msgspec.Struct, frozen=True):
    total: int
    systemReserved: int
    allocatable: int
    reserved: int
    free: int


class _NumaNode(msgspec.Struct, frozen=True):
    memoryMap: dict[str, _Table]
    cells: list[int]
    numberOfAssignments: int = 0


class _Block(msgspec.Struct, frozen=True):
    numaAffinity: list[int]
    type: str
    size: int


class _PodMemory(msgspec.Struct, frozen=True):
    memoryBlocks: list[_Block] = []


class _MemoryFile(msgspec.Struct, frozen=True):
    policyName: str
    machineState: dict[int, _NumaNode] = {}
    entries: dict[str, dict[str, list[_Block]]] = {}
    podEntries: dict[str, _PodMemory] = {}
    checksum: int = 0
    data: str = ""
    dataChecksum: int = 0


# --- recognising ---------------------------------------------------------------------------------------------------


def is_cpu_manager_state(data: Any) -> bool:
    """Whether JSON data are a `cpu_manager_state`."""
    return {"policyname", "defaultcpuset"} <= _lower_keys(data)


def is_memory_manager_state(data: Any) -> bool:
    """Whether JSON data are a `memory_manager_state`. With the policy None it says no more than that."""
    keys = _lower_keys(data)
    return "policyname" in keys and ("machinestate" in keys or data.get("policyName") == "None")


def _lower_keys(data: Any) -> set[str]:
    return {key.lower() for key in data} if isinstance(data, dict) else set()


# --- reading -------------------------------------------------------------------------------------------------------


def read_cpu_manager_state(data: Any) -> CpuManagerState:
    """The state, from `data` where the file has it, else from the outer fields; `damage` where a checksum is wrong.

    Raises Unreadable where the kubelet could not read it either, and for files of before v1.18.
    """
    content, damage = _content(data, _CpuFile, _has_sound_cpu_checksum)
    if any(isinstance(value, str) for value in (content.get("entries") or {}).values()):
        raise Unreadable(
            "the file was written by a kubelet before v1.18, whose entries name container ids",
            "drain the node and delete the file, as the kubelet will ask you to",
            path=("entries",),
        )
    file = to_typed(content, _CpuFile)
    return CpuManagerState(
        file.policyName,
        _cpus(file.defaultCpuSet, ("defaultCpuSet",)),
        {
            uid: {name: _cpus(text, ("entries", uid, name)) for name, text in containers.items()}
            for uid, containers in file.entries.items()
        },
        {uid: _cpus(entry.cpuSet, ("podEntries", uid, "cpuSet")) for uid, entry in file.podEntries.items()},
        damage,
    )


def read_memory_manager_state(data: Any) -> MemoryManagerState:
    """The state, from `data` where the file has it, else from the outer fields; `damage` where a checksum is wrong.

    Raises Unreadable where the kubelet could not read it either.
    """
    content, damage = _content(data, _MemoryFile, _has_sound_memory_checksum)
    file = to_typed(content, _MemoryFile, strict=False)
    return MemoryManagerState(
        file.policyName,
        {number: _numa_memory(node, ("machineState", str(number))) for number, node in file.machineState.items()},
        {
            uid: {name: _blocks(blocks, ("entries", uid, name)) for name, blocks in containers.items()}
            for uid, containers in file.entries.items()
        },
        {uid: _blocks(entry.memoryBlocks, ("podEntries", uid)) for uid, entry in file.podEntries.items()},
        damage,
    )


def _content(data: Any, shape: type, is_sound: Callable[[Mapping[str, Any]], bool]) -> tuple[Mapping[str, Any], str]:
    """The fields that count, spelt as the kubelet writes them, and why it would refuse the file."""
    outer = respelt(without_nulls(data), shape)
    text = outer.get("data")
    if not text and not outer.get("dataChecksum"):
        return outer, "" if is_sound(outer) else CORRUPTED
    if not isinstance(text, str):
        raise Unreadable("the field is no text", "fetch the file once more", path=("data",))
    try:
        inner = parse_json(text)
    except Unreadable as broken:
        raise Unreadable(f"the text inside is {broken.message}", broken.remedy, path=("data",)) from None
    if not isinstance(inner, dict):
        raise Unreadable("the text inside is no JSON object", "fetch the file once more", path=("data",))
    damage = "" if data_checksum(text) == outer.get("dataChecksum", 0) else CORRUPTED
    return {**respelt(without_nulls(inner), shape), "checksum": 0}, damage


def _has_sound_cpu_checksum(content: Mapping[str, Any]) -> bool:
    """A checksum of 0 is accepted, and one that covers sets of pods cannot be judged."""
    written = content.get("checksum", 0)
    if written == 0 or content.get("podEntries"):
        return True
    variants = [(name, pods) for name in ("CPUManagerCheckpoint", "CPUManagerCheckpointV3") for pods in ("", NO_PODS)]
    return _is_any(
        written, content, lambda filled: [cpu_checksum(filled, struct=name, pods=pods) for name, pods in variants]
    )


def _has_sound_memory_checksum(content: Mapping[str, Any]) -> bool:
    written = content.get("checksum", 0)
    if written == 0 or content.get("podEntries"):
        return True
    return _is_any(written, content, lambda filled: [memory_checksum(filled)])


def _is_any(written: Any, content: Mapping[str, Any], compute: Callable[[Mapping[str, Any]], list[int]]) -> bool:
    """Whether one of the checksums is the one that is written; content of the wrong shape is told by the reader."""
    try:
        return written in compute({"policyName": "", "defaultCpuSet": "", **content})
    except (KeyError, TypeError, ValueError, AttributeError):
        return True


# --- parts ---------------------------------------------------------------------------------------------------------


def _cpus(text: str, path: FieldPath) -> CpuSet:
    try:
        return CpuSet.parse(text)
    except ValueError as error:
        raise Unreadable(f"no list of CPUs: {error}", "fetch the file once more", path=path) from None


def _nodes(numbers: list[int], path: FieldPath) -> NumaSet:
    if not all(0 <= number <= LARGEST_ID for number in numbers):
        raise Unreadable(f"{numbers} are no NUMA nodes", "fetch the file once more", path=path)
    return NumaSet(numbers)


def _blocks(blocks: list[_Block], path: FieldPath) -> tuple[MemoryBlock, ...]:
    return tuple(MemoryBlock(block.type, _nodes(block.numaAffinity, path), block.size) for block in blocks)


def _numa_memory(node: _NumaNode, path: FieldPath) -> NumaMemory:
    tables = {
        resource: MemoryTable(table.total, table.systemReserved, table.allocatable, table.reserved, table.free)
        for resource, table in node.memoryMap.items()
    }
    return NumaMemory(tables, node.numberOfAssignments, _nodes(node.cells, (*path, "cells")))
