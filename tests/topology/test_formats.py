# FEATURE: A4
"""One small machine in every format: whatever a format can say, it says the same."""

import pytest

from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Exactness, HugePages
from dractl.topology import DumpFormat
from tests.topology.reading import ROOT, SMALL, kubelet_view, load, machine, only_node, read

MIB = 1024**2
WITH_CORES = {
    "small.sysfs.tar.gz": "7/4/2/2/3/4",
    "small.machineinfo.json": "7/4/2/2/3/4",
    "small.v1.xml": "7/4/2/2/3/4",
    "small.v2.xml": "7/4/2/2/3/4",
    "small.v3.xml": "7/4/2/2/3/4",
    "small.lscpu.json": "7/4/2/2/2/4",
    "small.lscpu-e.txt": "7/4/2/2/2/4",
    "small.lscpu-p.txt": "7/4/2/2/2/4",
}
WITH_MEMORY = [name for name in WITH_CORES if "lscpu" not in name]
WITH_PCI = ["small.sysfs.tar.gz", "small.v1.xml", "small.v2.xml", "small.v3.xml"]


@pytest.mark.parametrize("name", WITH_CORES)
def test_sockets_nodes_cores_and_threads(name: str) -> None:
    seen = machine(load(f"{SMALL}/{name}"))
    assert kubelet_view(seen) == WITH_CORES[name]
    assert {str(core.cpus): core.socket for core in seen.cores} == {"0,4": 0, "1,5": 0, "2,6": 1, "3": 1}
    assert [str(node.cpus) for node in seen.nodes[:2]] == ["0-1,4-5", "2-3,6"]


@pytest.mark.parametrize("name", WITH_MEMORY)
def test_memory_huge_pages_and_distances(name: str) -> None:
    seen = machine(load(f"{SMALL}/{name}"))
    assert [node.memory for node in seen.nodes] == [8192 * MIB - 4096 * 1024, 8192 * MIB, 4096 * MIB]
    assert [node.distances for node in seen.nodes] == [(10, 21, 17), (21, 10, 28), (17, 28, 10)]
    assert [node.huge_pages for node in seen.nodes] == [
        (HugePages(2 * MIB, count), HugePages(1024 * MIB, 0)) for count in (16, 8, 0)
    ]


@pytest.mark.parametrize("name", WITH_PCI)
def test_pci_devices(name: str) -> None:
    devices = {device.address: device for device in machine(load(f"{SMALL}/{name}")).pci_devices}
    nic, gpu = devices["0000:3b:00.1"], devices["0000:d8:00.0"]
    assert (nic.numa_node, nic.root, nic.parent, nic.class_id) == (0, "pci0000:3a", "0000:3a:00.0", "0200")
    assert (gpu.vendor_id, gpu.device_id, gpu.numa_node) == ("10de", "2330", 1)
    assert gpu.local_cpus == CpuSet.parse("2-3,6")


def test_a_device_that_firmware_places_nowhere() -> None:
    devices = {device.address: device for device in machine(load(f"{SMALL}/small.sysfs.tar.gz")).pci_devices}
    assert devices["0000:00:1f.0"].numa_node is None
    assert devices["0000:00:1f.0"].local_cpus is None


@pytest.mark.parametrize("name", ["small.sysfs.tar.gz", "small.lscpu.json", "small.v1.xml", "small.v2.xml"])
def test_offline_cpus(name: str) -> None:
    assert machine(load(f"{SMALL}/{name}")).offline == CpuSet([7])


def test_numactl_knows_no_cores() -> None:
    node = only_node(load(f"{SMALL}/small.numactl.txt"))
    assert node.machine is None
    facts = node.descriptions[0].numa
    assert [str(facts[number].cpus) for number in facts] == ["0-1,4-5", "2-3,6", ""]
    assert facts[0].memory == 8188 * MIB
    assert facts[1].distances == (21, 10, 28)


def test_lscpu_and_numactl_complete_each_other() -> None:
    seen = machine(load(f"{SMALL}/small.lscpu-p.txt"), load(f"{SMALL}/small.numactl.txt"))
    assert kubelet_view(seen) == "7/4/2/2/3/4"
    assert [node.memory for node in seen.nodes] == [8188 * MIB, 8192 * MIB, 4096 * MIB]
    exactness = {each.aspect: each.exactness for each in seen.provenance}
    assert exactness["memory"] is Exactness.DERIVED
    assert exactness["cores and sockets"] is Exactness.DERIVED
    assert exactness["huge pages"] is Exactness.MISSING
    assert exactness["uncore ids"] is Exactness.GUESSED
    assert exactness["distances"] is Exactness.EXACT


def test_a_node_resource_topology_has_counts() -> None:
    node = only_node(load(f"{SMALL}/small.nrt.yaml"))
    assert node.machine is None
    assert node.reported is not None
    assert (node.reported.policy, node.reported.scope) == ("restricted", "pod")
    assert node.reported.devices is not None
    assert node.reported.devices[0] == {"example.com/nic": 2}
    assert [facts.cpu_count for facts in node.descriptions[0].numa.values()] == [4, 3, 0]


def test_everything_at_once_agrees() -> None:
    paths = sorted((ROOT / SMALL).iterdir())
    reading = read(*(load(str(path.relative_to(ROOT))) for path in paths))
    node = reading.nodes["small"]
    assert node.machine is not None
    assert kubelet_view(node.machine) == "7/4/2/2/3/4"
    assert {each.format for each in node.descriptions} == set(DumpFormat) - {DumpFormat.MEMORY_STATE}
    assert {finding.rule for finding in reading.findings} == {"topology/shared-cpus"}
    assert node.configuration is not None
    assert all(each.exactness is Exactness.EXACT for each in node.machine.provenance)


def test_two_readings_are_equal() -> None:
    paths = [str(path.relative_to(ROOT)) for path in sorted((ROOT / SMALL).iterdir())]
    assert read(*map(load, paths)) == read(*map(load, paths))
    assert machine(*map(load, paths)) == machine(*map(load, reversed(paths)))
