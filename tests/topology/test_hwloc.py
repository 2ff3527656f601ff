# FEATURE: A4
"""hwloc's XML: schemas, what it hides, and XML that means harm."""

import pytest

from dractl.machine.machine import CoreKind
from tests.topology.reading import fault, faults, kubelet_view, machine, read, text

PU = '<object type="PU" os_index="{0}" cpuset="{1}"/>'


def cpuset(*cpus: int) -> str:
    return f"0x{sum(1 << cpu for cpu in cpus):08x}"


def core(number: int, *cpus: int) -> str:
    threads = "".join(PU.format(cpu, cpuset(cpu)) for cpu in cpus)
    return f'<object type="Core" os_index="{number}" cpuset="{cpuset(*cpus)}">{threads}</object>'


def topology(inside: str, *, version: str = "2.0", infos: str = "", behind: str = "", complete: str = "") -> str:
    attribute = f' version="{version}"' if version else ""
    whole = f' complete_cpuset="{complete}"' if complete else ""
    return (
        f'<?xml version="1.0"?>\n<!DOCTYPE topology SYSTEM "hwloc2.dtd">\n<topology{attribute}>\n'
        f'<object type="Machine" os_index="0" cpuset="0x0000000f"{whole}>{infos}{inside}</object>{behind}</topology>'
    )


def info(name: str, value: str) -> str:
    return f'<info name="{name}" value="{value}"/>'


def numa(number: int, *cpus: int, more: str = "") -> str:
    return f'<object type="NUMANode" os_index="{number}" cpuset="{cpuset(*cpus)}" local_memory="1024"{more}/>'


def test_a_node_beside_the_cores_takes_the_cpus_of_the_smallest_set() -> None:
    everywhere = numa(2, 0, 1, more=' subtype="HBM"')
    inside = everywhere + numa(0, 0) + numa(1, 1) + core(0, 0) + core(1, 1)
    seen = machine(text(topology(inside), "n1.xml"))
    assert [(node.node_id, str(node.cpus)) for node in seen.nodes] == [(0, "0"), (1, "1"), (2, "")]


def test_special_memory_beside_ordinary_memory_has_no_cpus() -> None:
    inside = numa(0, 0, more=' subtype="HBM"') + numa(1, 0, more=' subtype="DRAM"') + core(0, 0)
    reading = read(text(topology(inside), "n1.xml"))
    seen = reading.nodes["n1"].machine
    assert seen is not None
    assert [str(node.cpus) for node in seen.nodes] == ["", "0"]
    assert reading.findings[0].rule == "topology/shared-cpus"


def test_a_machine_of_the_first_schema_without_numa_nodes_is_one_node() -> None:
    inside = f'<object type="Socket" os_index="0" cpuset="0x3">{core(0, 0, 1)}</object>'
    assert kubelet_view(machine(text(topology(inside, version=""), "n1.xml"))) == "2/1/1/1/1/1"


def test_without_core_objects_every_thread_is_a_core() -> None:
    inside = numa(0, 0, 1) + PU.format(0, "0x1") + PU.format(1, "0x2")
    assert kubelet_view(machine(text(topology(inside), "n1.xml"))) == "2/2/1/1/1/1"


def test_cpus_that_a_cgroup_hides_are_said() -> None:
    infos = info("LinuxCgroup", "/job_7") + info("Backend", "Linux")
    reading = read(text(topology(numa(0, 0) + core(0, 0), infos=infos, complete="0x0000000f"), "n1.xml"))
    assert [finding.rule for finding in reading.findings] == ["topology/hidden-cpus"]
    assert "CPUs 1-3 exist" in reading.findings[0].message
    seen = reading.nodes["n1"].machine
    assert seen is not None
    assert "cgroup" in seen.provenance[1].reason


def test_cpus_that_are_missing_outside_a_cgroup_are_offline() -> None:
    infos = info("LinuxCgroup", "/")
    seen = machine(text(topology(numa(0, 0) + core(0, 0), infos=infos, complete="0x0000000f"), "n1.xml"))
    assert str(seen.offline) == "1-3"


def test_a_dump_from_cpuid_alone_has_a_made_up_node() -> None:
    reading = read(text(topology(numa(0, 0) + core(0, 0), infos=info("Backend", "x86")), "n1.xml"))
    assert [finding.rule for finding in reading.findings] == ["topology/no-numa"]


