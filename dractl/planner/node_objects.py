"""Node objects as the kubelets would report them: where the input has none, or they lack what dumps tell."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import structs

from dractl.api.base import ObjectMeta, Taint
from dractl.api.core import Node, NodeStatus
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.quantity import NANO, Quantity, QuantityFormat
from dractl.cluster.node_machine import NodeMachine
from dractl.errors import Origin, Place
from dractl.finding import Finding, Severity
from dractl.kubelet import StartFailure
from dractl.kubelet.reservations import StartFault, reservation_of
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.machine import Machine
from dractl.planner.node_start import StartedNode

NOT_READY: Final = "node.kubernetes.io/not-ready"
_HOSTNAME: Final = "kubernetes.io/hostname"
_NOWHERE: Final = Place(Origin(""))


def with_nodes_of_dumps(
    objects: ObjectSet, machines: Mapping[str, NodeMachine]
) -> tuple[ObjectSet, tuple[Finding, ...]]:
    """Where the input has no Node at all: one for each node whose machine is known, with its CPUs and memory."""
    found = {name: known for name, known in machines.items() if known.machine is not None}
    if objects.of(Node) or not found:
        return objects, ()
    nodes = [_node(name, known, known.machine) for name, known in found.items() if known.machine is not None]
    message = f"taken from dumps: {', '.join(found)}; without taints, without labels but the hostname"
    remedy = "add `kubectl get nodes -o yaml` to the input"
    finding = Finding(
        "topology/assumed-nodes", Severity.INFO, message, subject=f"{len(found)} of the nodes", remedy=remedy
    )
    return objects.with_more(nodes), (finding,)


def as_reported(objects: ObjectSet, started: Mapping[str, StartedNode]) -> ObjectSet:
    """The objects with what kubelets tell of their nodes: the devices of their plugins, and that they do not run."""
    return ObjectSet(
        _reported(each, started[each.ref.name]) if isinstance(each.object, Node) and each.ref.name in started else each
        for each in objects
    )


def _node(name: str, known: NodeMachine, machine: Machine) -> Sourced[Node]:
    status = _status(machine, known.configuration or KubeletConfiguration())
    node = Node(metadata=ObjectMeta(name=name, labels={_HOSTNAME: name}), status=status)
    return Sourced(
        node, ObjectRef("Node", "", name), known.place or _NOWHERE, "v1", made_by=ObjectRef("Machine", "", name)
    )


def _status(machine: Machine, configuration: KubeletConfiguration) -> NodeStatus:
    capacity, reserved = _amounts(machine, configuration)
    allocatable = {resource: amount - reserved.get(resource, 0) for resource, amount in capacity.items()}
    return NodeStatus(capacity=_quantities(capacity), allocatable=_quantities(allocatable))


def _amounts(machine: Machine, configuration: KubeletConfiguration) -> tuple[dict[str, int], dict[str, int]]:
    """What there is, and what the kubelet keeps of it, in nano-units (kubelet.md §3.1, §6.1)."""
    capacity = {"cpu": len(machine.cpus) * NANO, "pods": 110 * NANO}
    if machine.memory is not None:
        capacity["memory"] = machine.memory * NANO
    for pages in (pages for node in machine.nodes for pages in node.huge_pages):
        capacity[pages.resource] = capacity.get(pages.resource, 0) + pages.size * pages.count * NANO
    try:
        reservation = reservation_of(machine, configuration)
    except StartFault:
        return capacity, {}
    in_pages = sum(amount for resource, amount in capacity.items() if resource.startswith("hugepages-"))
    return capacity, {"cpu": reservation.cpu.nano, "memory": reservation.memory.nano + in_pages}


def _quantities(amounts: Mapping[str, int]) -> dict[str, Quantity]:
    counted = {"cpu": QuantityFormat.DECIMAL_SI, "pods": QuantityFormat.DECIMAL_SI}
    return {
        resource: Quantity(max(0, amount), counted.get(resource, QuantityFormat.BINARY_SI))
        for resource, amount in amounts.items()
    }


def _reported(sourced: Sourced[Node], started: StartedNode) -> Sourced[Node]:
    node = sourced.object
    if isinstance(started.kubelet, StartFailure):
        taints = node.spec.taints or []
        if not any(taint.key == NOT_READY for taint in taints):
            spec = structs.replace(node.spec, taints=[*taints, Taint(key=NOT_READY, effect="NoSchedule")])
            node = structs.replace(node, spec=spec)
    if node.status.capacity is None and node.status.allocatable is None:
        told = _status(started.machine, started.configuration)
        status = structs.replace(node.status, capacity=told.capacity, allocatable=told.allocatable)
        node = structs.replace(node, status=status)
    missing = dict(_missing_devices(node, started))
    if missing:
        node = structs.replace(node, status=_with_more(node.status, missing))
    return sourced if node is sourced.object else structs.replace(sourced, object=node)


def _missing_devices(node: Node, started: StartedNode) -> Iterator[tuple[str, Quantity]]:
    """Resources of plugins that the Node does not name, with the number of their healthy devices."""
    named = {*(node.status.capacity or ()), *(node.status.allocatable or ())}
    if not named:
        return
    for resource in dict.fromkeys(device.resource for device in started.known.devices):
        if resource not in named:
            healthy = {each.device for each in started.known.devices if each.resource == resource and each.healthy}
            yield resource, Quantity(len(healthy) * NANO)


def _with_more(status: NodeStatus, more: Mapping[str, Quantity]) -> NodeStatus:
    def extended(amounts: Mapping[str, Quantity] | None) -> dict[str, Quantity] | None:
        return None if amounts is None else {**amounts, **more}

    return structs.replace(status, capacity=extended(status.capacity), allocatable=extended(status.allocatable))


def missing_devices_findings(objects: ObjectSet, started: Mapping[str, StartedNode]) -> Sequence[Finding]:
    """That a Node does not name the devices which its plugins offer."""
    return [
        Finding(
            "topology/unreported-devices",
            Severity.INFO,
            f"the Node does not name {', '.join(missing)}, but its plugins offer them: they count",
            node.place.at("status"),
            f"node {node.ref.name}",
            "add the Node as it is now: kubectl get nodes -o yaml",
        )
        for node in objects.of(Node)
        if node.ref.name in started and (missing := dict(_missing_devices(node.object, started[node.ref.name])))
    ]
