"""`dractl topology -o json`: machines, settings and state, as `schema/topology-v1.json` describes them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from dractl import __version__
from dractl.api.codec import to_plain
from dractl.machine.devices import HeldResources, PluginDevice
from dractl.machine.idsets import IdSet
from dractl.machine.machine import Cache, Core, HugePages, Machine, NumaNode, PciDevice
from dractl.machine.state_files import CpuManagerState, MemoryBlock, MemoryManagerState, NumaMemory
from dractl.report.json import plain_finding
from dractl.report.node_reports import plain_node
from dractl.report.topology import KnownNumaNode, NodePicture, TopologyReport
from dractl.report.view import View

VERSION: Final = "dractl/v1"


def render_json(report: TopologyReport, view: View) -> str:
    """The report, indented, with the same bytes on every run. Sets of CPUs and NUMA nodes are in list notation."""
    plain = {
        "apiVersion": VERSION,
        "kind": "Topology",
        "dractlVersion": __version__,
        "nodes": [_node(node) for node in report.nodes],
        "configuration": to_plain(report.configuration) if report.configuration is not None else None,
        "findings": [plain_finding(finding, view) for finding in report.findings],
    }
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def _node(node: NodePicture) -> dict[str, Any]:
    states = node.states
    return {
        "name": node.name,
        "sources": list(node.sources),
        "machine": _machine(node.machine) if node.machine is not None else None,
        "knownNUMANodes": [_known(each) for each in node.numa],
        "configuration": to_plain(node.configuration) if node.configuration is not None else None,
        "cpuManagerState": _cpu_state(states.cpu) if states.cpu is not None else None,
        "memoryManagerState": _memory_state(states.memory) if states.memory is not None else None,
        "devices": [_device(device) for device in node.devices],
        "held": [_held(each) for each in node.held],
        "after": plain_node(node.after) if node.after is not None else None,
    }


# --- hardware ------------------------------------------------------------------------------------------------------


def _machine(machine: Machine) -> dict[str, Any]:
    return {
        "sockets": machine.sockets,
        "cpus": str(machine.cpus),
        "memory": machine.memory,
        "offlineCPUs": str(machine.offline),
        "isolatedCPUs": str(machine.isolated),
        "architecture": machine.architecture,
        "model": machine.model,
        "numaNodes": [_numa_node(node) for node in machine.nodes],
        "caches": [_cache(cache) for cache in machine.caches],
        "pciDevices": [_pci_device(device) for device in machine.pci_devices],
        "provenance": [
            {
                "aspect": each.aspect,
                "exactness": str(each.exactness),
                "source": each.source,
                "reason": each.reason,
            }
            for each in machine.provenance
        ],
    }


def _numa_node(node: NumaNode) -> dict[str, Any]:
    return {
        "id": node.node_id,
        "cpus": str(node.cpus),
        "memory": node.memory,
        "hugePages": _huge_pages(node.huge_pages),
        "distances": list(node.distances),
        "cores": [_core(core) for core in node.cores],
    }


def _core(core: Core) -> dict[str, Any]:
    return {
        "id": core.core_id,
        "socket": core.socket,
        "cpus": str(core.cpus),
        "uncoreID": core.uncore_id,
        "kind": str(core.kind),
    }


def _huge_pages(pages: Sequence[HugePages]) -> list[dict[str, int]]:
    return [{"size": each.size, "count": each.count} for each in pages]


def _cache(cache: Cache) -> dict[str, Any]:
    return {
        "level": cache.level,
        "kind": cache.kind,
        "size": cache.size,
        "id": cache.cache_id,
        "cpus": str(cache.cpus),
    }


def _pci_device(device: PciDevice) -> dict[str, Any]:
    return {
        "address": device.address,
        "numaNode": device.numa_node,
        "localCPUs": _optional(device.local_cpus),
        "root": device.root,
        "parent": device.parent,
        "classID": device.class_id,
        "vendorID": device.vendor_id,
        "deviceID": device.device_id,
        "name": device.name,
    }


def _known(node: KnownNumaNode) -> dict[str, Any]:
    return {
        "id": node.node_id,
        "cpus": _optional(node.cpus),
        "cpuCount": node.cpu_count,
        "memory": node.memory,
        "hugePages": _huge_pages(node.huge_pages),
        "distances": list(node.distances),
        "devices": dict(sorted(node.devices.items())),
    }


def _optional(members: IdSet | None) -> str | None:
    return None if members is None else str(members)


# --- the kubelet ---------------------------------------------------------------------------------------------------


def _cpu_state(state: CpuManagerState) -> dict[str, Any]:
    return {
        "policy": state.policy,
        "defaultCPUs": str(state.default),
        "entries": {
            uid: {name: str(cpus) for name, cpus in sorted(containers.items())}
            for uid, containers in sorted(state.entries.items())
        },
        "podEntries": {uid: str(cpus) for uid, cpus in sorted(state.pod_entries.items())},
        "damage": state.damage,
    }


def _memory_state(state: MemoryManagerState) -> dict[str, Any]:
    return {
        "policy": state.policy,
        "numaNodes": [_books(number, books) for number, books in sorted(state.machine.items())],
        "entries": {
            uid: {name: _blocks(blocks) for name, blocks in sorted(containers.items())}
            for uid, containers in sorted(state.entries.items())
        },
        "podEntries": {uid: _blocks(blocks) for uid, blocks in sorted(state.pod_entries.items())},
        "damage": state.damage,
    }


def _books(number: int, books: NumaMemory) -> dict[str, Any]:
    tables: Mapping[str, dict[str, int]] = {
        resource: {
            "total": table.total,
            "systemReserved": table.system_reserved,
            "allocatable": table.allocatable,
            "reserved": table.reserved,
            "free": table.free,
        }
        for resource, table in sorted(books.tables.items())
    }
    return {"id": number, "assignments": books.assignments, "cells": str(books.cells), "tables": tables}


def _blocks(blocks: Sequence[MemoryBlock]) -> list[dict[str, Any]]:
    return [{"resource": block.resource, "numaNodes": str(block.nodes), "size": block.size} for block in blocks]


def _device(device: PluginDevice) -> dict[str, Any]:
    return {
        "resource": device.resource,
        "device": device.device,
        "numaNodes": str(device.nodes),
        "healthy": device.healthy,
    }


def _held(held: HeldResources) -> dict[str, Any]:
    return {
        "namespace": held.namespace,
        "pod": held.pod,
        "container": held.container,
        "cpus": str(held.cpus),
        "memory": _blocks(held.memory),
        "devices": [_device(device) for device in held.devices],
    }
