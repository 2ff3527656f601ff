"""Options of the CPU manager that cannot keep their promise on a machine (kubelet.md §4)."""

from collections.abc import Iterator

from msgspec import Struct

from dractl.kubelet.cpu_topology import CpuTopology
from dractl.kubelet.kubelet import Kubelet
from dractl.kubelet.options import CpuOption
from dractl.machine.idsets import CpuSet, members_of
from dractl.machine.machine import Machine


class BrokenPromise(Struct, frozen=True):
    """An option that is on, and why it does not do here what it is for."""

    option: CpuOption
    reason: str


def broken_promises(kubelet: Kubelet) -> tuple[BrokenPromise, ...]:
    """Everything of the kind on this node, in the order of the options."""
    if kubelet.cpu is None:
        return ()
    topology, options = kubelet.cpu.topology, kubelet.cpu.options
    found = [*_whole_cores(topology), *_across_cores(topology), *_uncore_caches(kubelet.machine)]
    return tuple(promise for promise in found if promise.option in options)


def _whole_cores(topology: CpuTopology) -> Iterator[BrokenPromise]:
    largest = max(core.bit_count() for core in topology.cores.values())
    if topology.cpus_per_core < largest:
        yield BrokenPromise(
            CpuOption.FULL_PCPUS,
            f"cores have up to {largest} threads, but {topology.cpus_per_core} on average (rounded down), "
            "and the kubelet goes by the average: containers can share cores",
        )


def _across_cores(topology: CpuTopology) -> Iterator[BrokenPromise]:
    """CPUs are taken by number within a socket: siblings come together unless their numbers are far apart."""
    for socket, cpus in sorted(topology.sockets.items()):
        cores = [topology.cores[core] for core in topology.cores_of_socket[socket]]
        first = sum(1 << cpu for cpu in members_of(cpus)[: len(cores)])
        shared = next((core for core in cores if (core & first).bit_count() > 1), None)
        if shared is not None:
            yield BrokenPromise(
                CpuOption.ACROSS_CORES,
                f"CPUs are taken by number within a socket, and siblings have neighbouring numbers "
                f"(CPUs {CpuSet.of_mask(shared)} are one core of socket {socket})",
            )
            return


def _uncore_caches(machine: Machine) -> Iterator[BrokenPromise]:
    if all(core.uncore_id is None for core in machine.cores):
        yield BrokenPromise(
            CpuOption.UNCORE_CACHE,
            "the kubelet sees no caches that are smaller than a NUMA node; it takes each socket for one cache",
        )
