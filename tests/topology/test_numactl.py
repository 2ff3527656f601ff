# FEATURE: A4
"""`numactl -H` as it is printed, and what is wrong with it."""

import pytest

from tests.topology.reading import fault, only_node, text

SPARSE = """available: 3 nodes (0,8,255)
node 0 cpus: 0 1 2 3
node 0 size: 130000 MB
node 0 free: 1 MB
node 8 cpus: 4 5
node 8 size: 0 MB
node 8 free: 0 MB
node 255 cpus:
node 255 size: <not available>
node 255 free: <not available>
node distances:
node   0   8  255
  0:  10  40  80
  8:  40  10  80
 255:  80  80  10
"""


def test_sparse_ids_and_a_node_without_cpus() -> None:
    facts = only_node(text(SPARSE)).descriptions[0].numa
    assert {number: str(each.cpus) for number, each in facts.items()} == {0: "0-3", 8: "4-5", 255: ""}
    assert [each.memory for each in facts.values()] == [130000 << 20, 0, None]
    assert facts[255].distances == (80, 80, 10)


@pytest.mark.parametrize(
    ("content", "message", "line"),
    [
        ("No NUMA support available on this system.\n", "numactl found no NUMA nodes", None),
        ("available: 2 nodes (0-1)\nnode 0 cpus: 0\n", "the first line says 2 nodes, but 1 follow", 1),
        (SPARSE.replace("  0:  10  40  80", "  0:  10  40"), "2 distances, but the head names 3 nodes", 13),
        ("node 0 cpus: 0 99999999999\n", "a CPU's number is too large", 1),
    ],
)
def test_what_cannot_be_used_says_why(content: str, message: str, line: int | None) -> None:
    wrong = fault(text(content))
    assert wrong.message == message
    assert (wrong.position.line if wrong.position else None) == line
