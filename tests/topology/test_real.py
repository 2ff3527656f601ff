# FEATURE: A4, A5
"""Dumps of real machines, where a checkout has them beside it; they are other people's and not part of this project."""

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

from dractl.machine.machine import Exactness
from dractl.topology import Dump, DumpReading
from tests.topology.reading import ROOT, kubelet_view, read

SHARED = Path(os.environ.get("DRACTL_SHARED", ROOT.parent / "shared"))
REAL = SHARED / "real" / "topology"

pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason=f"there is no {REAL}")


@dataclass(frozen=True)
class Expected:
    """`view` is CPUs / cores / sockets / NUMA nodes with CPUs / NUMA nodes / uncore ids as the kubelet has them."""

    view: str
    node: str
    pci: int = 0
    rules: frozenset[str] = frozenset()
    distances: tuple[int, ...] = ()


MACHINES = {
    "ghw-xeon-2s.tar.gz": Expected("24/12/2/2/2/2", "ghw-xeon-2s", 82, distances=(10, 20)),
    "hwloc-128arm-2pa2n8cluster4co.tar.bz2": Expected(
        "128/128/2/4/4/2", "hwloc-128arm-2pa2n8cluster4co", distances=(10, 16, 32, 33)
    ),
    "hwloc-128arm-2pa2n8cluster4co.lscpu-p.txt": Expected("128/128/2/4/4/2", "hwloc-128arm-2pa2n8cluster4co"),
    "hwloc-128arm-2pa2n8cluster4co.lscpu-p-physical.txt": Expected("128/128/2/4/4/2", "hwloc-128arm-2pa2n8cluster4co"),
    "hwloc-64intel64-heteromem.xml": Expected(
        "64/16/1/4/8/1", "hwloc-64intel64-heteromem", rules=frozenset({"topology/shared-cpus"})
    ),
    "hwloc-cxlmem+dax.v2.xml": Expected("4/4/1/1/1/1", "efi", 17),
    "hwloc-nvidiaDGX2.xml": Expected(
        "4/4/2/2/2/2",
        "hwloc-nvidiaDGX2",
        84,
        rules=frozenset({"topology/skipped-cpus"}),
        distances=(10, 21),
    ),
    "hwloc-offline-cpu0-node0.tar.bz2": Expected(
        "8/8/2/1/1/1",
        "hwloc-offline-cpu0-node0",
        rules=frozenset({"topology/cpus-without-node"}),
        distances=(21, 10),
    ),
    "mpibind-arm64-ulna-hwloc1.xml": Expected("256/64/2/2/2/2", "ulna32", 18, distances=(10, 20)),
    "mpibind-coral-lassen-hwloc1.xml": Expected(
        "160/40/2/2/6/2", "lassen28", 28, frozenset({"topology/hidden-cpus"}), (10, 40, 80, 80, 80, 80)
    ),
    "mpibind-eas-tioga.xml": Expected("128/64/1/4/4/8", "tioga29", 62, distances=(10, 12, 12, 12)),
    "mpibind-epyc-corona.xml": Expected("96/48/2/8/8/16", "corona145", 30, distances=(10, 16, 16, 16, 32, 32, 32, 32)),
    "mpibind-g4dnmetal.xml": Expected(
        "96/48/2/2/2/2", "gpu-st-g4dnmetal-1", 31, frozenset({"topology/cgroup"}), (10, 21)
    ),
    "mpibind-knl-snc4-flat-hwloc1.xml": Expected("272/68/1/4/8/1", "inti9006", 12, frozenset({"topology/cgroup"})),
    "nri-hybrid-client.sysfs.tar.xz": Expected("16/12/1/1/1/1", "nri-hybrid-client", distances=(10,)),
    "nri-snc2-xeon.sysfs.tar.bz2": Expected("80/40/2/4/4/2", "nri-snc2-xeon", distances=(10, 11, 21, 21)),
    "openshift-vm-12cpu/machineinfo.json": Expected("12/12/1/1/1/1", "openshift-vm-12cpu"),
    "openshift-vm-12cpu/sysinfo.tgz": Expected("12/12/1/1/1/1", "openshift-vm-12cpu", 25, distances=(10,)),
    "openshift-xeon-2s-ht-80cpu/lscpu-all.json": Expected("80/40/2/2/2/2", "openshift-xeon-2s-ht-80cpu"),
    "openshift-xeon-2s-ht-80cpu/lscpu-columns.json": Expected("80/40/2/2/2/2", "openshift-xeon-2s-ht-80cpu"),
    "openshift-xeon-2s-ht-80cpu/lscpu-p.txt": Expected("80/40/2/2/2/2", "openshift-xeon-2s-ht-80cpu"),
    "openshift-xeon-2s-ht-80cpu/machineinfo.json": Expected("80/40/2/2/2/2", "openshift-xeon-2s-ht-80cpu"),
    "openshift-xeon-2s-ht-80cpu/sysinfo.tgz": Expected(
        "80/40/2/2/2/2", "openshift-xeon-2s-ht-80cpu", 300, distances=(10, 21)
    ),
}
OTHERS = {
    "kubeletconfig-openshift-performance.yaml",
    "kubeletconfig-rte-single-numa.yaml",
    "nrt-nri-sample.yaml",
    "nrt-worker-node-A.yaml",
    "openshift-vm-12cpu/node.yaml",
    "openshift-xeon-2s-ht-80cpu/node.yaml",
}


