"""What the joint model has to know to align pods: where devices sit on each node, and who has something to align."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from dractl.api.identities import DeviceId, PodRef
from dractl.cluster.cluster import Cluster
from dractl.kubelet import KubeletState
from dractl.kubelet.demand import PodDemand as KubeletDemand
from dractl.observe.alignment import DeviceLocations
from dractl.planner.admitting import Admitting
from dractl.problem.joint import JointProblem
from dractl.problem.nodes import NodeLayout


def with_layouts(problem: JointProblem, cluster: Cluster, admitting: Admitting) -> JointProblem:
    """The problem for which it is wanted that pods have CPUs, memory and devices on one NUMA node."""
    locations = DeviceLocations(cluster.slices)
    candidates: dict[str, dict[DeviceId, None]] = {}
    for at, claims in problem.problems.items():
        candidates.setdefault(at.node, {}).update(dict.fromkeys(device.id for device in claims.devices))
    held = dict.fromkeys(device for pod in problem.pods for device in pod.holds)
    layouts = {
        node: _layout(problem, admitting, node, locations, candidates.get(node, {}) | held) for node in admitting.states
    }
    return replace(problem, layouts={node: layout for node, layout in layouts.items() if layout.pods})


def _layout(
    problem: JointProblem,
    admitting: Admitting,
    node: str,
    locations: DeviceLocations,
    candidates: Mapping[DeviceId, None],
) -> NodeLayout:
    state = admitting.states[node]
    machine = state.kubelet.machine
    demands = dict(_demands(problem, admitting, state))
    plugged = frozenset(ref for ref, demand in demands.items() if demand.devices)
    asking = frozenset(pod.ref for pod in problem.pods if pod.claims or pod.holds)
    found = ((device, locations.locate(device, machine)) for device in candidates)
    return NodeLayout(
        tuple(each.node_id for each in machine.nodes),
        {device: located.nodes for device, located in found if located is not None},
        frozenset(ref for ref in demands if ref in asking or ref in plugged),
        plugged,
    )


def _demands(
    problem: JointProblem, admitting: Admitting, state: KubeletState
) -> Iterator[tuple[PodRef, KubeletDemand]]:
    """Of pods that get CPUs or memory of their own on the node."""
    for pod in problem.pods:
        demand = state.kubelet.demand_of(admitting.pods[pod.ref])
        if demand.cpus or demand.memory:
            yield pod.ref, demand
