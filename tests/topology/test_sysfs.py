# FEATURE: A4
"""Sysfs trees, sound and broken, as cAdvisor would take them (kubelet.md §2, topology-dumps.md §2.1)."""

from dractl.machine.idsets import CpuSet
from dractl.machine.machine import CoreKind
from dractl.topology import Dump
from tests.topology.reading import fault, kubelet_view, machine, read
from tests.topology.trees import SYSTEM, cpu, links, node, tarball


def dump(files: dict[str, str], symbolic: dict[str, str] | None = None) -> Dump:
    return Dump("n1.tar.gz", tarball(files, symbolic))


def test_cores_are_grouped_by_core_id_not_by_siblings() -> None:
    files = cpu(0, 0, 0, siblings="0-1") | cpu(1, 1, 0, siblings="0-1") | node(0, "0-1")
    assert kubelet_view(machine(dump(files))) == "2/2/1/1/1/1"


def test_equal_core_ids_in_two_packages_are_two_cores() -> None:
    files = cpu(0, 0, 0) | cpu(1, 0, 1) | cpu(2, 0, 0) | cpu(3, 0, 1) | node(0, "0-3")
    seen = machine(dump(files))
    assert [str(core.cpus) for core in seen.cores] == ["0,2", "1,3"]
    assert seen.sockets == 2


def test_a_core_is_not_shared_by_two_numa_nodes() -> None:
    files = cpu(0, 0, 0) | cpu(1, 0, 0) | node(0, "0") | node(1, "1")
    assert kubelet_view(machine(dump(files))) == "2/2/1/2/2/1"


def test_books_and_drawers_tell_cores_apart() -> None:
    files = cpu(0, 0, 0) | cpu(1, 0, 0) | node(0, "0-1")
    files |= {f"{SYSTEM}/cpu/cpu{each}/topology/book_id": f"{each}" for each in (0, 1)}
    assert len(machine(dump(files)).cores) == 2


def test_the_links_of_a_node_count_before_its_list() -> None:
    files = cpu(0, 0, 0) | cpu(1, 1, 0) | node(0, "0-1") | node(1, "0-1")
    reading = read(dump(files, links(0, 0) | links(1, 1)))
    seen = reading.nodes["n1"].machine
    assert seen is not None
    assert [str(each.cpus) for each in seen.nodes] == ["0", "1"]
    assert [finding.rule for finding in reading.findings] == ["topology/node-links", "topology/node-links"]
    assert "node0 links CPUs 0, but its cpulist says 0-1" in reading.findings[0].message


def test_a_mask_where_there_is_no_list() -> None:
    files = cpu(0, 0, 0) | cpu(33, 1, 0) | node(0, "")
    del files[f"{SYSTEM}/node/node0/cpulist"]
    files[f"{SYSTEM}/node/node0/cpumap"] = "00000002,00000001\n"
    assert machine(dump(files)).cpus == CpuSet([0, 33])


def test_packages_stand_for_numa_nodes_where_the_kernel_has_none() -> None:
    seen = machine(dump(cpu(0, 0, 3) | cpu(1, 0, 5)))
    assert [each.node_id for each in seen.nodes] == [3, 5]
    assert [each.memory for each in seen.nodes] == [None, None]


def test_a_cpu_without_a_node_is_invisible_and_said() -> None:
    files = cpu(0, 0, 0) | cpu(1, 0, 1) | node(1, "1") | {f"{SYSTEM}/cpu/online": "0-1"}
    reading = read(dump(files))
    seen = reading.nodes["n1"].machine
    assert seen is not None
    assert seen.cpus == CpuSet([1])
    assert seen.sockets == 2
    assert [finding.rule for finding in reading.findings] == ["topology/cpus-without-node"]


def test_offline_cpus_by_any_of_three_files() -> None:
    base = cpu(0, 0, 0) | cpu(1, 1, 0) | node(0, "0-1")
    for extra in ({"cpu/online": "0"}, {"cpu/offline": "1"}, {"cpu/cpu1/online": "0"}):
        seen = machine(dump(base | {f"{SYSTEM}/{path}": text for path, text in extra.items()}))
        assert (seen.cpus, seen.offline) == (CpuSet([0]), CpuSet([1])), extra


def test_node_ten_comes_before_node_two_as_folders_are_listed() -> None:
    files = cpu(0, 0, 0) | node(0, "0") | node(2, "") | node(10, "")
    assert [each.node_id for each in machine(dump(files)).nodes] == [0, 10, 2]


def test_hybrid_cores() -> None:
    files = cpu(0, 0, 0) | cpu(1, 0, 0) | cpu(2, 8, 0) | node(0, "0-2")
    files |= {"sys/devices/cpu_core/cpus": "0-1", "sys/devices/cpu_atom/cpus": "2"}
    assert [core.kind for core in machine(dump(files)).cores] == [CoreKind.PERFORMANCE, CoreKind.EFFICIENCY]


