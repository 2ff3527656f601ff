"""Filters by what is left on the node: host ports and countable resources (scheduling.md §4, 5 and 6)."""

from collections.abc import Collection, Mapping
from typing import Final

from dractl.api.quantity import Quantity
from dractl.cluster.node_state import NodeState
from dractl.cluster.requests import CPU, MEMORY, PODS
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.refusal import Code, Plugin, Refused
from dractl.solution.outcomes import NotEnough, PortTaken

_FIRST: Final = (PODS, CPU, MEMORY, "ephemeral-storage")


def node_ports(pod: PodInfo, node: NodeState) -> Refused | None:
    """A host port that the pod needs is taken."""
    if not pod.ports:
        return None
    taken = min((port for port in node.ports if any(port.conflicts_with(mine) for mine in pod.ports)), default=None)
    if taken is None:
        return None
    text = "node(s) didn't have free ports for the requested pod ports"
    return Refused(Plugin.PORTS, Code.UNSCHEDULABLE, (PortTaken(taken.protocol, taken.port),), (text,))


def node_resources_fit(asked: Mapping[str, int], node: NodeState, left_to_devices: Collection[str]) -> Refused | None:
    """Every countable resource of which more is asked than there is left; assumed nodes are not checked.

    `left_to_devices` are extended resources that a class serves: where the node has no device plugin for one, devices
    are looked for instead.
    """
    if node.allocatable is None:
        return None
    if left_to_devices:
        there = node.allocatable
        asked = {
            name: amount for name, amount in asked.items() if not (name in left_to_devices and there.get(name, 0) == 0)
        }
    return shortage(asked, node)


def shortage(asked: Mapping[str, int], node: NodeState) -> Refused | None:
    """The resources of which the node has too little left, all of them named."""
    there, requested = node.allocatable or {}, node.requested
    short = [name for name, amount in asked.items() if amount > _left(there, requested, name)]
    if not short:
        return None
    short.sort(key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name))
    hopeless = any(name != PODS and asked[name] > there.get(name, 0) for name in short)
    reasons = tuple(NotEnough(name, Quantity(asked[name]), Quantity(_left(there, requested, name))) for name in short)
    texts = tuple("Too many pods" if name == PODS else f"Insufficient {name}" for name in short)
    return Refused(Plugin.RESOURCES, Code.UNRESOLVABLE if hopeless else Code.UNSCHEDULABLE, reasons, texts)


def _left(allocatable: Mapping[str, int], requested: Mapping[str, int], name: str) -> int:
    """What is left of a resource, nothing of one that the node does not have."""
    return allocatable[name] - requested.get(name, 0) if name in allocatable else 0
