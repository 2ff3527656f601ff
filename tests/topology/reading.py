"""Dumps for tests: files of the fixtures, or text made on the spot."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from dractl.cli.dumps import read_objects
from dractl.errors import BadInput, Fault
from dractl.machine.machine import Machine
from dractl.topology import Dump, DumpReading, NodeDumps, read_dumps

ROOT = Path(__file__).parents[2]
SMALL = "fixtures/topology/small"


def load(path: str, node: str = "") -> Dump:
    """A file of the repository, under the name that a user would give it."""
    return Dump(path, (ROOT / path).read_bytes(), node)


def text(content: str, name: str = "n1.txt", node: str = "") -> Dump:
    return Dump(name, content.encode(), node)


def read(*dumps: Dump, known: Mapping[str, int | None] | None = None) -> DumpReading:
    return read_dumps(dumps, read_objects, known_nodes=known)


def only_node(*dumps: Dump) -> NodeDumps:
    nodes = read(*dumps).nodes
    assert len(nodes) == 1
    return next(iter(nodes.values()))


def machine(*dumps: Dump) -> Machine:
    found = only_node(*dumps).machine
    assert found is not None
    return found


def faults(*dumps: Dump) -> Sequence[Fault]:
    with pytest.raises(BadInput) as bad:
        read(*dumps)
    return bad.value.faults


def fault(*dumps: Dump) -> Fault:
    (only,) = faults(*dumps)
    return only


def kubelet_view(seen: Machine) -> str:
    """CPUs / cores / sockets / NUMA nodes with CPUs / NUMA nodes / uncore ids, as the kubelet counts them."""
    uncore = {core.uncore_id if core.uncore_id is not None else f"socket {core.socket}" for core in seen.cores}
    with_cpus = sum(bool(node.cores) for node in seen.nodes)
    counts = (len(seen.cpus), len(seen.cores), seen.sockets, with_cpus, len(seen.nodes), len(uncore))
    return "/".join(map(str, counts))
