"""The memory manager for one pod: hints, and blocks container by container (kubelet.md §6.2 to §6.4)."""

from typing import Final

from dractl.kubelet.demand import MEMORY, Amounts, ContainerDemand, PodDemand, Role
from dractl.kubelet.faults import KubeletFault
from dractl.kubelet.hints import Hint, Hints, best_hint
from dractl.kubelet.memory_books import Blocks, PodMemory, charged
from dractl.kubelet.memory_hints import check_listed, groups_with_room, has_room, is_locked_otherwise
from dractl.kubelet.memory_policy import Books
from dractl.kubelet.refusal import Refusal, unexpected
from dractl.machine.idsets import NumaSet
from dractl.machine.state_files import MemoryBlock

_WHO: Final = "[memorymanager]"


class MemoryTurn:
    """One pod's turn with the memory manager: the tables and what the pod holds change while it lasts.

    `reusable` are bytes of the pod's init containers by group and resource, for its later containers (§6.4).
    """

    def __init__(self, demand: PodDemand, machine: Books, held: PodMemory, noted: set[KubeletFault]) -> None:
        self.demand: Final = demand
        self.machine = machine
        self.containers = dict(held.containers)
        self.pod = held.pod
        self.reusable: dict[tuple[NumaSet, str], int] = {}
        self.noted: Final = noted

    @property
    def held(self) -> PodMemory:
        """What the pod holds now."""
        return PodMemory(self.containers, self.pod)

    # --- hints -----------------------------------------------------------------------------------------------------

    def container_hints(self, container: ContainerDemand) -> Hints | None:
        """Where the container's memory could be; an empty answer means "do not care", even where there is no room."""
        return self._hints(container.memory, self.containers.get(container.name))

    def pod_hints(self) -> Hints | None:
        """Where all of the pod's memory could be together; of what it holds only the first container's is looked at."""
        own = (self.containers.get(container.name) for container in self.demand.containers)
        return self._hints(self.demand.memory, next((blocks for blocks in own if blocks is not None), None))

    def _hints(self, wanted: Amounts, own: Blocks | None) -> Hints | None:
        if not wanted:
            return None
        if own is not None:
            return _hints_of_blocks(own, wanted)
        fitting = groups_with_room(self.machine, wanted, self.reusable)
        if not fitting:
            self.noted.add(KubeletFault.MEMORY_SHORT)
            return {}
        return {resource: fitting for resource, _ in wanted}

    # --- allocation ------------------------------------------------------------------------------------------------

    def allocate(self, container: ContainerDemand, hint: Hint) -> Refusal | None:
        """Give the container its memory, on the hinted nodes or a group that extends them."""
        if not container.memory:
            return None
        if container.name not in self.containers:
            group = self.group_for(container.memory, hint)
            if isinstance(group, Refusal):
                return group
            blocks = tuple(MemoryBlock(resource, group, amount) for resource, amount in container.memory)
            self.note_wraps(group)
            for block in blocks:
                again = self.reusable.get((group, block.resource), 0)
                self.machine = charged(self.machine, block, max(0, block.size - again))
            self.containers[container.name] = blocks
            self._shrink_earlier_init_containers(container, blocks)
            self._update_reusable(container, blocks)
        else:
            self._update_reusable(container, self.containers[container.name])
        return None

    def group_for(self, wanted: Amounts, hint: Hint) -> NumaSet | Refusal:
        """The NUMA nodes that will hold so much (§6.3, steps 3 to 5)."""
        if hint.nodes is None:
            best = best_hint(groups_with_room(self.machine, wanted, self.reusable))
            if best is None or MEMORY not in dict(wanted):
                return unexpected(
                    f"{_WHO} failed to get the default NUMA affinity, no NUMA nodes with enough memory is available"
                )
            if hint.preferred and not best.preferred:
                return unexpected(f"{_WHO} failed to find the default preferred hint")
            hint = best
        group = self._extended(wanted, hint)
        if isinstance(group, Refusal):
            return group
        if len(group) > 1 and is_locked_otherwise([self.machine[node] for node in group], group):
            return unexpected(f"{_WHO} preferred hint violates NUMA node allocation")
        return group

    def _extended(self, wanted: Amounts, hint: Hint) -> NumaSet | Refusal:
        """The hinted nodes if they have room, else the best group around them."""
        group = hint.nodes if hint.nodes is not None else NumaSet()
        nodes = [self.machine[node] for node in group]
        check_listed(nodes, wanted)
        if all(has_room(nodes, resource, amount) for resource, amount in wanted):
            return group
        fitting = groups_with_room(self.machine, wanted, self.reusable)
        best = best_hint(tuple(other for other in fitting if other.nodes is not None and group <= other.nodes))
        if best is None or best.nodes is None:
            return unexpected(f"{_WHO} failed to find NUMA nodes to extend the current topology hint")
        if hint.preferred and not best.preferred:
            return unexpected(f"{_WHO} failed to find the extended preferred hint")
        return best.nodes

    def note_wraps(self, group: NumaSet) -> None:
        """Whether a node of the group offers more than it has."""
        tables = (table for node in group for table in self.machine[node].tables.values())
        if any(table.allocatable > table.total for table in tables):
            self.noted.add(KubeletFault.MEMORY_WRAPS)

    def _update_reusable(self, container: ContainerDemand, blocks: Blocks) -> None:
        for block in blocks:
            key = (block.nodes, block.resource)
            existing = self.reusable.get(key, 0)
            if container.role is Role.INIT:
                self.reusable[key] = max(existing, block.size)
            else:
                self.reusable[key] = max(0, existing - block.size)

    def _shrink_earlier_init_containers(self, container: ContainerDemand, blocks: Blocks) -> None:
        """What the new blocks hold again is taken off the init containers' blocks, so that the sum stays true."""
        for block in blocks:
            left = block.size
            for earlier in self.demand.containers:
                if earlier is container:
                    break
                if earlier.role is Role.INIT and earlier.name in self.containers:
                    own = self.containers[earlier.name]
                    self.containers[earlier.name] = tuple(_less(part, block, left) for part in own)
                    left -= sum(min(part.size, left) for part in own if _same_kind(part, block))


def _less(part: MemoryBlock, block: MemoryBlock, amount: int) -> MemoryBlock:
    if not _same_kind(part, block):
        return part
    return MemoryBlock(part.resource, part.nodes, max(0, part.size - amount))


def _same_kind(first: MemoryBlock, second: MemoryBlock) -> bool:
    return first.resource == second.resource and first.nodes == second.nodes


def _hints_of_blocks(own: Blocks, wanted: Amounts) -> Hints | None:
    """What is held already is preferred, if it is what is asked for."""
    if sorted((block.resource, block.size) for block in own) != list(wanted):
        return None
    return {block.resource: (Hint(block.nodes, preferred=True),) for block in own}
