"""What a machine tells of itself, and when two are the same."""

# FEATURE: K1

import pytest

from dractl.machine.idsets import CpuSet, NumaSet
from dractl.machine.machine import Core, Exactness, HugePages, Machine, NumaNode, Provenance, huge_page_resource

GI = 2**30


def node(node_id: int, socket: int, *cores: tuple[int, ...], memory: int | None = 8 * GI) -> NumaNode:
    return NumaNode(node_id, tuple(Core(number, socket, CpuSet(cpus)) for number, cpus in enumerate(cores)), memory)


def test_cpus_sockets_and_nodes_are_counted() -> None:
    machine = Machine((node(0, 36, (0, 4), (1, 5)), node(1, 8442, (2, 6), (3,)), node(8, 0)))
    assert str(machine.cpus) == "0-6"
    assert machine.sockets == 2
    assert len(machine.cores) == 4
    assert machine.numa_nodes == NumaSet((0, 1, 8))
    assert machine.memory == 24 * GI
    assert machine.numa_nodes_of(CpuSet((1, 6))) == NumaSet((0, 1))


def test_a_source_may_count_sockets_and_memory_itself() -> None:
    machine = Machine((node(0, 0, (0,)),), socket_count=2, memory_capacity=5)
    assert (machine.sockets, machine.memory) == (2, 5)


def test_memory_is_unknown_as_soon_as_one_node_is() -> None:
    assert Machine((node(0, 0, (0,)), node(1, 0, memory=None))).memory is None


def test_machines_are_equal_wherever_they_were_read() -> None:
    first = Machine((node(0, 0, (0, 1)),), provenance=(Provenance("cpus", Exactness.EXACT, "sysfs"),))
    second = Machine((node(0, 0, (0, 1)),), provenance=(Provenance("cpus", Exactness.DERIVED, "lscpu"),))
    assert first == second
    assert hash(first) == hash(second)
    assert first != Machine((node(0, 0, (0, 2)),))


@pytest.mark.parametrize(
    ("size", "resource"),
    [
        (2 * 2**20, "hugepages-2Mi"),
        (GI, "hugepages-1Gi"),
        (64 * 1024, "hugepages-64Ki"),
        (32 * 2**20, "hugepages-32Mi"),
        (16 * GI, "hugepages-16Gi"),
    ],
)
def test_huge_pages_have_the_name_of_their_size(size: int, resource: str) -> None:
    assert huge_page_resource(size) == HugePages(size, 1).resource == resource