# --- uncore caches ---------------------------------------------------------------------------------------------------


def test_a_cache_of_part_of_a_node_is_an_uncore_cache() -> None:
    halves = {0: "0-1", 1: "0-1", 2: "2-3", 3: "2-3"}
    files = node(0, "0-3")
    for number, cpus in halves.items():
        files |= cpu(number, number, 0, caches={2: (number, str(number)), 3: (number // 2 + 4, cpus)})
    assert [core.uncore_id for core in machine(dump(files)).cores] == [4, 4, 5, 5]


def test_a_cache_of_the_whole_node_is_none() -> None:
    files = node(0, "0-1")
    for number in (0, 1):
        files |= cpu(number, number, 0, caches={3: (7, "0-1")})
    assert [core.uncore_id for core in machine(dump(files)).cores] == [None, None]


def test_a_cache_of_two_nodes_is_one_uncore_cache_of_both() -> None:
    files = node(0, "0") | node(1, "1")
    for number in (0, 1):
        files |= cpu(number, number, 0, caches={3: (7, "0-1")})
    assert [core.uncore_id for core in machine(dump(files)).cores] == [7, 7]


def test_one_cache_without_an_id_ends_the_scan_of_its_node() -> None:
    files = node(0, "0-1") | node(1, "2-3")
    for number in range(4):
        level2 = (number if number != 1 else None, str(number))
        files |= cpu(number, number, 0, caches={2: level2, 3: (number, str(number))})
    assert [core.uncore_id for core in machine(dump(files)).cores] == [None, None, 2, 3]


# --- broken trees ----------------------------------------------------------------------------------------------------


def test_a_missing_file_is_named() -> None:
    files = cpu(0, 0, 0) | cpu(1, 1, 0) | node(0, "0-1")
    del files[f"{SYSTEM}/cpu/cpu1/topology/core_id"]
    wrong = fault(dump(files))
    assert (wrong.file, wrong.subject, wrong.message) == (
        "n1.tar.gz",
        "sys/devices/system/cpu/cpu1/topology/core_id",
        "the file is missing",
    )


def test_a_file_that_holds_something_else() -> None:
    files = cpu(0, 0, 0) | node(0, "0") | {f"{SYSTEM}/cpu/cpu0/topology/core_id": "Permission denied"}
    assert fault(dump(files)).message == "cannot be understood: 'Permission denied' is no number"
    files = cpu(0, 0, 0) | node(0, "zero")
    assert fault(dump(files)).message == "cannot be understood: 'zero' is neither a number nor a range such as 0-3"


def test_an_archive_without_a_tree() -> None:
    wrong = fault(Dump("n1.tar.gz", tarball({"README": "hello"})))
    assert wrong.message == "there is no sysfs tree inside"


def test_several_machines_in_one_archive_are_named_by_their_folders() -> None:
    one = {f"a/{path}": content for path, content in (cpu(0, 0, 0) | node(0, "0")).items()}
    two = {f"b/{path}": content for path, content in (cpu(0, 0, 0) | cpu(1, 1, 0) | node(0, "0-1")).items()}
    nodes = read(Dump("all.tar.xz", tarball(one | two, mode="w:xz"))).nodes
    assert {name: len(each.machine.cpus) for name, each in nodes.items() if each.machine} == {"a": 1, "b": 2}


def test_a_tree_packed_from_inside_sys_devices_system() -> None:
    files = {path.removeprefix(f"{SYSTEM}/"): content for path, content in (cpu(0, 0, 0) | node(0, "0")).items()}
    assert kubelet_view(machine(Dump("n1.tar", tarball(files, mode="w")))) == "1/1/1/1/1/1"


def test_a_machine_whose_firmware_names_no_packages_and_sparse_nodes() -> None:
    files = cpu(8, 8, -1) | cpu(9, 8, -1) | node(0, "8-9") | node(250, "", distance="80 10")
    files[f"{SYSTEM}/node/node0/distance"] = "10 80"
    seen = machine(dump(files, links(0, 8, 9)))
    assert kubelet_view(seen) == "2/1/1/1/2/1"
    assert seen.cores[0].socket == -1
    assert [each.distances for each in seen.nodes] == [(10, 80), (80, 10)]


def test_a_node_across_sockets_beside_nodes_of_one_socket() -> None:
    """Two packages on node 0: their caches are uncore caches. The third package is node 2, with a cache of its own."""
    files = node(0, "0-3") | node(2, "4-5")
    for number in range(6):
        pair = f"{number // 2 * 2}-{number // 2 * 2 + 1}"
        files |= cpu(number, number, number // 2, caches={3: (number // 2, pair)})
    seen = machine(dump(files))
    assert [core.uncore_id for core in seen.cores] == [0, 0, 1, 1, None, None]
    assert seen.sockets == 3
