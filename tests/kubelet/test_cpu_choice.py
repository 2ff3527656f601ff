"""Which CPUs are chosen (kubelet.md §4), without a topology policy, so that nothing but the allocator decides."""

# FEATURE: K2

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dractl.kubelet import KubeletFault, Stop, Stopped, admit
from dractl.kubelet.cpu_topology import cpu_topology
from dractl.kubelet.distributed import Spreading, take_distributed
from dractl.kubelet.packed import Packing, take_packed
from dractl.kubelet.shared_slices import subsets
from dractl.kubelet.taking import Shortage
from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Machine
from tests.kubelet.world import ALPHA_OPTIONS, admitted, configured, container, cpus, grid, node, pod, refused

TWO_SOCKETS = grid(2, 4)
"""CPUs 0-3 and 8-11 on node 0, 4-7 and 12-15 on node 1; siblings are 8 apart."""


def packed(machine: Machine, available: str, wanted: int, packing: Packing = Packing.CORES) -> str:
    taken = take_packed(cpu_topology(machine), CpuSet.parse(available).mask, wanted, packing)
    return taken.text if isinstance(taken, Shortage) else str(CpuSet.of_mask(taken))


@pytest.mark.parametrize(
    ("available", "wanted", "chosen"),
    [
        ("0-15", 0, ""),
        ("0-15", 1, "0"),
        ("0-15", 2, "0,8"),
        ("0-15", 3, "0-1,8"),
        ("0-15", 8, "0-3,8-11"),
        ("0-15", 9, "0-4,8-11"),
        ("1-15", 1, "8"),
        ("1-15", 2, "1,9"),
        ("1-15", 8, "4-7,12-15"),
        ("1-15", 7, "1-3,8-11"),
        ("0,4-15", 2, "0,8"),
        ("2,5,9", 2, "5,9"),
    ],
)
def test_the_fullest_element_that_fits_comes_first(available: str, wanted: int, chosen: str) -> None:
    assert packed(TWO_SOCKETS, available, wanted) == chosen


def test_too_few_cpus_are_a_shortage() -> None:
    assert packed(TWO_SOCKETS, "0-2", 4) == "not enough cpus available to satisfy request: requested=4, available=3"


@given(st.sets(st.integers(0, 31)), st.integers(0, 32), st.sampled_from(Packing), st.sampled_from([1, 2]))
def test_on_even_machines_exactly_so_many_available_cpus_are_chosen(
    available: set[int], wanted: int, packing: Packing, sockets: int
) -> None:
    mask = CpuSet(available).mask
    taken = take_packed(cpu_topology(grid(4, 4, sockets=sockets, caches=2)), mask, wanted, packing)
    if isinstance(taken, Shortage):
        assert wanted > len(available)
    else:
        assert taken & ~mask == 0
        assert taken.bit_count() == wanted


# FEATURE: K3


def test_full_cores_only() -> None:
    state = node(TWO_SOCKETS, configured("none", options=["full-pcpus-only"]))
    assert cpus(admitted(state, pod("p", container("c", "4")))) == "1-2,9-10"
    assert refused(state, pod("p", container("c", "3"))) == (
        "SMTAlignmentError: SMT Alignment Error: requested 3 cpus not multiple cpus per core = 2"
    )
    assert refused(state, pod("p", container("c", "16"))) == (
        "SMTAlignmentError: SMT Alignment Error: not enough free physical CPUs: "
        "available physical CPUs = 14, requested CPUs = 16, CPUs per core = 2"
    )


def test_reserved_cpus_stay_in_the_shared_pool_unless_the_reservation_is_strict() -> None:
    assert str(node(TWO_SOCKETS, configured("none")).cpus.default) == "0-15"
    strict = node(TWO_SOCKETS, configured("none", options=["strict-cpu-reservation"]))
    assert str(strict.cpus.default) == "1-15"
    assert "requested=16, available=15" in refused(strict, pod("p", container("c", "16")))


