"""The packed way of choosing CPUs: as few topology elements as possible, best fit first (kubelet.md §4.1, §4.2)."""

from collections.abc import Callable, Iterator
from enum import StrEnum

from dractl.kubelet.cpu_topology import CpuTopology, union
from dractl.kubelet.taking import Shortage, Taking, ceil_div, not_enough


class Packing(StrEnum):
    """What the packed way does below sockets and NUMA nodes."""

    CORES = "cores"
    UNCORES = "uncores"
    """Caches first, then cores (`prefer-align-cpus-by-uncorecache`)."""
    SPREAD = "spread"
    """No whole cores (`distribute-cpus-across-cores`)."""


def take_packed(topology: CpuTopology, available: int, wanted: int, packing: Packing = Packing.CORES) -> int | Shortage:
    """Choose so many of the available CPUs, as bits.

    Elements that are "full" are taken with all their CPUs. For sockets and cores, full means that as many CPUs are
    free as an average one has; so on uneven machines CPUs are chosen that are not available (kubelet.md §4).
    """
    if wanted == 0:
        return 0
    taking = Taking(topology, available, wanted)
    if taking.free.bit_count() < wanted:
        return not_enough(wanted, taking.free)
    if any(step(taking) for step in _steps(topology, packing)):
        return taking.taken
    return Shortage("failed to allocate cpus")


def _steps(topology: CpuTopology, packing: Packing) -> Iterator[Callable[[Taking], bool]]:
    """Each tells whether all that is wanted is taken."""
    yield from (_full_numas, _full_sockets) if topology.numa_above_socket else (_full_sockets, _full_numas)
    if packing is Packing.UNCORES:
        yield _uncores
    if packing is Packing.SPREAD:
        yield _single_cpus_by_socket
    else:
        yield _full_cores
        yield _single_cpus_by_core


def _full_numas(taking: Taking) -> bool:
    masks = taking.topology.numas
    full = [masks[numa] for numa in taking.numas() if taking.free_in(masks[numa]) == masks[numa].bit_count()]
    return any(taking.take_if_not_too_many(cpus) for cpus in full)


def _full_sockets(taking: Taking) -> bool:
    masks, average = taking.topology.sockets, taking.topology.cpus_per_socket
    full = [masks[socket] for socket in taking.sockets() if taking.free_in(masks[socket]) == average]
    return any(taking.take_if_not_too_many(cpus) for cpus in full)


def _full_cores(taking: Taking) -> bool:
    masks, average = taking.topology.cores, taking.topology.cpus_per_core
    if taking.wanted < average:
        return False
    full = [masks[core] for core in taking.cores() if taking.free_in(masks[core]) == average]
    return any(taking.take_if_not_too_many(cpus) for cpus in full)


def _uncores(taking: Taking) -> bool:
    """For each cache in the order of the beginning: whole caches while they fit, then that one in part."""
    for uncore in taking.uncores():
        if taking.wanted >= taking.topology.cpus_per_uncore and _full_uncores(taking):
            return True
        if _part_of_uncore(taking, uncore):
            return True
    return False


def _full_uncores(taking: Taking) -> bool:
    masks = taking.topology.uncores
    full = [masks[uncore] for uncore in taking.uncores() if taking.free_in(masks[uncore]) == masks[uncore].bit_count()]
    return any(taking.take_if_not_too_many(cpus) for cpus in full)


def _part_of_uncore(taking: Taking, uncore: int) -> bool:
    """Take the rest from the lowest cores of one cache, if their free CPUs are exactly as many as wanted."""
    topology, wanted = taking.topology, taking.wanted
    cores_needed = ceil_div(wanted, topology.cpus_per_core)
    with_free = [core for core in topology.cores_of_uncore[uncore] if taking.free & topology.cores[core]]
    cpus = taking.free & union(topology.cores[core] for core in with_free[:cores_needed])
    if wanted % 2 == 1 and topology.cpus_per_core > 1 and cpus.bit_count() > wanted:
        cpus ^= 1 << (cpus.bit_length() - 1)
    if cpus.bit_count() != wanted:
        return False
    taking.take(cpus)
    return True


def _single_cpus_by_core(taking: Taking) -> bool:
    return any(taking.take_if_not_too_many(1 << cpu) for cpu in taking.free_cpus_by_core())


def _single_cpus_by_socket(taking: Taking) -> bool:
    return any(taking.take_if_not_too_many(1 << cpu) for cpu in taking.free_cpus_by_socket())
