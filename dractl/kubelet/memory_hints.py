"""Which groups of NUMA nodes can hold so much memory (kubelet.md §6.2)."""

from collections.abc import Mapping, Sequence

from dractl.kubelet.demand import Amounts
from dractl.kubelet.hints import Hint, masks_over
from dractl.kubelet.memory_policy import WRAP, Books
from dractl.kubelet.stopped import KubeletStopped, Stop
from dractl.machine.idsets import NumaSet, members_of
from dractl.machine.state_files import NumaMemory

Reusable = Mapping[tuple[NumaSet, str], int]
"""Bytes of a pod's init containers by group of nodes and resource, which its later containers may have as well."""


def groups_with_room(machine: Books, wanted: Amounts, reusable: Reusable) -> tuple[Hint, ...]:
    """Every group of NUMA nodes that has room; preferred are those of the size that an empty machine would need.

    Raises KubeletStopped where a node does not list a resource that is asked for: the kubelet crashes.
    """
    for node in machine.values():
        for resource, _ in wanted:
            if resource not in node.tables:
                raise KubeletStopped(Stop.CRASH, f"a NUMA node does not list {resource}, which a pod asks for")
    fewest = len(machine)
    fitting = []
    for mask, size in masks_over(tuple(machine)):
        nodes = [machine[node] for node in members_of(mask)]
        if any(sum(node.tables[name].allocatable for node in nodes) % WRAP < amount for name, amount in wanted):
            continue
        fewest = min(fewest, size)
        group = NumaSet.of_mask(mask)
        if is_locked_otherwise(nodes, group) if size > 1 else len(nodes[0].cells) > 1:
            continue
        if all(has_room(nodes, name, amount, reusable.get((group, name), 0)) for name, amount in wanted):
            fitting.append((group, size))
    return tuple(Hint(group, preferred=size == fewest) for group, size in fitting)


def is_locked_otherwise(nodes: Sequence[NumaMemory], group: NumaSet) -> bool:
    """Whether a member of a group of several nodes is in use alone or as part of another group."""
    return any(node.assignments > 0 and (len(node.cells) == 1 or node.cells != group) for node in nodes)


def has_room(nodes: Sequence[NumaMemory], resource: str, amount: int, reusable: int = 0) -> bool:
    """Whether the nodes together have so many bytes free; the sum wraps as the kubelet's does."""
    return (sum(node.tables[resource].free for node in nodes) + reusable) % WRAP >= amount
