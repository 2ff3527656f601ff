# FEATURE: A4
"""lscpu in the forms and with the faults that are met."""

import pytest

from dractl.machine.idsets import CpuSet
from tests.topology.reading import fault, kubelet_view, machine, text

TABLE = "CPU NODE SOCKET CORE L1d:L1i:L2:L3 ONLINE\n  0    0      0    0 0:0:0:0          yes\n"
PARSABLE = "# The following is the parsable format\n# CPU,Core,Socket,Node\n"


def test_physical_ids_of_lscpu_y() -> None:
    seen = machine(text(PARSABLE + "0,0,36,0\n1,1,36,0\n2,0,8442,1\n3,1,8442,1\n"))
    assert kubelet_view(seen) == "4/4/2/2/2/2"
    assert {core.socket for core in seen.cores} == {36, 8442}
    assert not any(each.reason for each in seen.provenance if each.aspect == "cores and sockets")


def test_a_machine_without_numa_nodes() -> None:
    seen = machine(text("# CPU,Core,Socket,Node\n0,0,0,\n1,1,1,\n"))
    assert [(node.node_id, str(node.cpus)) for node in seen.nodes] == [(0, "0"), (1, "1")]
    reasons = {each.aspect: each.reason for each in seen.provenance}
    assert reasons["numa nodes"] == "no dump names them"


def test_columns_in_any_order_and_case() -> None:
    assert kubelet_view(machine(text("# CPU,Node,SOCKET,core\n4,0,0,1\n5,0,0,1\n"))) == "2/1/1/1/1/1"


def test_caches_become_uncore_groups() -> None:
    rows = "".join(f"{cpu},{cpu},0,0,,{cpu},{cpu},{cpu},{cpu // 2}\n" for cpu in range(4))
    seen = machine(text("# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n" + rows))
    assert [core.uncore_id for core in seen.cores] == [0, 0, 1, 1]


def test_json_with_nulls_dashes_and_unknown_columns() -> None:
    entry = '{"cpu": 0, "core": 0, "socket": 0, "node": 0, "drawer": "-", "configured": null, "mhz": 21.0, "name": -}'
    assert kubelet_view(machine(text(f'{{"cpus": [{entry}]}}', "n1.json"))) == "1/1/1/1/1/1"


@pytest.mark.parametrize(
    ("content", "message", "line"),
    [
        (PARSABLE + "0,0,0,0\n0,0,0,0\n", "CPU 0 is listed twice", 4),
        (PARSABLE + "0,0,,0\n", "CPU 0 has no value in the column SOCKET", 3),
        (PARSABLE + "0,0,0,0,0\n", "5 values, but the header names 4 columns", 3),
        (PARSABLE + "x,0,0,0\n", "'x' in the column CPU is no number of that kind", 3),
        (PARSABLE + "9999999999,0,0,0\n", "'9999999999' in the column CPU is no number of that kind", 3),
        (PARSABLE, "no CPU is listed", None),
        ("Architecture:   x86_64\nCPU(s):  4\n", "the summary of lscpu has no line for each CPU", None),
        (
            '{"lscpu": [{"field": "Architecture:", "data": "x86_64"}]}',
            "the summary of lscpu has no line for each CPU",
            None,
        ),
        ('{"cpus": [{"cpu": 0,\n "core": }]}', "not JSON: expecting value", 2),
        ('{"cpus": 3}', "the summary of lscpu has no line for each CPU", None),
    ],
)
def test_what_cannot_be_used_says_why_and_where(content: str, message: str, line: int | None) -> None:
    wrong = fault(text(content))
    assert wrong.message == message
    assert (wrong.position.line if wrong.position else None) == line
    assert wrong.remedy


def test_a_table_with_offline_cpus() -> None:
    seen = machine(text(TABLE + "  1    -      -    - -                 no\n"))
    assert (seen.cpus, seen.offline) == (CpuSet([0]), CpuSet([1]))
