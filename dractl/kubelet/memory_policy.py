"""The Static memory manager policy of one node: what each NUMA node has before any pod came (kubelet.md §6.1)."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from dractl.kubelet.demand import MEMORY
from dractl.kubelet.reservations import Reservation, Stage, StartFault, reserved_memory
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.idsets import NumaSet
from dractl.machine.machine import Machine, NumaNode
from dractl.machine.state_files import MemoryTable, NumaMemory

STATIC: Final = "Static"
NONE: Final = "None"
_WINDOWS_ONLY: Final = "BestEffort"

WRAP: Final = 2**64
"""The kubelet counts bytes without a sign in 64 bits: less than nothing is very much."""

Books = Mapping[int, NumaMemory]
"""By NUMA node, ascending."""


class MemoryPolicy(Struct, frozen=True):
    """The Static policy; `idle` are the books without any pod."""

    idle: Books

    @property
    def nodes(self) -> tuple[int, ...]:
        """All NUMA nodes, ascending."""
        return tuple(self.idle)


def memory_policy_of(
    machine: Machine, configuration: KubeletConfiguration, reservation: Reservation
) -> MemoryPolicy | None:
    """The policy that the configuration names; None for `None`. Raises StartFault.

    Every NUMA node's memory must be known.
    """
    name = configuration.memoryManagerPolicy or NONE
    if name == NONE:
        return None
    if name == _WINDOWS_ONLY:
        message = f'policy "{name}" is not available for platform "linux"'
        raise StartFault(Stage.MEMORY, message, ("memoryManagerPolicy",))
    if name != STATIC:
        raise StartFault(Stage.MEMORY, f'unknown policy: "{name}"', ("memoryManagerPolicy",))
    reserved = reserved_memory(machine, configuration.reservedMemory or [], reservation)
    nodes = sorted(machine.nodes, key=lambda node: node.node_id)
    return MemoryPolicy({node.node_id: _idle(node, reserved.get(node.node_id, {})) for node in nodes})


def _idle(node: NumaNode, reserved: Mapping[str, int]) -> NumaMemory:
    tables = {}
    in_pages = 0
    for pages in node.huge_pages:
        total = pages.count * pages.size
        in_pages += total
        tables[pages.resource] = _table(total, reserved.get(pages.resource, 0), 0)
    tables[MEMORY] = _table(node.memory or 0, reserved.get(MEMORY, 0), in_pages)
    return NumaMemory(tables, 0, NumaSet((node.node_id,)))


def _table(total: int, reserved: int, in_pages: int) -> MemoryTable:
    allocatable = (total - reserved - in_pages) % WRAP
    return MemoryTable(total, reserved, allocatable, 0, allocatable)