def test_whole_uncore_caches_come_before_cores() -> None:
    machine = grid(1, 8, caches=4)
    plain = node(machine, configured("none"))
    aligned = node(machine, configured("none", options=["prefer-align-cpus-by-uncorecache"]))
    assert cpus(admitted(plain, pod("p", container("c", "8")))) == "1-4,9-12"
    assert cpus(admitted(aligned, pod("p", container("c", "8")))) == "4-7,12-15"


def test_a_part_of_a_cache_is_taken_when_it_is_exact() -> None:
    assert packed(grid(1, 8, caches=4), "1-15", 3, Packing.UNCORES) == "1,8-9"
    assert packed(grid(1, 8, caches=4), "1-15", 6, Packing.UNCORES) == "4-6,12-14"


def test_spread_over_cores() -> None:
    state = node(TWO_SOCKETS, configured("none", options=["distribute-cpus-across-cores"], gates=ALPHA_OPTIONS))
    assert cpus(admitted(state, pod("p", container("c", "3")))) == "1-3"


def distributed(machine: Machine, available: str, wanted: int, group: int = 1, *, by_socket: bool = False) -> str:
    taken = take_distributed(
        cpu_topology(machine), CpuSet.parse(available).mask, wanted, Spreading(group, by_socket), set()
    )
    return taken.text if isinstance(taken, Shortage) else str(CpuSet.of_mask(taken))


@pytest.mark.parametrize(
    ("wanted", "group", "chosen"),
    [(2, 1, "0,8"), (10, 1, "0-2,4-6,8-9,12-13"), (12, 2, "0-2,4-6,8-10,12-14"), (11, 2, "0-5,8-12"), (16, 1, "0-15")],
)
def test_cpus_are_spread_over_as_few_nodes_as_needed(wanted: int, group: int, chosen: str) -> None:
    assert distributed(TWO_SOCKETS, "0-15", wanted, group) == chosen


@given(st.sets(st.integers(0, 31)), st.integers(0, 32), st.booleans())
def test_spreading_gives_exactly_so_many_available_cpus(available: set[int], wanted: int, by_socket: bool) -> None:
    found = distributed(grid(4, 4, sockets=2), str(CpuSet(available)), wanted, by_socket=by_socket)
    if wanted > len(available):
        assert found.startswith("not enough cpus")
    else:
        assert CpuSet.parse(found) <= CpuSet(available)
        assert len(CpuSet.parse(found)) == wanted


# FEATURE: K2


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_subsets_of_some_sizes_stay_what_they_were(size: int) -> None:
    kept = [(subset, subset.now()) for subset in subsets(range(7), size)]
    assert [before for _, before in kept] == [list(one) for one in combinations(range(7), size)]
    assert all(subset.now() == before for subset, before in kept)


def test_subsets_of_four_are_overwritten_by_their_siblings() -> None:
    visited = subsets(range(8), 4)
    first = next(visited)
    assert first.now() == [0, 1, 2, 3]
    assert len(list(visited)) == 69
    assert first.now() == [0, 1, 2, 7], "the last sibling wrote into the array of the first"


def test_eight_nodes_are_spread_wrongly_and_that_is_said() -> None:
    state = node(grid(8, 16, sockets=2), configured("none", options=["distribute-cpus-across-numa"]))
    admission = admitted(state, pod("p", container("c", "128")))
    nodes = state.kubelet.machine.numa_nodes_of(admission.containers["c"].cpus)
    assert str(nodes) != "0-3"
    assert KubeletFault.ALIASED_NODES in admission.faults


def test_a_rest_that_is_dealt_for_ever_is_a_value() -> None:
    options = ["distribute-cpus-across-numa", "full-pcpus-only"]
    state = node(grid(4, 4), configured("none", options=options, reserved="0,4,8,12"))
    stopped = admit(state, pod("p", container("c", "22")))
    assert isinstance(stopped, Stopped)
    assert (stopped.how, stopped.fault) == (Stop.HANG, KubeletFault.ENDLESS_REMAINDER)
