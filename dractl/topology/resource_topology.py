"""NodeResourceTopology objects: NUMA nodes as the scheduler sees them, counts without ids (topology-dumps.md §2.4)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from dractl.api.base import ObjectMeta
from dractl.api.quantity import Quantity
from dractl.errors import FieldPath, Place
from dractl.machine.idsets import LARGEST_ID
from dractl.machine.machine import HugePages
from dractl.topology.description import Description, DumpFormat, NumaFacts
from dractl.topology.dumps import Unreadable
from dractl.topology.json_values import to_typed, without_nulls

_GROUP: Final = "topology.node.k8s.io/"
_VERSIONS: Final = ("v1alpha1", "v1alpha2")
_ZONE: Final = re.compile(r"(?:.*\D)?(\d{1,9})")
_HUGE_PAGES: Final = "hugepages-"
_AGAIN: Final = "compare with `kubectl get noderesourcetopology`"
_BASICS: Final = ("cpu", "memory")
_POLICIES: Final = {
    "BestEffort": ("best-effort", "container"),
    "BestEffortContainerLevel": ("best-effort", "container"),
    "BestEffortPodLevel": ("best-effort", "pod"),
    "Restricted": ("restricted", "container"),
    "RestrictedContainerLevel": ("restricted", "container"),
    "RestrictedPodLevel": ("restricted", "pod"),
    "SingleNUMANode": ("single-numa-node", "container"),
    "SingleNUMANodeContainerLevel": ("single-numa-node", "container"),
    "SingleNUMANodePodLevel": ("single-numa-node", "pod"),
    "None": ("none", "container"),
}


class _Resource(msgspec.Struct, frozen=True):
    name: str
    capacity: Quantity


class _Cost(msgspec.Struct, frozen=True):
    name: str
    value: int


class _Zone(msgspec.Struct, frozen=True):
    name: str
    type: str = ""
    resources: list[_Resource] = []
    costs: list[_Cost] = []


class _Attribute(msgspec.Struct, frozen=True):
    name: str
    value: str


class _Object(msgspec.Struct, frozen=True):
    metadata: ObjectMeta
    topologyPolicies: list[str] = []
    zones: list[_Zone] = []
    attributes: list[_Attribute] = []


class NodeResources(Struct, frozen=True):
    """A NodeResourceTopology: its account of the machine, the topology manager's settings, and devices by NUMA node.

    Empty texts stand for what it does not say. `devices` has counts by resource.
    """

    node: str
    description: Description
    policy: str = ""
    scope: str = ""
    devices: Mapping[int, Mapping[str, int]] | None = None


def is_node_resource_topology(data: Any) -> bool:
    """Whether an object is a NodeResourceTopology, of any version."""
    return isinstance(data, dict) and data.get("kind") == "NodeResourceTopology"


def read_node_resource_topology(data: Any, place: Place) -> NodeResources:
    """What the object says. Raises Unreadable with the path of what does not fit, from the document's root."""
    version = str(data.get("apiVersion", ""))
    if version.removeprefix(_GROUP) not in _VERSIONS:
        raise Unreadable(
            f"unknown version {version!r}", f"{_GROUP}v1alpha2 and v1alpha1 are read", path=(*place.path, "apiVersion")
        )
    value = to_typed(without_nulls(data), _Object, path=place.path, remedy=lambda _: _AGAIN)
    zones = _numa_zones(value.zones, (*place.path, "zones"))
    if not zones:
        raise Unreadable(
            "no zone is a NUMA node", "the exporter writes one zone of type Node for each", path=(*place.path, "zones")
        )
    policy, scope = _settings(value)
    description = Description(
        place.origin,
        DumpFormat.NODE_RESOURCE_TOPOLOGY,
        numa={node: _facts(zone, zones) for node, zone in zones.items()},
        node_names=(value.metadata.name,) if value.metadata.name else (),
    )
    devices = {node: _device_counts(zone) for node, zone in zones.items()}
    return NodeResources(value.metadata.name, description, policy, scope, devices)


def _numa_zones(zones: Sequence[_Zone], path: FieldPath) -> dict[int, _Zone]:
    """The zones that are NUMA nodes, by id. Each is there once, and has nothing of which there is less than none."""
    found: dict[int, _Zone] = {}
    for at, zone in enumerate(zones):
        if zone.type not in ("", "Node"):
            continue
        node = _node_id(zone, (*path, at))
        if node in found:
            raise Unreadable(f"the zone of NUMA node {node} is there twice", _AGAIN, path=(*path, at, "name"))
        for number, resource in enumerate(zone.resources):
            if resource.capacity.nano < 0:
                where = (*path, at, "resources", number, "capacity")
                raise Unreadable(f"a capacity of {resource.capacity} is impossible", _AGAIN, path=where)
        found[node] = zone
    return found


def _node_id(zone: _Zone, path: FieldPath) -> int:
    match = _ZONE.fullmatch(zone.name)
    if match is None or int(match[1]) > LARGEST_ID:
        raise Unreadable(
            f"the zone {zone.name!r} names no NUMA node", "node-0 is the name of node 0", path=(*path, "name")
        )
    return int(match[1])


def _facts(zone: _Zone, zones: Mapping[int, _Zone]) -> NumaFacts:
    amounts = {resource.name: resource.capacity for resource in zone.resources}
    costs = {cost.name: cost.value for cost in zone.costs}
    names = [zones[node].name for node in sorted(zones)]
    cpus, memory = amounts.get("cpu"), amounts.get("memory")
    return NumaFacts(
        _units(memory) if memory is not None else None,
        huge_pages=_huge_pages(amounts),
        distances=tuple(costs[name] for name in names) if all(name in costs for name in names) else None,
        cpu_count=_units(cpus) if cpus is not None else None,
    )


def _units(amount: Quantity) -> int:
    return int(amount.nano // 10**9)


def _huge_pages(amounts: Mapping[str, Quantity]) -> tuple[HugePages, ...] | None:
    pages = []
    for name, amount in amounts.items():
        size = _page_size(name)
        if size:
            pages.append(HugePages(size, _units(amount) // size))
    return tuple(sorted(pages)) or None


def _page_size(resource: str) -> int:
    """Bytes of one page of a resource `hugepages-2Mi`; 0 for any other."""
    if not resource.startswith(_HUGE_PAGES):
        return 0
    try:
        return _units(Quantity.parse(resource.removeprefix(_HUGE_PAGES)))
    except ValueError:
        return 0


def _device_counts(zone: _Zone) -> dict[str, int]:
    return {
        resource.name: _units(resource.capacity)
        for resource in zone.resources
        if resource.name not in _BASICS and not resource.name.startswith(_HUGE_PAGES)
    }


def _settings(value: _Object) -> tuple[str, str]:
    """Policy and scope: the attributes of newer exporters, else the list of older ones."""
    attributes = {attribute.name: attribute.value for attribute in value.attributes}
    policy, scope = _from_policies(value.topologyPolicies)
    return attributes.get("topologyManagerPolicy", policy), attributes.get("topologyManagerScope", scope)


def _from_policies(names: Sequence[str]) -> tuple[str, str]:
    return next((_POLICIES[name] for name in names if name in _POLICIES), ("", ""))
