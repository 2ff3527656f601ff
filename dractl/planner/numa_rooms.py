"""What kubelets have to give by NUMA node, as the joint model wants it: only what no order of admission can avoid."""

from collections.abc import Mapping
from typing import Final

from dractl.api.core import Pod
from dractl.api.identities import PodRef
from dractl.kubelet import KubeletState, settled
from dractl.kubelet.cpu_policy import CpuPolicy
from dractl.kubelet.demand import ContainerDemand, PodDemand, Role
from dractl.kubelet.kubelet import Kubelet
from dractl.kubelet.merging import Scope, TopologyPolicyName
from dractl.kubelet.options import CpuOption
from dractl.problem.nodes import Amounts, NumaRoom

_CPU: Final = "cpu"


def room_of(state: KubeletState, pods: Mapping[PodRef, Pod]) -> NumaRoom | None:
    """The room on one node for pods to be placed; None where nothing can be said without asking the kubelet.

    On machines with cores or sockets of several sizes the CPU manager may hand out CPUs that are not free, so that
    counting them proves nothing (kubelet.md §13).
    """
    state = settled(state)
    kubelet = state.kubelet
    if kubelet.cpu is not None and not is_even(kubelet.cpu):
        return None
    demands = {ref: kubelet.demand_of(pod) for ref, pod in pods.items()}
    sums = {ref: found for ref, demand in demands.items() if (found := _sums(demand, kubelet))}
    if not sums:
        return None
    free = _free(state)
    parts = {ref: _parts(demands[ref], kubelet) for ref in sums} if _keeps_together(kubelet) else {}
    return NumaRoom(free, _whole(free), {ref: each for ref, each in parts.items() if each}, sums)


def is_even(policy: CpuPolicy) -> bool:
    """Whether all cores and all sockets are of one size."""
    topology = policy.topology
    cores = {own.bit_count() for own in topology.cores.values()}
    sockets = {own.bit_count() for own in topology.sockets.values()}
    return len(cores) == 1 and len(sockets) == 1 and len(topology.sockets) == topology.socket_count


def _keeps_together(kubelet: Kubelet) -> bool:
    """Whether a pod that fits on one NUMA node is refused unless it is on one."""
    strict = (TopologyPolicyName.SINGLE_NUMA_NODE, TopologyPolicyName.RESTRICTED)
    by_socket = kubelet.cpu is not None and CpuOption.ALIGN_BY_SOCKET in kubelet.cpu.options
    return kubelet.topology.name in strict and not by_socket


def _free(state: KubeletState) -> tuple[Amounts, ...]:
    """What each NUMA node has left; a resource without a manager is not limited, and not named."""
    kubelet = state.kubelet
    rows = []
    for node in kubelet.machine.nodes:
        free: dict[str, int] = {}
        if kubelet.cpu is not None:
            available = state.cpus.default.mask & ~kubelet.cpu.reserved
            free[_CPU] = (available & kubelet.cpu.topology.numas.get(node.node_id, 0)).bit_count()
        if kubelet.memory is not None:
            tables = state.memory.machine[node.node_id].tables
            free |= {resource: table.free for resource, table in tables.items()}
        rows.append(free)
    return tuple(rows)


def _whole(free: tuple[Amounts, ...]) -> dict[str, int]:
    total: dict[str, int] = {}
    for row in free:
        for resource, amount in row.items():
            total[resource] = total.get(resource, 0) + amount
    return total


def _sums(demand: PodDemand, kubelet: Kubelet) -> Amounts:
    """What the pod has in the end; what init containers had that have ended may be used again, and does not count."""
    if demand.pooled:
        return _limited(demand.cpus, demand.memory, kubelet)
    total: dict[str, int] = {}
    for container in _staying(demand):
        for resource, amount in _limited(container.cpus, container.memory, kubelet).items():
            total[resource] = total.get(resource, 0) + amount
    return total


def _parts(demand: PodDemand, kubelet: Kubelet) -> tuple[Amounts, ...]:
    """The amounts that have to be on one NUMA node each."""
    if demand.pooled:
        return ()
    if kubelet.topology.scope is Scope.POD:
        parts = [_sums(demand, kubelet)]
    else:
        parts = [_limited(each.cpus, each.memory, kubelet) for each in _staying(demand)]
    return tuple(part for part in parts if part and _has_to_be_together(part, kubelet))


def _staying(demand: PodDemand) -> list[ContainerDemand]:
    return [each for each in demand.containers if each.role is not Role.INIT]


def _limited(cpus: int, memory: tuple[tuple[str, int], ...], kubelet: Kubelet) -> dict[str, int]:
    """CPUs and memory as far as a manager keeps books of them."""
    found = {_CPU: cpus} if cpus and kubelet.cpu is not None else {}
    return found | (dict(memory) if kubelet.memory is not None else {})


def _has_to_be_together(part: Amounts, kubelet: Kubelet) -> bool:
    """Under `restricted` only what one NUMA node could hold if it were idle: more may be spread (kubelet.md §8)."""
    if kubelet.topology.name is TopologyPolicyName.SINGLE_NUMA_NODE:
        return True
    idle = kubelet.memory.idle if kubelet.memory is not None else {}
    sizes = kubelet.cpu.topology.numas if kubelet.cpu is not None else {}
    for resource, amount in part.items():
        if resource == _CPU:
            largest = max((own.bit_count() for own in sizes.values()), default=0)
        else:
            largest = max(
                (node.tables[resource].allocatable for node in idle.values() if resource in node.tables), default=0
            )
        if amount > largest:
            return False
    return True
