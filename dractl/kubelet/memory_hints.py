"""Which groups of NUMA nodes can hold so much memory (kubelet.md §6.2)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from dractl.kubelet.demand import Amounts
from dractl.kubelet.faults import KubeletFault
from dractl.kubelet.hints import Group, Hint, groups_over, sums_over
from dractl.kubelet.memory_policy import WRAP, Books
from dractl.kubelet.stopped import KubeletStopped, Stop
from dractl.machine.idsets import NumaSet
from dractl.machine.state_files import NumaMemory

Reusable = Mapping[tuple[NumaSet, str], int]
"""Bytes of a pod's init containers by group of nodes and resource, which its later containers may have as well."""


def groups_with_room(machine: Books, wanted: Amounts, reusable: Reusable) -> tuple[Hint, ...]:
    """Every group of NUMA nodes that has room; preferred are those of the size that an empty machine would need.

    Raises KubeletStopped where a node does not list a resource that is asked for: the kubelet crashes.
    """
    check_listed(machine.values(), wanted)
    fitting: Sequence[Group] = groups_over(tuple(machine))
    for resource, amount in wanted:
        fitting = _holding(machine, fitting, resource, amount)
    fewest = min((group.size for group in fitting), default=0)
    fitting = _free_to_use(machine, fitting)
    for resource, amount in wanted:
        fitting = _with_room(machine, fitting, resource, amount, reusable)
    return tuple(group.hint(preferred=group.size == fewest) for group in fitting)


def check_listed(nodes: Iterable[NumaMemory], wanted: Amounts) -> None:
    """Raises KubeletStopped where a node does not list a resource that is asked for: the kubelet crashes."""
    for node in nodes:
        for resource, _ in wanted:
            if resource not in node.tables:
                raise KubeletStopped(
                    Stop.CRASH,
                    KubeletFault.MISSING_PAGE_SIZE,
                    f"a NUMA node does not list {resource}, which a pod asks for",
                )


def is_locked_otherwise(nodes: Sequence[NumaMemory], group: NumaSet) -> bool:
    """Whether a member of a group of several nodes is in use alone or as part of another group."""
    return any(node.assignments > 0 and (len(node.cells) == 1 or node.cells != group) for node in nodes)


def has_room(nodes: Sequence[NumaMemory], resource: str, amount: int) -> bool:
    """Whether the nodes together have so many bytes free; the sum wraps as the kubelet's does."""
    return sum(node.tables[resource].free for node in nodes) % WRAP >= amount


def _holding(machine: Books, groups: Sequence[Group], resource: str, amount: int) -> Sequence[Group]:
    """Groups that would have so much if nobody used any."""
    sums = _sums(tuple(machine), tuple(node.tables[resource].allocatable for node in machine.values()))
    return [group for group in groups if sums[group.mask] % WRAP >= amount]


def _with_room(
    machine: Books, groups: Sequence[Group], resource: str, amount: int, reusable: Reusable
) -> Sequence[Group]:
    """Groups that have so much left, with what the pod may use again on exactly these nodes."""
    sums = _sums(tuple(machine), tuple(node.tables[resource].free for node in machine.values()))
    again = {nodes.mask: size for (nodes, name), size in reusable.items() if name == resource}
    return [group for group in groups if (sums[group.mask] + again.get(group.mask, 0)) % WRAP >= amount]


@lru_cache(maxsize=1024)
def _sums(nodes: tuple[int, ...], amounts: tuple[int, ...]) -> Mapping[int, int]:
    """By group; what is allocatable never changes, and what is free is asked for several times in one admission."""
    groups = groups_over(nodes)
    return dict(zip((group.mask for group in groups), sums_over(groups, amounts), strict=True))


def _free_to_use(machine: Books, groups: Sequence[Group]) -> Sequence[Group]:
    """Single nodes outside any larger group; several nodes that are unused or are exactly a group in use.

    A single node of a group in use can have been taken alone all the same (§6.3, step 5), which spoils the group.
    """
    alone = grouped = 0
    whole = set()
    for node_id, node in machine.items():
        if len(node.cells) > 1:
            grouped |= 1 << node_id
            if not is_locked_otherwise([machine[cell] for cell in node.cells], node.cells):
                whole.add(node.cells.mask)
        elif node.assignments > 0:
            alone |= 1 << node_id
    return [
        group
        for group in groups
        if (group.mask in whole and group.size > 1)
        or not group.mask & (grouped if group.size == 1 else grouped | alone)
    ]
