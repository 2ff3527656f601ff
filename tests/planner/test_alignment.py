"""Where devices lie beside their pod's CPUs: the kubelet does not align them. FEATURE: K9"""

from dataclasses import replace
from typing import Any, cast

import pytest

from dractl.machine.machine import PciDevice
from dractl.planner.plan import Plan
from tests.kubelet.world import configured, device, grid
from tests.planner.test_kubelets import fixed, known, told
from tests.planner.world import claim, gpu_class, gpus, node, planned, pod

PCI = (
    PciDevice("0000:00:00.0", 0, root="pci0000:00"),
    PciDevice("0000:17:00.0", 0, root="pci0000:16"),
    PciDevice("0000:98:00.0", 1, root="pci0000:97"),
    PciDevice("0000:aa:00.0", None, root="pci0000:a9"),
)
MACHINE = replace(grid(2, 4), pci_devices=PCI)


def with_device(attributes: dict[str, Any], asking: dict[str, Any] | None = None) -> Plan:
    """A pod with two CPUs, which are on NUMA node 0, and a device with these attributes."""
    return planned(
        node("n1", "15"),
        gpu_class(),
        gpus("n1", cast("Any", {"name": "a", "attributes": attributes})),
        claim("c"),
        asking or fixed("p", "2", "c"),
        machines={"n1": known(MACHINE, configured("single-numa-node", memory={0: 512}))},
    )


@pytest.mark.parametrize(
    ("attributes", "nodes", "because"),
    [
        ({"resource.kubernetes.io/numaNode": {"int": 1}}, "1", "resource.kubernetes.io/numaNode"),
        ({"numaNodeID": {"int": 1}}, "1", "numaNodeID"),
        ({"example.com/numaNode": {"int": 0}, "resource.kubernetes.io/numaNode": {"int": 1}}, "1", None),
        ({"resource.kubernetes.io/numaNode": {"ints": [0, 1]}}, "0", None),
        ({"resource.kubernetes.io/numaNode": {"ints": [1, 0]}}, "1", None),
        ({"numaNode": {"ints": [9, 0]}, "resource.kubernetes.io/pcieRoot": {"string": "pci0000:97"}}, "1", None),
        ({"resource.kubernetes.io/pciBusID": {"string": "0000:98:00.0"}}, "1", "resource.kubernetes.io/pciBusID"),
        ({"resource.kubernetes.io/pcieRoot": {"string": "pci0000:97"}}, "1", "resource.kubernetes.io/pcieRoot"),
        ({"resource.kubernetes.io/pcieRoot": {"strings": ["pci0000:16", "pci0000:97"]}}, "0-1", None),
        ({"numaNode": {"int": 9}, "resource.kubernetes.io/pcieRoot": {"string": "pci0000:16"}}, "0", None),
    ],
)
def test_what_tells_where_a_device_is(attributes: dict[str, Any], nodes: str, because: str | None) -> None:
    [alignment] = with_device(attributes).prediction.alignments.values()
    [located] = alignment.devices
    assert (located.name, str(located.nodes)) == ("a", nodes)
    assert because is None or located.because == because


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"numaNode": {"string": "1"}},
        {"resource.kubernetes.io/pcieRoot": {"string": "pci0000:a9"}},
        {"resource.kubernetes.io/pciBusID": {"string": "0000:ff:00.0"}},
        {"resource.kubernetes.io/numaNode": {"int": 7}},
    ],
)
def test_nothing_is_said_where_nothing_tells(attributes: dict[str, Any]) -> None:
    assert with_device(attributes).prediction.alignments == {}


def test_misalignment_is_told_at_the_pod() -> None:
    [finding] = told(with_device({"numaNode": {"int": 1}}), "kubelet/not-aligned")
    assert finding.message == "not on one NUMA node of n1: 2 CPUs on node 0; a on node 1"
    assert "never DRA devices" in finding.remedy
    assert finding.subject == "Pod default/p"


def test_alignment_is_no_finding() -> None:
    plan = with_device({"numaNode": {"int": 0}})
    [alignment] = plan.prediction.alignments.values()
    assert alignment.is_aligned
    assert alignment.away == ()
    assert told(plan, "kubelet/not-aligned") == []


def test_memory_counts_where_a_pod_has_no_cpus_of_its_own() -> None:
    """Half a CPU is not pinned, but the memory of a Guaranteed pod is."""
    plan = with_device({"numaNode": {"int": 1}}, fixed("p", "500m", "c"))
    [finding] = told(plan, "kubelet/not-aligned")
    assert "memory on node 0; a on node 1" in finding.message


def test_pods_without_anything_of_their_own_are_nowhere() -> None:
    assert with_device({"numaNode": {"int": 1}}, pod("p", "c")).prediction.alignments == {}


def test_devices_of_plugins_count_too() -> None:
    asking = fixed("p", "2")
    amounts = {"cpu": "2", "memory": "1Gi", "example.com/dev": "2"}
    asking["spec"]["containers"][0]["resources"] = {"requests": amounts, "limits": amounts}
    offered = (device("d0", 0), device("d1", 1))
    plan = planned(
        node("n1", "15"), asking, machines={"n1": known(MACHINE, configured("best-effort"), devices=offered)}
    )
    [finding] = told(plan, "kubelet/not-aligned")
    assert "example.com/dev:d0 on node 0; example.com/dev:d1 on node 1" in finding.message