def test_gpu_memory_that_hwloc_hides() -> None:
    gpu = '<object type="PCIDev" pci_busid="0004:04:00.0" pci_type="0302 [10de:1db1] [10de:1212] a1"/>'
    arch = info("Architecture", "ppc64le")
    reading = read(text(topology(numa(0, 0) + core(0, 0) + gpu, infos=arch), "n1.xml"))
    assert [finding.rule for finding in reading.findings] == ["topology/gpu-nodes"]


def test_hybrid_cores() -> None:
    behind = f'<cpukind cpuset="0x1">{info("CoreType", "IntelCore")}</cpukind>'
    behind += f'<cpukind cpuset="0x2">{info("CoreType", "IntelAtom")}</cpukind>'
    seen = machine(text(topology(numa(0, 0, 1) + core(0, 0) + core(1, 1), behind=behind), "n1.xml"))
    assert [each.kind for each in seen.cores] == [CoreKind.PERFORMANCE, CoreKind.EFFICIENCY]


def test_distances_that_are_latencies_and_no_bandwidths() -> None:
    bandwidth = (
        '<distances2 type="NUMANode" nbobjs="2" kind="9" name="Bandwidth" indexing="os">'
        "<indexes>0 1</indexes><u64values>1 2 3 4</u64values></distances2>"
    )
    inside = numa(0, 0) + numa(1, 1) + core(0, 0) + core(1, 1)
    assert machine(text(topology(inside, behind=bandwidth), "n1.xml")).nodes[0].distances == ()
    latency = bandwidth.replace("Bandwidth", "NUMALatency").replace("1 2 3 4", "10 20 30 10")
    seen = machine(text(topology(inside, behind=bandwidth + latency), "n1.xml"))
    assert [node.distances for node in seen.nodes] == [(10, 20), (30, 10)]


def test_distances_in_another_order_than_the_ids() -> None:
    behind = (
        '<distances2 type="NUMANode" nbobjs="2" kind="5" indexing="os">'
        "<indexes>1 0</indexes><u64values>11 12</u64values><u64values>13 14</u64values></distances2>"
    )
    seen = machine(text(topology(numa(0, 0) + numa(1, 1) + core(0, 0) + core(1, 1), behind=behind), "n1.xml"))
    assert [node.distances for node in seen.nodes] == [(14, 13), (12, 11)]


LAUGHS = (
    '<!DOCTYPE t [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>\n<topology><object type="Machine">&b;</object></topology>'
)
OUTSIDE = (
    '<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<topology><object type="Machine">&a;</object></topology>'
)


@pytest.mark.parametrize("content", [LAUGHS, OUTSIDE, LAUGHS.replace("<!ENTITY a", "<!ENTITY % a")])
def test_entities_are_refused(content: str) -> None:
    wrong = fault(text(content, "n1.xml"))
    assert wrong.message == "the XML declares entities, which are not read"
    assert wrong.position is not None
    assert wrong.position.line == 1


def test_nesting_without_end() -> None:
    deep = '<object type="Group">' * 5000 + "</object>" * 5000
    assert fault(text(topology(deep), "n1.xml")).message == "the XML is larger than any machine's"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<svg/>", "XML, but no topology of hwloc"),
        ("<topology version='2.0'><object type='Machine'>", "not XML: no element found"),
        ("<?xml version='1.0' encoding='TF-8'?><topology version='2.0'/>", "not XML: unknown encoding: TF-8"),
        ("<?xml version='1.0' encoding='euc-jp'?><topology version='2.0'/>", "not XML: multi-byte encodings are not"),
        ("<topology version='2.0'/>", "the XML holds no machine"),
        (topology(""), "the XML holds no CPU"),
        (topology(core(0, 0) + core(0, 0)), "CPU 0 is there twice"),
        (topology(core(0, 0).replace('"0x00000001"', '"0xf...f"')), "cpuset cannot be understood"),
        (topology(numa(0, 0).replace("1024", "lots") + core(0, 0)), "local_memory='lots' is no number"),
        (topology(numa(0, 0) + numa(0, 1) + core(0, 0)), "NUMA node 0 is there twice"),
        (topology('<object type="PU" cpuset="0x1"/>'), "a PU without a usable os_index"),
        (topology('<object type="PU" os_index="99999999999" cpuset="0x1"/>'), "a PU without a usable os_index"),
    ],
)
def test_what_cannot_be_used_says_why(content: str, message: str) -> None:
    (wrong,) = faults(text(content, "n1.xml"))
    assert wrong.message.startswith(message)
