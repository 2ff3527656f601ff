"""Kind `kubelet`: what the kubelet's managers do with a list of pods on one node (kubelet.md)."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from dractl.api.codec import to_api
from dractl.api.core import Pod
from dractl.api.defaults import with_defaults
from dractl.kubelet import (
    Admission,
    Grant,
    KubeletState,
    MissingFacts,
    StartFailure,
    Stop,
    Stopped,
    admit,
    container_started,
    removed,
    restart,
    settled,
    start,
)
from dractl.kubelet.checkpoints import cpu_state_text, memory_state_text
from dractl.kubelet.deciding import Provided
from dractl.kubelet.hints import Hint
from dractl.kubelet.memory_books import Blocks
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.devices import PluginDevice
from dractl.machine.idsets import CpuSet, NumaSet
from dractl.machine.machine import Core, HugePages, Machine, NumaNode
from dractl.machine.state_files import NumaMemory

KIBIBYTE: Final = 1024
_UNREADABLE: Final = "decode"


def answer(case_input: Mapping[str, Any]) -> dict[str, Any]:
    """Every event in turn, in the form of the corpus."""
    configuration = _configuration(case_input["kubelet"])
    if configuration is None:
        return {"startError": {"stage": _UNREADABLE, "message": ""}}
    state = start(_machine(case_input["machine"]), configuration, devices=_devices(case_input.get("devices", ())))
    if isinstance(state, StartFailure):
        return {"startError": _failure(state)}
    if isinstance(state, MissingFacts):
        return {"missing": list(state.facts)}
    out: dict[str, Any] = {}
    if state.kubelet.cpu is not None and state.kubelet.cpu.allocatable:
        out["allocatableCPUs"] = str(state.kubelet.cpu.allocatable)
    events: list[dict[str, Any]] = []
    for number, entry in enumerate(case_input["pods"]):
        answered, after = _event(state, entry, trace=case_input.get("trace", False))
        if answered.get("hang"):
            return {"hang": f"pods[{number}]"}
        events.append(answered)
        if after is None:
            return {**out, "events": events}
        state = after
    if events:
        out["events"] = events
    return {**out, "final": _final(settled(state), files=case_input.get("stateFiles", False))}


def first_difference(expect: Mapping[str, Any], answer: Mapping[str, Any], without: frozenset[str]) -> str | None:
    """Everything, but for the text of a panic and the message of a configuration that cannot be decoded."""
    return _difference(_comparable(expect, without), _comparable(answer, without), "")


# --- input -----------------------------------------------------------------------------------------------------------


def _machine(info: Mapping[str, Any]) -> Machine:
    return Machine(
        tuple(_numa_node(node) for node in info["topology"]), info.get("num_sockets"), info.get("memory_capacity")
    )


def _numa_node(node: Mapping[str, Any]) -> NumaNode:
    return NumaNode(
        node["node_id"],
        tuple(
            Core(core["core_id"], core["socket_id"], CpuSet(core["thread_ids"]), _uncore(core))
            for core in node.get("cores") or ()
        ),
        node.get("memory", 0),
        tuple(HugePages(pages["page_size"] * KIBIBYTE, pages["num_pages"]) for pages in node.get("hugepages") or ()),
        tuple(node.get("distances") or ()),
    )


def _uncore(core: Mapping[str, Any]) -> int | None:
    caches = core.get("uncore_caches") or ()
    return caches[0]["id"] if caches else None


def _configuration(written: Any) -> KubeletConfiguration | None:
    """None where the kubelet could not decode it: a wrong type, or a field that it does not know."""
    known = {*KubeletConfiguration.__struct_fields__, "apiVersion", "kind"}
    if not isinstance(written, Mapping) or not written.keys() <= known:
        return None
    try:
        return to_api({name: value for name, value in written.items() if value is not None}, KubeletConfiguration)
    except (msgspec.ValidationError, ValueError):
        return None


def _devices(plugins: Any) -> list[PluginDevice]:
    return [
        PluginDevice(
            plugin["resource"], device["id"], NumaSet(device.get("numa") or ()), not device.get("unhealthy", False)
        )
        for plugin in plugins
        for device in plugin["devices"]
    ]


def _pod(entry: Mapping[str, Any]) -> Pod:
    """With the requests of containers filled in; those of the pod level are as the API server left them."""
    metadata = entry["metadata"]
    named = {"namespace": "default", **metadata, "uid": metadata.get("uid") or metadata["name"]}
    pod = to_api({**entry, "metadata": named}, Pod)
    filled = with_defaults(pod)
    return replace(filled, spec=replace(filled.spec, resources=pod.spec.resources))


# --- events ----------------------------------------------------------------------------------------------------------


def _event(state: KubeletState, entry: Mapping[str, Any], *, trace: bool) -> tuple[dict[str, Any], KubeletState | None]:
    """The answer, and the node afterwards; None where nothing follows."""
    if entry.get("remove"):
        after = removed(state, entry["remove"])
        return {"remove": entry["remove"], **_default(after)}, after
    if entry.get("start"):
        uid, _, name = entry["start"].partition("/")
        after = container_started(state, uid, name)
        return {"start": entry["start"], **_default(after)}, after
    if entry.get("restart"):
        return _restart(state, entry["restart"], trace=trace)
    pod = _pod(entry)
    admission = admit(state, pod)
    if isinstance(admission, Stopped):
        if admission.how is Stop.HANG:
            return {"hang": True}, None
        qos = state.kubelet.demand_of(pod).qos
        return {"pod": pod.metadata.name, "qos": str(qos), "panic": admission.detail}, None
    return _admission(admission, trace=trace), admission.state


def _restart(state: KubeletState, written: Any, *, trace: bool) -> tuple[dict[str, Any], KubeletState | None]:
    configuration = None if written is True else _configuration(written)
    if written is not True and configuration is None:
        return {"restart": True, "startError": {"stage": _UNREADABLE, "message": ""}}, None
    result = restart(state, configuration)
    if isinstance(result, StartFailure):
        return {"restart": True, "startError": _failure(result)}, None
    if isinstance(result, MissingFacts):
        return {"restart": True, "missing": list(result.facts)}, None
    if isinstance(result, Stopped):
        return {"hang": True} if result.how is Stop.HANG else {"restart": True, "panic": result.detail}, None
    answered = {"restart": True, "readmitted": [_admission(one, trace=trace) for one in result.readmitted]}
    return {name: value for name, value in answered.items() if value} | _default(result.state), result.state


def _failure(failure: StartFailure) -> dict[str, str]:
    return {"stage": str(failure.stage), "message": failure.message}


def _admission(admission: Admission, *, trace: bool) -> dict[str, Any]:
    refusal, state = admission.refusal, admission.state
    pod_level = admission.demand.pod_level
    out: dict[str, Any] = {
        "pod": admission.pod.name,
        "qos": str(admission.demand.qos),
        "admit": admission.admitted,
        "reason": str(refusal.reason) if refusal else "",
        "message": refusal.message if refusal else "",
        "podCPUs": str(admission.pod_cpus),
        "podMemory": _blocks(admission.pod_memory),
        "containers": {name: _grant(grant, state, pod_level) for name, grant in admission.containers.items()},
        "trace": [_provided(one) for one in admission.provided] if trace else [],
    }
    kept = {name: value for name, value in out.items() if value or name == "admit"}
    return kept | _default(state)


def _grant(grant: Grant, state: KubeletState, pod_level: bool) -> dict[str, Any]:
    out: dict[str, Any] = {
        "cpus": str(grant.cpus),
        "memory": _blocks(grant.memory),
        "devices": {resource: sorted(names) for resource, names in (grant.devices or {}).items()},
        "isolation": {},
    }
    if pod_level:
        if state.kubelet.cpu is not None:
            out["isolation"]["cpu"] = str(grant.cpu_isolation)
        if state.kubelet.memory is not None:
            out["isolation"]["memory"] = str(grant.memory_isolation)
    return {name: value for name, value in out.items() if value} | {"hint": _hint(grant.hint)}


def _provided(provided: Provided) -> dict[str, Any]:
    hints = None
    if provided.hints is not None:
        hints = {
            resource: None if of_resource is None else [_hint(hint) for hint in of_resource]
            for resource, of_resource in provided.hints.items()
        }
    container = {"container": provided.container} if provided.container else {}
    return {"provider": provided.provider, **container, "hints": hints}


def _hint(hint: Hint) -> dict[str, Any]:
    return {"numa": None if hint.nodes is None else list(hint.nodes), "preferred": hint.preferred}


def _blocks(blocks: Blocks) -> list[dict[str, Any]]:
    return [
        {"type": block.resource, "numaAffinity": list(block.nodes), "size": block.size}
        for block in sorted(blocks, key=lambda block: block.resource)
    ]


def _default(state: KubeletState) -> dict[str, str]:
    return {"defaultCPUSet": str(state.cpus.default)} if state.cpus.default else {}


# --- the end ---------------------------------------------------------------------------------------------------------


def _final(state: KubeletState, *, files: bool) -> dict[str, Any]:
    out: dict[str, Any] = {
        "cpuAssignments": {
            uid: {name: str(cpus) for name, cpus in held.containers.items()}
            for uid, held in state.cpus.pods.items()
            if held.containers
        },
        "podCPUs": {uid: str(held.pod) for uid, held in state.cpus.pods.items() if held.pod},
        "memory": {str(node): _memory(memory) for node, memory in state.memory.machine.items()},
        "memoryBlocks": {
            uid: {name: _blocks(blocks) or None for name, blocks in held.containers.items()}
            for uid, held in state.memory.pods.items()
            if held.containers
        },
        "stateFiles": {},
    }
    if files:
        out["stateFiles"] = {
            "cpu_manager_state": cpu_state_text(state),
            "memory_manager_state": memory_state_text(state),
        }
    return {"defaultCPUSet": str(state.cpus.default)} | {name: value for name, value in out.items() if value}


def _memory(memory: NumaMemory) -> dict[str, Any]:
    tables = {
        resource: {
            "allocatable": table.allocatable,
            "reserved": table.reserved,
            "free": table.free,
            "systemReserved": table.system_reserved,
            "total": table.total,
        }
        for resource, table in memory.tables.items()
    }
    return {"assignments": memory.assignments, "cells": list(memory.cells), "tables": tables}


# --- comparing -------------------------------------------------------------------------------------------------------


def _comparable(value: Any, without: frozenset[str]) -> Any:
    if isinstance(value, list):
        return [_comparable(one, without) for one in value]
    if not isinstance(value, Mapping):
        return value
    hidden = "message" if value.get("stage") == _UNREADABLE else None
    return {
        key: bool(inner) if key == "panic" else _comparable(inner, without)
        for key, inner in value.items()
        if key not in without and key != hidden
    }


def _difference(wanted: Any, got: Any, path: str) -> str | None:
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        for key in sorted({*wanted, *got}):
            if key not in wanted or key not in got:
                side, value = ("missing", wanted) if key in wanted else ("too much", got)
                return f"{path}.{key}: {side}: {_short(value[key])}"
            if found := _difference(wanted[key], got[key], f"{path}.{key}"):
                return found
        return None
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        pairs = enumerate(zip(wanted, got, strict=True))
        return next(filter(None, (_difference(one, other, f"{path}[{i}]") for i, (one, other) in pairs)), None)
    return None if wanted == got else f"{path}: expected {_short(wanted)}, got {_short(got)}"


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 300 else text[:300] + "…"
