# FEATURE: A4
"""Dumps that describe what no machine can be are refused."""

import pytest

from tests.topology.reading import fault, machine, read, text

NUMACTL = "available: 2 nodes (0-1)\nnode 0 cpus: 0 1\nnode 0 size: 8 MB\nnode 0 free: 7 MB\nnode 1 cpus: {cpus}\n"
ZONES = """apiVersion: topology.node.k8s.io/v1alpha2
kind: NodeResourceTopology
metadata: {{name: n1}}
zones:
- {{name: node-0, type: Node, resources: [{{name: cpu, capacity: "{cpus}"}}]}}
- {{name: {second}, type: Node}}
"""
INFO = """{{"num_cores": {cores}, "topology": [
  {{"node_id": 0, "memory": {memory}, "cores": [{{"core_id": 0, "thread_ids": [0, 1], "socket_id": 0}}]}}]}}"""
XML = """<topology version="2.0"><object type="Machine" os_index="0" cpuset="0x1">
<object type="NUMANode" os_index="0" cpuset="0x1" local_memory="-1"/>
<object type="PU" os_index="0" cpuset="0x1"/></object></topology>"""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (NUMACTL.format(cpus="1 2"), "CPU 1 is on NUMA node 1, and on 0 above"),
        (NUMACTL.format(cpus="2").replace("7 MB", "9 MB"), "of NUMA node 0 more memory is free than it has"),
        (ZONES.format(cpus="4", second="node-0"), "the zone of NUMA node 0 is there twice"),
        (ZONES.format(cpus="-3", second="node-1"), "a capacity of -3 is impossible"),
        (INFO.format(cores=2, memory=-5), "expected int >= 0"),
        (XML, "local_memory=-1 is impossible"),
        (
            "# CPU,Core,Socket,Node\n0,0,0,0\n1,0,0,1\n",
            "CPUs 0 and 1 share core 0 of socket 0, but are on NUMA nodes 0 and 1",
        ),
    ],
)
def test_what_no_machine_can_be(content: str, message: str) -> None:
    assert fault(text(content)).message == message


def test_counts_of_an_old_cadvisor_are_not_believed() -> None:
    assert len(machine(text(INFO.format(cores=7, memory=5))).cpus) == 2


def test_the_kernels_core_ids_may_repeat_on_another_numa_node() -> None:
    assert len(machine(text("# CPU,Core,Socket,Node\n0,4,0,0\n1,4,0,1\n")).cores) == 2


def test_cpus_that_an_xml_passes_over_are_named() -> None:
    beside = '<object type="PU" os_index="3" cpuset="0x8"/></object></topology>'
    content = XML.replace("-1", "1").replace('cpuset="0x1"', 'cpuset="0x9"', 2).replace("</object></topology>", beside)
    (finding,) = read(text(content, "n1.xml")).findings
    assert finding.rule == "topology/skipped-cpus"
    assert finding.message.startswith("CPUs 1-2 are not described")
