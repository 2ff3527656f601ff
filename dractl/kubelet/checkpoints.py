"""What the kubelet of v1.37 writes into its state files: as values, and as the texts themselves (kubelet.md §10)."""

import json
from collections.abc import Mapping
from typing import Any, Final

from dractl.kubelet import cpu_policy, memory_policy
from dractl.kubelet.kubelet import KubeletState
from dractl.kubelet.memory_books import Blocks
from dractl.machine.checksums import cpu_checksum, data_checksum, memory_checksum
from dractl.machine.state_files import CpuManagerState, MemoryManagerState, MemoryTable, NumaMemory, StateFiles

POD_ENTRIES_GATE: Final = "PodLevelResourceManagers"
_BASELINES_GATE: Final = "InPlacePodVerticalScalingExclusiveCPUs"


def state_files_of(state: KubeletState) -> StateFiles:
    """What both files say now; sets and blocks of whole pods only while their gate is on."""
    with_pods = POD_ENTRIES_GATE in state.kubelet.gates
    cpu = CpuManagerState(cpu_policy.NONE)
    if state.kubelet.cpu is not None:
        pods = state.cpus.pods
        cpu = CpuManagerState(
            cpu_policy.STATIC,
            state.cpus.default,
            {uid: held.containers for uid, held in pods.items() if held.containers},
            {uid: held.pod for uid, held in pods.items() if with_pods and held.pod},
        )
    memory = MemoryManagerState(memory_policy.NONE)
    if state.kubelet.memory is not None:
        blocks = state.memory.pods
        memory = MemoryManagerState(
            memory_policy.STATIC,
            state.memory.machine,
            {uid: held.containers for uid, held in blocks.items() if held.containers},
            {uid: held.pod for uid, held in blocks.items() if with_pods and held.pod},
        )
    return StateFiles(cpu, memory)


def cpu_state_text(state: KubeletState) -> str:
    """The text of `cpu_manager_state`: an outer part that kubelets before 1.37 read, and `data`, which 1.37 reads."""
    content = state_files_of(state).cpu or CpuManagerState(cpu_policy.NONE)
    entries = {
        uid: {name: str(cpus) for name, cpus in sorted(containers.items())}
        for uid, containers in sorted(content.entries.items())
    }
    outer: dict[str, Any] = {"policyName": content.policy, "defaultCpuSet": str(content.default)}
    outer |= {"entries": entries} if entries else {}
    data = dict(outer)
    if content.pod_entries:
        data["podEntries"] = {uid: {"cpuSet": str(cpus)} for uid, cpus in sorted(content.pod_entries.items())}
    if entries and _BASELINES_GATE in state.kubelet.gates:
        data["baselines"] = {
            uid: {name: {"baseline": cpus} for name, cpus in containers.items()} for uid, containers in entries.items()
        }
    return _text(outer, cpu_checksum(outer), data)


def memory_state_text(state: KubeletState) -> str:
    """The text of `memory_manager_state`, in the same two parts."""
    content = state_files_of(state).memory or MemoryManagerState(memory_policy.NONE)
    entries = {
        uid: {name: _blocks(blocks) for name, blocks in sorted(containers.items())}
        for uid, containers in sorted(content.entries.items())
    }
    machine = {str(node): _numa_node(memory) for node, memory in content.machine.items()}
    outer: dict[str, Any] = {"policyName": content.policy, "machineState": dict(sorted(machine.items()))}
    outer |= {"entries": entries} if entries else {}
    data = dict(outer)
    if content.pod_entries:
        data["podEntries"] = {
            uid: {"memoryBlocks": _blocks(blocks)} for uid, blocks in sorted(content.pod_entries.items())
        }
    return _text(outer, memory_checksum(outer), data)


def _text(outer: Mapping[str, Any], checksum: int, data: Mapping[str, Any]) -> str:
    data_text = _json(data)
    return _json({**outer, "checksum": checksum, "data": data_text, "dataChecksum": data_checksum(data_text)})


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _numa_node(memory: NumaMemory) -> dict[str, Any]:
    return {
        "numberOfAssignments": memory.assignments,
        "memoryMap": {resource: _table(table) for resource, table in sorted(memory.tables.items())},
        "cells": list(memory.cells),
    }


def _table(table: MemoryTable) -> dict[str, int]:
    return {
        "total": table.total,
        "systemReserved": table.system_reserved,
        "allocatable": table.allocatable,
        "reserved": table.reserved,
        "free": table.free,
    }


def _blocks(blocks: Blocks) -> list[dict[str, Any]]:
    return [{"numaAffinity": list(block.nodes), "type": block.resource, "size": block.size} for block in blocks]
