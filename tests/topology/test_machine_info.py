# FEATURE: A4
"""cAdvisor's MachineInfo, new and old, and NodeResourceTopology objects."""

import json
from typing import Any

import pytest

from dractl.topology import Dump
from tests.topology.reading import SMALL, fault, kubelet_view, load, machine, only_node, read, text


def core(number: int, *threads: int, socket: int = 0, **more: Any) -> dict[str, Any]:
    return {"core_id": number, "thread_ids": list(threads), "socket_id": socket, **more}


def info(*nodes: dict[str, Any], **more: Any) -> Dump:
    return text(json.dumps({"num_cores": 4, "topology": list(nodes), **more}), "n1.machineinfo.json")


def test_an_old_one_takes_what_it_lacks_from_a_tree() -> None:
    old = json.loads((load(f"{SMALL}/small.machineinfo.json").content or b"").decode())  # type: ignore[union-attr]
    for node in old["topology"]:
        node |= {"distances": None, "hugepages": None, "caches": None}
        for each in node["cores"] or ():
            each["uncore_caches"] = None
    old["num_physical_cores"] = 2
    dump = text(json.dumps(old), "small.machineinfo.json")
    alone, beside = machine(dump), machine(dump, load(f"{SMALL}/small.sysfs.tar.gz"))
    assert kubelet_view(alone) == "7/4/2/2/3/2"
    assert kubelet_view(beside) == "7/4/2/2/3/4"
    assert beside == machine(load(f"{SMALL}/small.sysfs.tar.gz"))


def test_counts_that_are_wrong_or_missing_do_not_matter() -> None:
    seen = machine(info({"node_id": 0, "memory": 7, "cores": [core(0, 0, 1), core(0, 2, 3, socket=1)]}, num_sockets=0))
    assert (kubelet_view(seen), seen.memory) == ("4/2/2/1/1/2", 7)


def test_more_sockets_than_have_cpus() -> None:
    assert machine(info({"node_id": 0, "cores": [core(0, 0)]}, num_sockets=2)).sockets == 2


def test_the_order_of_nodes_is_kept() -> None:
    seen = machine(info({"node_id": 3, "cores": [core(0, 0)]}, {"node_id": 1, "cores": None}))
    assert [node.node_id for node in seen.nodes] == [3, 1]


def test_the_first_uncore_cache_of_a_core_counts() -> None:
    caches = [{"id": 5, "level": 3, "size": 1}, {"id": 9, "level": 4, "size": 2}]
    seen = machine(info({"node_id": 0, "cores": [core(0, 0, uncore_caches=caches), core(1, 1)]}))
    assert [each.uncore_id for each in seen.cores] == [5, None]


def test_without_the_counts_it_is_known_by_its_nodes() -> None:
    dump = text(json.dumps({"topology": [{"node_id": 0, "cores": [core(0, 0)]}]}), "n1.json")
    assert kubelet_view(machine(dump)) == "1/1/1/1/1/1"


@pytest.mark.parametrize(
    ("nodes", "field", "message"),
    [
        ([{"node_id": "zero", "cores": []}], "topology[0].node_id", "must be an integer, but is text"),
        (
            [{"node_id": 0, "cores": [core(0, 0), core(1, 0)]}],
            "topology[0].cores[1].thread_ids",
            "CPU 0 is there twice",
        ),
        ([{"node_id": 0, "cores": [core(0, -1)]}], "topology[0].cores[0].thread_ids", "-1 is no CPU"),
        ([{"node_id": 0, "cores": [core(0, 1 << 60)]}], "topology[0].cores[0].thread_ids", f"{1 << 60} is no CPU"),
        ([{"node_id": 0, "cores": [core(0, 0)]}] * 2, "topology[1].node_id", "node_id 0 is there twice"),
        ([{"node_id": 0, "cores": []}], "topology", "the topology has no cores"),
        (
            [{"node_id": 0, "cores": [{"core_id": 0}]}],
            "topology[0].cores[0]",
            "object missing required field thread_ids",
        ),
    ],
)
def test_what_is_wrong_is_named_by_its_field(nodes: list[dict[str, Any]], field: str, message: str) -> None:
    wrong = fault(info(*nodes))
    assert (wrong.field, wrong.message) == (field, message)
    assert wrong.place is not None


def test_json_that_is_cut_short() -> None:
    wrong = fault(text('{"num_cores": 4,\n "topology": [', "n1.json"))
    assert wrong.position is not None
    assert wrong.file == "n1.json"


def test_json_that_nobody_knows() -> None:
    wrong = fault(text('{"hello": 1, "world": 2}', "n1.json"))
    assert wrong.message == "JSON that dractl does not know (keys: hello, world)"
    assert "lscpu" in wrong.remedy


# --- NodeResourceTopology --------------------------------------------------------------------------------------------

NRT = """apiVersion: topology.node.k8s.io/{version}
kind: NodeResourceTopology
metadata: {{name: n1}}
topologyPolicies: [{policies}]
zones:
- name: node-8
  type: Node
  resources:
  - {{name: cpu, capacity: 20}}
  - {{name: hugepages-2Mi, capacity: 4Mi}}
  - {{name: vendor/nic, capacity: 3}}
- name: socket-0
  type: Socket
"""


@pytest.mark.parametrize("version", ["v1alpha1", "v1alpha2"])
def test_both_versions(version: str) -> None:
    node = only_node(text(NRT.format(version=version, policies="SingleNUMANodePodLevel"), "a.yaml"))
    assert node.reported is not None
    assert (node.reported.policy, node.reported.scope) == ("single-numa-node", "pod")
    assert node.reported.devices == {8: {"vendor/nic": 3}}
    pages = node.descriptions[0].numa[8].huge_pages
    assert pages is not None
    assert (pages[0].size, pages[0].count) == (2 << 20, 2)


def test_both_versions_of_one_object_in_one_file() -> None:
    both = NRT.format(version="v1alpha1", policies="") + "---\n" + NRT.format(version="v1alpha2", policies="")
    assert list(read(text(both, "a.yaml")).nodes) == ["n1"]


def test_a_version_that_does_not_exist() -> None:
    wrong = fault(text(NRT.format(version="v1", policies=""), "a.yaml"))
    assert wrong.message == "unknown version 'topology.node.k8s.io/v1'"
    assert wrong.field == "apiVersion"


def test_a_list_as_kubectl_prints_it_with_other_kinds() -> None:
    item = NRT.format(version="v1alpha2", policies="")
    items = "\n".join("  " + line for line in item.splitlines())
    listed = (
        f"kind: List\napiVersion: v1\nitems:\n-{items[1:]}\n- {{apiVersion: v1, kind: Pod, metadata: {{name: p}}}}\n"
    )
    reading = read(text(listed, "a.yaml"))
    assert list(reading.nodes) == ["n1"]
    assert reading.skipped == ("Pod",)


def test_a_wrong_field_has_its_place_in_the_list() -> None:
    broken = NRT.format(version="v1alpha2", policies="").replace("capacity: 20", "capacity: lots")
    wrong = fault(text("---\n" + broken, "a.yaml"))
    assert wrong.field == "zones[0].resources[0].capacity"
