# FEATURE: A4
"""Machines as lines: nodes across sockets, caches across nodes, kinds of cores, long lists."""

import pytest

from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Cache, Core, CoreKind, Machine, NumaNode
from dractl.report.canvas import Canvas
from dractl.report.machine_lines import cpus_text, draw_distances, draw_machine, memory_text
from dractl.report.view import View


def nowhere(_: object) -> None:
    return None


def drawn(machine: Machine, width: int | None = None) -> list[str]:
    view = View(nowhere, width=width)
    canvas = Canvas(view)
    draw_machine(canvas, machine, view)
    return [line for line in canvas.text().split("\n") if line]


def core(number: int, socket: int, *cpus: int, kind: CoreKind = CoreKind.STANDARD) -> Core:
    return Core(number, socket, CpuSet(cpus), kind=kind)


def test_a_numa_node_across_two_sockets_is_shown_in_both() -> None:
    node = NumaNode(0, (core(0, 0, 0), core(0, 1, 1)), 1024**3)
    part = "part of the node, the rest is in another socket"
    assert drawn(Machine((node,))) == [
        "socket 0   1 core · 1 CPU",
        f"  NUMA node 0   1 core · 1 CPU 0 · {part}",
        "    0",
        "socket 1   1 core · 1 CPU",
        f"  NUMA node 0   1 core · 1 CPU 1 · {part}",
        "    1",
    ]


def test_a_cache_across_numa_nodes_belongs_to_the_socket() -> None:
    nodes = (NumaNode(0, (core(0, 0, 0, 2),)), NumaNode(1, (core(1, 0, 1, 3),)))
    cache = Cache(3, CpuSet(range(4)), size=32 * 1024**2, cache_id=0)
    lines = drawn(Machine(nodes, caches=(cache,)))
    assert lines[0] == "socket 0   2 cores · 4 CPUs · L3 32 MiB (id 0)"
    assert lines[1:3] == ["  NUMA node 0   1 core · 2 CPUs 0,2", "    [0 2]"]


def test_kinds_of_cores_are_kept_apart() -> None:
    cores = (core(0, 0, 0, 1, kind=CoreKind.PERFORMANCE), core(8, 0, 2, kind=CoreKind.EFFICIENCY))
    assert drawn(Machine((NumaNode(0, cores),)))[2:] == ["    performance cores [0 1]", "    efficiency cores     2"]


def test_lines_are_as_wide_as_the_terminal() -> None:
    node = NumaNode(0, tuple(core(number, 0, number, number + 100) for number in range(10, 40)))
    assert max(map(len, drawn(Machine((node,)), 60)[2:])) <= 60
    assert sum(line.count("[") for line in drawn(Machine((node,)), 60)) == 30


@pytest.mark.parametrize(
    ("cpus", "text"),
    [("0-3", "0-3"), ("0,2,4,6,8,10", "0,2,…,10"), ("0,2,4", "0,2,4"), ("0-19,40-59", "0-19,40-59"), ("", "")],
)
def test_lists_of_cpus(cpus: str, text: str) -> None:
    assert cpus_text(CpuSet.parse(cpus)) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (4096, "4 KiB"), (8 * 1024**3, "8 GiB"), (99_898_470_400, "93.0 GiB"), (1_621_972_275_200, "1.5 TiB")],
)
def test_amounts_of_memory(size: int, text: str) -> None:
    assert memory_text(size) == text


def test_distances_of_sparse_ids() -> None:
    canvas = Canvas(View(nowhere))
    draw_distances(canvas, {0: (10, 80), 255: (80, 10)})
    assert canvas.text().split("\n")[1:4] == [
        "distances         0 255",
        "  NUMA node 0    10  80",
        "  NUMA node 255  80  10",
    ]


def test_what_no_numa_node_has_is_told() -> None:
    node = NumaNode(1, (core(0, 1, 1),), 1024**3)
    told = "on no NUMA node, and so not shown: 1 socket and 1 GiB of memory"
    assert drawn(Machine((node,), socket_count=2, memory_capacity=2 * 1024**3))[-1] == told
    assert not any("not shown" in line for line in drawn(Machine((node,), memory_capacity=1024**3 + 4096)))