def real(name: str) -> Dump:
    return Dump(name, (REAL / name).read_bytes())


@lru_cache
def reading(*names: str) -> DumpReading:
    """Large archives take a while: what several tests look at is read once."""
    return read(*map(real, names))


def test_every_file_has_an_expectation() -> None:
    files = {path.relative_to(REAL).as_posix() for path in REAL.rglob("*") if path.is_file()}
    assert files == {*MACHINES, *OTHERS}


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine(name: str) -> None:
    expected = MACHINES[name]
    found = reading(name)
    (node,) = found.nodes.values()
    assert node.machine is not None
    assert (node.node, kubelet_view(node.machine)) == (expected.node, expected.view)
    assert len(node.machine.pci_devices) == expected.pci
    assert {finding.rule for finding in found.findings} == expected.rules
    assert next(each for each in node.machine.nodes if each.cores).distances == expected.distances


@pytest.mark.parametrize(
    ("folder", "node_name"), [("openshift-xeon-2s-ht-80cpu", "worker1.internal"), ("openshift-vm-12cpu", "sno")]
)
def test_one_machine_described_several_ways(folder: str, node_name: str) -> None:
    """All agree, and the Node object beside them gives the name; its memory is of another boot."""
    found = reading(*(f"{folder}/{path.name}" for path in sorted((REAL / folder).iterdir())))
    (node,) = found.nodes.values()
    assert node.node == node_name
    assert node.machine is not None
    assert all(each.exactness is Exactness.EXACT for each in node.machine.provenance)
    assert not found.findings
    assert {cache.level for cache in node.machine.caches} == {1, 2, 3}


def test_interleaved_cpus_and_huge_pages_of_one_node() -> None:
    (node,) = reading("openshift-xeon-2s-ht-80cpu/sysinfo.tgz").nodes.values()
    assert node.machine is not None
    first, second = node.machine.nodes
    assert [cpu % 2 for cpu in first.cpus] == [0] * 40
    assert [cpu % 2 for cpu in second.cpus] == [1] * 40
    assert [page.count for page in first.huge_pages + second.huge_pages] == [128, 0, 0, 0]


def test_sockets_by_the_kernels_id() -> None:
    (node,) = reading("hwloc-128arm-2pa2n8cluster4co.tar.bz2").nodes.values()
    assert node.machine is not None
    assert {core.socket for core in node.machine.cores} == {36, 8442}


def test_a_tree_and_what_lscpu_made_of_it() -> None:
    names = [name for name in MACHINES if name.startswith("hwloc-128arm")]
    assert len(reading(*names).nodes["hwloc-128arm-2pa2n8cluster4co"].descriptions) == 3


def test_node_resource_topologies() -> None:
    nodes = reading("nrt-nri-sample.yaml", "nrt-worker-node-A.yaml").nodes
    counts = {name: [facts.cpu_count for facts in node.descriptions[0].numa.values()] for name, node in nodes.items()}
    assert counts == {"node1": [20, 30, 30, 30], "worker-node-a": [4, 4]}


@pytest.mark.parametrize(
    ("name", "reserved", "memory_policy"),
    [("kubeletconfig-openshift-performance.yaml", "0", "Static"), ("kubeletconfig-rte-single-numa.yaml", "1,3", "")],
)
def test_configurations(name: str, reserved: str, memory_policy: str) -> None:
    configured = reading(name).configuration
    assert configured is not None
    found = configured.configuration
    assert (found.cpuManagerPolicy, found.topologyManagerPolicy) == ("static", "single-numa-node")
    assert (found.reservedSystemCPUs, found.memoryManagerPolicy) == (reserved, memory_policy)
