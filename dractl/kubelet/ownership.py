"""CPUs that the books give to more than one pod (kubelet.md §13)."""

from itertools import combinations

from msgspec import Struct

from dractl.kubelet.cpu_topology import union
from dractl.kubelet.cpus import CpuBooks, PodCpus
from dractl.machine.idsets import CpuSet


class OwnedTwice(Struct, frozen=True):
    """CPUs that two pods, by UID, believe to have for themselves."""

    first: str
    second: str
    cpus: CpuSet


def owned_twice(books: CpuBooks) -> tuple[OwnedTwice, ...]:
    """Every pair of pods that own a CPU in common, in the order in which they came."""
    owned = {uid: _all_cpus(held) for uid, held in books.pods.items()}
    return tuple(
        OwnedTwice(first, second, CpuSet.of_mask(owned[first] & owned[second]))
        for first, second in combinations(owned, 2)
        if owned[first] & owned[second]
    )


def _all_cpus(held: PodCpus) -> int:
    return held.pod.mask | union(cpus.mask for cpus in held.containers.values())
