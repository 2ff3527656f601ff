"""`numactl -H`: CPUs, memory and distances of NUMA nodes, nothing of sockets or cores (topology-dumps.md §2.2)."""

import re
from collections.abc import Sequence
from typing import Final

from dractl.errors import Origin
from dractl.machine.idsets import LARGEST_ID, CpuSet
from dractl.topology.description import Description, DumpFormat, NumaFacts
from dractl.topology.dumps import Unreadable

_AVAILABLE: Final = re.compile(r"available: (\d+) nodes? \(")
_CPUS: Final = re.compile(r"node (\d+) cpus:([\d\s]*)")
_SIZE: Final = re.compile(r"node (\d+) (size|free): (\d+) MB")
_DISTANCES: Final = "node distances:"
_ROW: Final = re.compile(r"\s*(\d+):\s*([\d\s]+)")
_HEAD: Final = re.compile(r"node((?:\s+\d+)+)\s*")
_MB: Final = 1024 * 1024
_AGAIN: Final = "run `numactl -H` once more and keep all of its output"


def is_numactl(text: str) -> bool:
    """Whether the text is what `numactl -H` prints."""
    return re.search(r"^(?:available: \d+ nodes? \(|node \d+ cpus:|No NUMA )", text, re.MULTILINE) is not None


def read_numactl(text: str, origin: Origin) -> Description:
    """What `numactl -H` says. Memory is in whole MiB, rounded down."""
    lines = text.split("\n")
    cpus: dict[int, CpuSet] = {}
    owner: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for number, line in enumerate(lines, 1):
        if match := _CPUS.fullmatch(line.strip()):
            node = int(match[1])
            cpus[node] = _cpus(match[2], number)
            _check_owners(owner, node, cpus[node], number)
        elif match := _SIZE.fullmatch(line.strip()):
            _take_size(sizes, match, number)
    if not cpus and text.lstrip().startswith("No NUMA "):
        raise Unreadable("numactl found no NUMA nodes", "leave it out: lscpu or a sysfs tree says all there is")
    if not cpus:
        raise Unreadable("no line `node N cpus:`", _AGAIN)
    _check_count(text, len(cpus))
    distances = _distance_rows(lines)
    nodes = {
        node: NumaFacts(sizes.get(node), _MB, None, distances.get(node), cpus[node], len(cpus[node]))
        for node in sorted(cpus)
    }
    return Description(origin, DumpFormat.NUMACTL, numa=nodes)


def _cpus(text: str, line: int) -> CpuSet:
    numbers = [int(word) for word in text.split()]
    if any(number > LARGEST_ID for number in numbers):
        raise Unreadable("a CPU's number is too large", _AGAIN, line=line)
    return CpuSet(numbers)


def _check_owners(owner: dict[int, int], node: int, cpus: CpuSet, line: int) -> None:
    """Notes whose each CPU is; no CPU is on two nodes, and no node is listed twice."""
    for cpu in cpus:
        if cpu in owner:
            raise Unreadable(f"CPU {cpu} is on NUMA node {node}, and on {owner[cpu]} above", _AGAIN, line=line)
        owner[cpu] = node


def _take_size(sizes: dict[int, int], match: re.Match[str], line: int) -> None:
    """Notes the size of a node; what is free of it, which comes later, cannot be more."""
    node, amount = int(match[1]), int(match[3]) * _MB
    if match[2] == "size":
        sizes[node] = amount
    elif amount > sizes.get(node, amount):
        raise Unreadable(f"of NUMA node {node} more memory is free than it has", _AGAIN, line=line)


def _check_count(text: str, found: int) -> None:
    match = _AVAILABLE.search(text)
    if match and int(match[1]) != found:
        raise Unreadable(f"the first line says {match[1]} nodes, but {found} follow", _AGAIN, line=1)


def _distance_rows(lines: Sequence[str]) -> dict[int, tuple[int, ...]]:
    """The row of each node; the columns are the nodes in the order of the head, which is ascending."""
    start = next((at for at, line in enumerate(lines) if line.strip() == _DISTANCES), None)
    if start is None:
        return {}
    rows: dict[int, tuple[int, ...]] = {}
    width = 0
    for number, line in enumerate(lines[start + 1 :], start + 2):
        if head := _HEAD.fullmatch(line):
            width = len(head[1].split())
        elif row := _ROW.fullmatch(line):
            values = tuple(int(word) for word in row[2].split())
            if width and len(values) != width:
                raise Unreadable(f"{len(values)} distances, but the head names {width} nodes", _AGAIN, line=number)
            rows[int(row[1])] = values
    return rows
