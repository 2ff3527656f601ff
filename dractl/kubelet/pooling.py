"""Pods with a pool of their own (pod-level resources, pod scope): what is exclusive, what is shared (kubelet.md §9)."""

from collections.abc import Callable

from dractl.kubelet.cpu_turn import CpuTurn
from dractl.kubelet.demand import ContainerDemand, PodDemand, Role
from dractl.kubelet.faults import KubeletFault
from dractl.kubelet.hints import Hint
from dractl.kubelet.memory_books import Blocks, charged
from dractl.kubelet.memory_turn import MemoryTurn
from dractl.kubelet.refusal import Refusal, empty_pool, unexpected
from dractl.kubelet.taking import Shortage
from dractl.machine.idsets import NO_CPUS, CpuSet, NumaSet
from dractl.machine.state_files import MemoryBlock

# --- is there something left to share? -------------------------------------------------------------------------------


def cpu_pool_refusal(demand: PodDemand) -> Refusal | None:
    """Why the pod's CPUs leave nothing for containers that share, if so."""
    culprit = _starved(demand, demand.cpus, lambda container: container.cpus, lambda container: container.cpus == 0)
    if culprit is Role.INIT:
        return empty_pool("pod rejected, pod has shared init containers but no cpus available for them")
    if culprit is Role.APP:
        return empty_pool(
            "pod rejected, sum of exclusive container cpu requests equals pod budget, "
            "leaving no cpus for shared containers"
        )
    return None


def memory_pool_refusal(demand: PodDemand) -> Refusal | None:
    """Why some of the pod's memory leaves nothing for containers that share, if so; the first such resource by name."""
    for resource, budget in demand.memory:
        culprit = _starved(
            demand,
            budget,
            lambda container, resource=resource: dict(container.memory).get(resource, 0),  # type: ignore[misc]
            lambda container: not container.memory,
        )
        if culprit is Role.INIT:
            return empty_pool(f"pod rejected, pod has shared init containers but no {resource} available for them")
        if culprit is Role.APP:
            return empty_pool(
                f"pod rejected, sum of exclusive container {resource} requests equals pod budget, "
                "leaving no memory for shared containers"
            )
    return None


def _starved(
    demand: PodDemand,
    budget: int,
    exclusive: Callable[[ContainerDemand], int],
    shares: Callable[[ContainerDemand], bool],
) -> Role | None:
    """Whether shared init containers (INIT) or containers that stay (APP) find nothing left."""
    taken, some_share = 0, False
    for container in demand.containers:
        if container.role is Role.INIT:
            if shares(container) and taken >= budget:
                return Role.INIT
        elif shares(container):
            some_share = True
        else:
            taken += exclusive(container)
    return Role.APP if some_share and taken >= budget else None


# --- CPUs ------------------------------------------------------------------------------------------------------------


def allocate_pod_cpus(turn: CpuTurn, nodes: NumaSet | None) -> Refusal | None:
    """Take the pod's CPUs in one piece, and hand them out inside. What the pod holds already is not looked at."""
    demand = turn.demand
    if demand.cpus == 0:
        return None
    refusal = cpu_pool_refusal(demand) or turn.smt_refusal(demand.cpus)
    if refusal is not None:
        return refusal
    if turn.pod:
        turn.noted.add(KubeletFault.SECOND_POOL)
    bubble = turn.policy.choose(turn.default, NO_CPUS, demand.cpus, nodes, turn.noted)
    if isinstance(bubble, Shortage):
        return unexpected(bubble.text)
    turn.default -= bubble
    turn.pod = bubble
    inside = _handed_out(turn, bubble)
    if isinstance(inside, Shortage):
        turn.noted.add(KubeletFault.LOST_POOL)
        return unexpected(inside.text)
    turn.containers = inside
    return None


def _handed_out(turn: CpuTurn, bubble: CpuSet) -> dict[str, CpuSet] | Shortage:
    """Containers with CPUs of their own get some of the pod's; the others get what is left, all the same set.

    An init container has what no earlier sidecar took; it ends before the app containers start.
    """
    pool = bubble
    own: dict[str, CpuSet] = {}
    for container in turn.demand.containers:
        if container.cpus == 0:
            if container.role is Role.INIT:
                own[container.name] = pool
            continue
        chosen = turn.policy.take(pool.mask, container.cpus, turn.noted)
        if isinstance(chosen, Shortage):
            return chosen
        own[container.name] = CpuSet.of_mask(chosen)
        if container.role is not Role.INIT:
            pool -= own[container.name]
    return {container.name: own.get(container.name, pool) for container in turn.demand.containers}


# --- memory ----------------------------------------------------------------------------------------------------------


def allocate_pod_memory(turn: MemoryTurn, hint: Hint) -> Refusal | None:
    """Take the pod's memory in one piece, and hand it out inside; the tables are charged once, for the pod."""
    demand = turn.demand
    if not demand.memory:
        return None
    refusal = memory_pool_refusal(demand)
    if refusal is not None:
        return refusal
    if turn.pod:
        turn.noted.add(KubeletFault.SECOND_POOL)
    group = turn.group_for(demand.memory, hint)
    if isinstance(group, Refusal):
        return group
    turn.note_wraps(group)
    turn.pod = tuple(MemoryBlock(resource, group, amount) for resource, amount in demand.memory)
    for block in turn.pod:
        turn.machine = charged(turn.machine, block, block.size)
    turn.containers = {**turn.containers, **_blocks_inside(demand, group)}
    return None


def _blocks_inside(demand: PodDemand, group: NumaSet) -> dict[str, Blocks]:
    left = dict(demand.memory)
    blocks: dict[str, Blocks] = {}
    for container in demand.containers:
        if container.memory:
            blocks[container.name] = _blocks_of(dict(container.memory), group)
            if container.role is not Role.INIT:
                for resource, amount in container.memory:
                    left[resource] = left.get(resource, 0) - amount
        elif container.role is Role.INIT:
            blocks[container.name] = _blocks_of(left, group)
    shared = _blocks_of(left, group)
    for container in demand.containers:
        if container.name not in blocks and shared:
            blocks[container.name] = shared
    return blocks


def _blocks_of(amounts: dict[str, int], group: NumaSet) -> Blocks:
    return tuple(MemoryBlock(resource, group, amount) for resource, amount in sorted(amounts.items()) if amount > 0)
