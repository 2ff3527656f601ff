"""The kubelet's PodResources API as JSON: what containers hold, and which devices there are (topology-dumps.md §2.4).

protobuf's JSON writes 64-bit numbers as strings and leaves out zeros: `{}` among the nodes of a topology is node 0.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from dractl.errors import FieldPath
from dractl.machine.devices import HeldResources, PluginDevice
from dractl.machine.idsets import LARGEST_ID, NO_NODES, CpuSet, IdSet, NumaSet
from dractl.machine.state_files import MemoryBlock
from dractl.topology.dumps import Unreadable
from dractl.topology.json_values import respelt, to_typed, without_nulls

_Ids = TypeVar("_Ids", bound=IdSet)
_LIST_KEYS = frozenset({"podresources"})
_ALLOCATABLE_KEYS = frozenset({"devices", "cpuids"})


class _NumaNode(msgspec.Struct, frozen=True):
    ID: int = 0


class _Topology(msgspec.Struct, frozen=True):
    nodes: list[_NumaNode] = []


class _Devices(msgspec.Struct, frozen=True):
    resource_name: str
    device_ids: list[str] = []
    topology: _Topology = _Topology()


class _Memory(msgspec.Struct, frozen=True):
    memory_type: str
    size: int = 0
    topology: _Topology = _Topology()


class _Container(msgspec.Struct, frozen=True):
    name: str
    devices: list[_Devices] = []
    cpu_ids: list[int] = []
    memory: list[_Memory] = []


class _Pod(msgspec.Struct, frozen=True):
    name: str
    namespace: str = "default"
    containers: list[_Container] = []
    cpu_ids: list[int] = []
    memory: list[_Memory] = []


class _Response(msgspec.Struct, frozen=True):
    pod_resources: list[_Pod] = []
    devices: list[_Devices] = []
    cpu_ids: list[int] | None = None
    memory: list[_Memory] = []


class PodResources(Struct, frozen=True):
    """What `List` or `GetAllocatableResources` answered.

    `held` has one entry for each container, and one with an empty container name for a pod that holds CPUs or memory as
    a whole. `devices` are those that a plugin has, healthy ones only; `cpus` those that containers may get.
    """

    held: tuple[HeldResources, ...] = ()
    devices: tuple[PluginDevice, ...] = ()
    cpus: CpuSet | None = None


def is_pod_resources(data: Any) -> bool:
    """Whether JSON data are an answer of the PodResources API."""
    keys = {key.replace("_", "").lower() for key in data} if isinstance(data, dict) else set()
    return bool(keys & _LIST_KEYS) or (bool(keys & _ALLOCATABLE_KEYS) and keys <= {*_ALLOCATABLE_KEYS, "memory"})


def read_pod_resources(data: Any) -> PodResources:
    """What an answer says. Raises Unreadable where a field does not fit."""
    answer = to_typed(respelt(without_nulls(data), _Response), _Response, strict=False)
    held: list[HeldResources] = []
    for number, pod in enumerate(answer.pod_resources):
        path = ("pod_resources", number)
        if pod.cpu_ids or pod.memory:
            whole = _Container("", cpu_ids=pod.cpu_ids, memory=pod.memory)
            held.append(_held(pod, whole, path))
        held += [_held(pod, each, (*path, "containers", at)) for at, each in enumerate(pod.containers)]
    cpus = _ids(CpuSet, answer.cpu_ids, ("cpu_ids",)) if answer.cpu_ids is not None else None
    return PodResources(tuple(held), tuple(_devices(answer.devices, ("devices",))), cpus)


def _held(pod: _Pod, container: _Container, path: FieldPath) -> HeldResources:
    return HeldResources(
        pod.namespace,
        pod.name,
        container.name,
        _ids(CpuSet, container.cpu_ids, (*path, "cpu_ids")),
        tuple(
            MemoryBlock(each.memory_type, _nodes(each.topology, (*path, "memory")), each.size)
            for each in container.memory
        ),
        tuple(_devices(container.devices, (*path, "devices"))),
    )


def _devices(entries: Sequence[_Devices], path: FieldPath) -> Iterator[PluginDevice]:
    """Each device once: one on several NUMA nodes has an entry for each of them."""
    nodes: dict[tuple[str, str], NumaSet] = {}
    for number, entry in enumerate(entries):
        here = _nodes(entry.topology, (*path, number, "topology"))
        for device in entry.device_ids:
            key = (entry.resource_name, device)
            nodes[key] = nodes.get(key, NO_NODES) | here
    for (resource, device), where in nodes.items():
        yield PluginDevice(resource, device, where)


def _nodes(topology: _Topology, path: FieldPath) -> NumaSet:
    return _ids(NumaSet, [node.ID for node in topology.nodes], path)


def _ids(kind: type[_Ids], numbers: Sequence[int], path: FieldPath) -> _Ids:
    for number in numbers:
        if not 0 <= number <= LARGEST_ID:
            raise Unreadable(f"{number} is no CPU or NUMA node", "fetch the answer once more", path=path)
    return kind(numbers)
