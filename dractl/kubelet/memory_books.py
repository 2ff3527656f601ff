"""The memory manager's books: taking and giving back, and the check when the kubelet starts (kubelet.md §6)."""

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Final

from msgspec import Struct, field

from dractl.kubelet.memory_policy import STATIC, Books, MemoryPolicy
from dractl.kubelet.reservations import Stage, StartFault
from dractl.machine.idsets import NumaSet
from dractl.machine.state_files import MemoryBlock, MemoryManagerState, MemoryTable, NumaMemory

MEMORY_STATE_FILE: Final = "/var/lib/kubelet/memory_manager_state"

Blocks = tuple[MemoryBlock, ...]


class PodMemory(Struct, frozen=True):
    """What one pod holds: its containers' blocks by name, and the blocks of the whole pod if it has any."""

    containers: Mapping[str, Blocks] = field(default_factory=dict)
    pod: Blocks = ()


class MemoryBooks(Struct, frozen=True):
    """The tables of all NUMA nodes, and what pods hold, by UID."""

    machine: Books = field(default_factory=dict)
    pods: Mapping[str, PodMemory] = field(default_factory=dict)

    def without(self, gone: Set[str]) -> "MemoryBooks":
        """Those pods' memory is free again: a pod's own blocks, or else those of its containers."""
        leaving = {uid for uid in gone if uid in self.pods and self.pods[uid].containers}
        if not leaving:
            return self
        machine = self.machine
        for uid in self.pods:
            if uid in leaving:
                machine = given_back(machine, held_blocks(self.pods[uid]))
        return MemoryBooks(machine, {uid: held for uid, held in self.pods.items() if uid not in leaving})

    def without_containers(self, uid: str, names: Iterable[str]) -> "MemoryBooks":
        """Single containers of a pod are released; blocks of the whole pod stay until its last container goes."""
        held = self.pods.get(uid)
        leaving = [name for name in names if held is not None and name in held.containers]
        if held is None or not leaving:
            return self
        left = {name: blocks for name, blocks in held.containers.items() if name not in leaving}
        pods = {key: value for key, value in self.pods.items() if key != uid}
        if left:
            pods = {**self.pods, uid: PodMemory(left, held.pod)}
        freed: list[MemoryBlock] = []
        if not held.pod:
            freed = [block for name in leaving for block in held.containers[name]]
        elif not left:
            freed = list(held.pod)
        return MemoryBooks(given_back(self.machine, freed), pods)

    def with_pod(self, uid: str, machine: Books, held: PodMemory) -> "MemoryBooks":
        """After an admission."""
        pods = {**self.pods, uid: held} if held.containers or held.pod else self.pods
        return MemoryBooks(machine, pods)


def held_blocks(held: PodMemory) -> Iterator[MemoryBlock]:
    """The blocks with which the tables are charged for a pod."""
    if held.pod:
        yield from held.pod
    else:
        for blocks in held.containers.values():
            yield from blocks


def charged(machine: Books, block: MemoryBlock, amount: int) -> Books:
    """The books when a block is added of which `amount` bytes are not held already.

    Every node of the group counts the block and is locked into the group; bytes come from the lowest nodes first.
    """
    nodes = dict(machine)
    for node_id in block.nodes:
        node = nodes[node_id]
        table = node.tables[block.resource]
        taken = min(amount, table.free)
        amount -= taken
        nodes[node_id] = _changed(node, block.resource, table, taken, node.assignments + 1, block.nodes)
    return nodes


def given_back(machine: Books, blocks: Iterable[MemoryBlock]) -> Books:
    """The books when blocks go; bytes go back to the lowest node that gave some."""
    nodes = dict(machine)
    for block in blocks:
        amount = block.size
        for node_id in block.nodes:
            node = nodes[node_id]
            table = node.tables[block.resource]
            returned = min(amount, table.reserved)
            amount -= returned
            left = node.assignments - 1
            cells = node.cells if left else NumaSet((node_id,))
            nodes[node_id] = _changed(node, block.resource, table, -returned, left, cells)
    return nodes


def memory_books_of(policy: MemoryPolicy, state: MemoryManagerState | None, *, pod_entries: bool) -> MemoryBooks:
    """The books with which the kubelet starts. Raises StartFault where the state contradicts the machine.

    `pod_entries` says whether blocks of whole pods are read (gate PodLevelResourceManagers).
    """
    if state is None:
        return MemoryBooks(policy.idle)
    check_memory_file(state, STATIC)
    if not state.machine and not state.entries:
        return MemoryBooks(policy.idle)
    own = state.pod_entries if pod_entries else {}
    uids = [*state.entries, *(uid for uid in own if uid not in state.entries)]
    pods = {uid: PodMemory(dict(state.entries.get(uid, {})), own.get(uid, ())) for uid in uids}
    if not _agree(_rebuilt(policy, pods), state.machine):
        raise _fault("[memorymanager] the expected machine state is different from the real one")
    return MemoryBooks({node: state.machine[node] for node in sorted(state.machine)}, pods)


def check_memory_file(state: MemoryManagerState, policy: str) -> None:
    """Raises StartFault where the file is damaged or was written under another policy."""
    problem = state.damage
    if not problem and state.policy != policy:
        problem = f'[memorymanager] configured policy "{policy}" differs from state checkpoint policy "{state.policy}"'
    if problem:
        raise _fault(
            f"could not restore state from checkpoint: {problem}, please drain this node and delete the memory manager "
            f'checkpoint file "{MEMORY_STATE_FILE}" before restarting Kubelet'
        )


def _rebuilt(policy: MemoryPolicy, pods: Mapping[str, PodMemory]) -> Books | None:
    """What the tables should say, given what pods hold; None where a block names what the machine does not have."""
    machine = policy.idle
    for held in pods.values():
        for block in held_blocks(held):
            if any(node not in machine or block.resource not in machine[node].tables for node in block.nodes):
                return None
            machine = charged(machine, block, block.size)
    return machine


def _agree(expected: Books | None, found: Books) -> bool:
    """Free and reserved bytes are compared over the whole group of a node, everything else node by node."""
    if expected is None or expected.keys() != found.keys():
        return False
    return all(
        _same_but_use(expected[node], found[node]) and _use(expected, node) == _use(found, node) for node in expected
    )


def _same_but_use(expected: NumaMemory, found: NumaMemory) -> bool:
    if expected.assignments != found.assignments or expected.cells != found.cells:
        return False
    return {name: _fixed(table) for name, table in expected.tables.items()} == {
        name: _fixed(table) for name, table in found.tables.items()
    }


def _fixed(table: MemoryTable) -> tuple[int, int, int]:
    return table.total, table.system_reserved, table.allocatable


def _use(machine: Books, node: int) -> dict[str, tuple[int, int]]:
    group = [machine[cell].tables for cell in machine[node].cells if cell in machine]
    names = {name for tables in group for name in tables}
    return {
        name: (
            sum(tables[name].free for tables in group if name in tables),
            sum(tables[name].reserved for tables in group if name in tables),
        )
        for name in names
    }


def _changed(
    node: NumaMemory, resource: str, table: MemoryTable, taken: int, assignments: int, cells: NumaSet
) -> NumaMemory:
    changed = MemoryTable(
        table.total, table.system_reserved, table.allocatable, table.reserved + taken, table.free - taken
    )
    return NumaMemory({**node.tables, resource: changed}, assignments, cells)


def _fault(message: str) -> StartFault:
    return StartFault(Stage.MEMORY, message)
