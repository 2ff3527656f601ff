# FEATURE: A5
"""KubeletConfiguration, state files and PodResources."""

import json
from typing import Any

import pytest

from dractl.api.quantity import Quantity
from dractl.machine.devices import PluginDevice
from dractl.machine.idsets import CpuSet, NumaSet
from dractl.machine.state_files import MemoryBlock
from dractl.topology import Dump
from tests.topology.reading import ROOT, SMALL, fault, faults, load, only_node, read, text

OLD, NEW = "fixtures/topology/states/old/small", "fixtures/topology/states/new/small"
GIB = 1 << 30
KUBELET = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"


# --- configuration -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kubelet.yaml", "configz.json", "wrapped.yaml"])
def test_configuration_plain_from_the_kubelet_and_wrapped(name: str) -> None:
    configured = read(load(f"{SMALL}/small.{name}")).configuration
    assert configured is not None
    found = configured.configuration
    assert found.cpuManagerPolicyOptions == {"full-pcpus-only": "true"}
    assert (found.topologyManagerPolicy, found.topologyManagerScope, found.reservedSystemCPUs) == (
        "restricted",
        "pod",
        "0",
    )
    assert found.reservedMemory is not None
    assert found.reservedMemory[0].limits == {"memory": Quantity.parse("1Gi")}
    prefix = {"kubelet.yaml": (), "configz.json": ("kubeletconfig",), "wrapped.yaml": ("spec", "kubeletConfig")}
    assert configured.place.path == prefix[name]


def test_a_configuration_for_all_and_one_of_a_node() -> None:
    reading = read(
        load(f"{SMALL}/small.lscpu-p.txt"),
        text(KUBELET + "cpuManagerPolicy: static\n", "all.yaml"),
        text(KUBELET + "cpuManagerPolicy: none\n", "other.yaml", "other"),
    )
    policies = {
        node: found.configuration.cpuManagerPolicy
        for node in reading.nodes
        if (found := reading.configuration_of(node)) is not None
    }
    assert policies == {"small": "static", "other": "none"}


def test_a_file_named_for_a_node_is_of_that_node() -> None:
    reading = read(load(f"{SMALL}/small.lscpu-p.txt"), load(f"{SMALL}/small.kubelet.yaml"))
    assert reading.configuration is None
    assert reading.nodes["small"].configuration is not None


def test_two_that_differ_are_an_error_that_names_both() -> None:
    wrong = fault(text(KUBELET + "cpuManagerPolicy: static\n", "a.yaml"), text(KUBELET, "b.yaml"))
    assert (wrong.file, wrong.message) == (
        "b.yaml",
        "a second kubelet configuration that names no node, and it differs from that at a.yaml:1: nothing says which "
        "node has which",
    )
    assert wrong.remedy.endswith("--kubelet-config NODE=FILE")
    assert read(text(KUBELET, "a.yaml"), text(KUBELET, "b.yaml")).configuration is not None


@pytest.mark.parametrize(
    ("fields", "field", "message"),
    [
        ("cpuManagerPolicyOptions: {full-pcpus-only: true}", "cpuManagerPolicyOptions.full-pcpus-only", "must be text"),
        ("kubeReserved: {cpu: 1}", "kubeReserved.cpu", "must be text, but is an integer"),
        ("reservedMemory: [{numaNode: 0, limits: {memory: much}}]", "reservedMemory[0].limits", ""),
        ('maxPods: "110"', "maxPods", "must be an integer"),
        ("failSwapOn: 'no'", "failSwapOn", "must be true or false"),
        ("cpuManagerReconcilePeriod: 10", "cpuManagerReconcilePeriod", "must be a duration, but is 10"),
        ("syncFrequency: 10 s", "syncFrequency", "must be a duration, but is '10 s'"),
        ("clusterDNS: 10.0.0.10", "clusterDNS", "must be a list"),
        ("resolvConf: false", "resolvConf", "must be text"),
        ("featureGates: {A: 'yes'}", "featureGates.A", "must be true or false, but is text"),
    ],
)
def test_values_of_the_wrong_type(fields: str, field: str, message: str) -> None:
    wrong = fault(text(KUBELET + fields + "\n", "kubelet.yaml"))
    assert wrong.field == field
    assert wrong.message.startswith(message)
    assert wrong.place is not None


def test_an_unknown_version() -> None:
    wrong = fault(text("apiVersion: kubelet.config.k8s.io/v1\nkind: KubeletConfiguration\n", "kubelet.yaml"))
    assert (wrong.field, wrong.message) == ("apiVersion", "unknown version 'kubelet.config.k8s.io/v1'")


def test_fields_that_are_nearly_right_are_said() -> None:
    fields = "cpuManagerPolcy: static\nTopologyManagerPolicy: none\n"
    fields += "systemReservedCgroup: /a\ncpuManagerReconcilePeriod: 5s\n"
    findings = read(text(KUBELET + fields, "kubelet.yaml")).findings
    assert [finding.remedy for finding in findings] == [
        "did you mean cpuManagerPolicy?",
        "did you mean topologyManagerPolicy?",
    ]
    assert [finding.place.path for finding in findings if finding.place] == [
        ("cpuManagerPolcy",),
        ("TopologyManagerPolicy",),
    ]


def test_every_broken_document_of_a_file_is_told() -> None:
    document = KUBELET + "kubeReserved: {cpu: 1}\n"
    found = faults(text(f"{document}---\n{document}", "kubelet.yaml"))
    assert [each.place.origin.document for each in found if each.place] == [0, 1]


# --- state files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", [OLD, NEW])
def test_state_files_old_and_new(folder: str) -> None:
    states = only_node(load(f"{folder}/cpu_manager_state"), load(f"{folder}/memory_manager_state")).states
    assert states.cpu is not None
    assert states.memory is not None
    assert (states.cpu.policy, str(states.cpu.default), states.cpu.damage) == ("static", "0,3-4", "")
    assert states.cpu.entries == {"uid-a": {"main": CpuSet([1, 5])}, "uid-b": {"main": CpuSet([2, 6])}}
    assert (states.memory.policy, states.memory.damage) == ("Static", "")
    assert states.memory.entries["uid-b"]["main"] == (MemoryBlock("memory", NumaSet([1]), GIB),)
    assert states.memory.machine[0].tables["memory"].free == 7478444032 - GIB
    assert states.cpu.pod_entries == ({} if folder == OLD else {"uid-b": CpuSet([2, 6])})
    assert states.memory.pod_entries == (
        {} if folder == OLD else {"uid-b": (MemoryBlock("memory", NumaSet([1]), GIB),)}
    )


def content(path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / path).read_text())
    return found


def cpu_state(**fields: Any) -> Dump:
    return text(json.dumps(fields), "n1/cpu_manager_state")


@pytest.mark.parametrize("name", ["cpu_manager_state", "memory_manager_state"])
@pytest.mark.parametrize("folder", [OLD, NEW])
def test_a_wrong_checksum_is_the_kubelets_own_refusal(folder: str, name: str) -> None:
    file = content(f"{folder}/{name}")
    field = "dataChecksum" if folder == NEW else "checksum"
    states = only_node(text(json.dumps({**file, field: 12345}), f"n1/{name}")).states
    state = states.cpu or states.memory
    assert state is not None
    assert state.damage == "checkpoint is corrupted"


def test_no_checksum_is_accepted_in_old_files() -> None:
    states = only_node(cpu_state(policyName="none", defaultCpuSet="", checksum=0)).states
    assert states.cpu is not None
    assert states.cpu.damage == ""


def test_keys_in_any_case_and_containers_named_like_fields() -> None:
    entries = {"uid": {"cpuset": "1", "data": "2"}}
    states = only_node(cpu_state(POLICYNAME="static", defaultCPUSet="0", Entries=entries)).states
    assert states.cpu is not None
    assert states.cpu.entries == {"uid": {"cpuset": CpuSet([1]), "data": CpuSet([2])}}


def test_policy_none_of_the_memory_manager() -> None:
    states = only_node(
        text('{"policyName":"None","machineState":{},"checksum":4028600187}', "n1/memory_manager_state")
    ).states
    assert states.memory is not None
    assert states.memory.policy == "None"


def test_a_file_of_before_1_18() -> None:
    wrong = fault(cpu_state(policyName="static", defaultCpuSet="0", entries={"container-id": "1-2"}))
    assert "before v1.18" in wrong.message


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"policyName": "static", "defaultCpuSet": "0-x"}, "defaultCpuSet"),
        ({"policyName": 3, "defaultCpuSet": ""}, "policyName"),
        ({"policyName": "static", "defaultCpuSet": "", "data": "{", "dataChecksum": 1}, "data"),
        ({"policyName": "static", "defaultCpuSet": "", "data": "[]", "dataChecksum": 1}, "data"),
        ({"policyName": "static", "defaultCpuSet": "", "entries": {"u": {"c": "9-1"}}}, "entries.u.c"),
    ],
)
def test_what_the_kubelet_could_not_read_either(fields: dict[str, Any], field: str) -> None:
    assert fault(cpu_state(**fields)).field == field


def test_a_state_of_another_node_is_an_error_that_names_both() -> None:
    state = text('{"policyName":"static","defaultCpuSet":"0-63"}', "small/cpu_manager_state")
    wrong = fault(load(f"{SMALL}/small.sysfs.tar.gz"), state)
    assert wrong.file == "small/cpu_manager_state"
    assert wrong.subject == "node small"
    assert wrong.message == (
        f"the CPU manager's state names CPUs 8-63, but by {SMALL}/small.sysfs.tar.gz (sysfs tree) the node has CPUs 0-6"
    )


def test_a_cpu_that_went_offline_is_for_the_kubelet_to_refuse() -> None:
    state = text('{"policyName":"static","defaultCpuSet":"0-7"}', "small/cpu_manager_state")
    assert only_node(load(f"{SMALL}/small.sysfs.tar.gz"), state).states.cpu is not None


def test_memory_of_another_machine_is_an_error_of_another_boot_a_finding() -> None:
    file = content(f"{OLD}/memory_manager_state")
    table = file["machineState"]["1"]["memoryMap"]["memory"]
    table["total"] += 12 * 1024
    boot = text(json.dumps(file), "small/memory_manager_state")
    reading = read(load(f"{SMALL}/small.sysfs.tar.gz"), boot)
    assert [finding.rule for finding in reading.findings] == ["topology/memory-differs"]
    assert "12 KiB apart" in reading.findings[0].message
    table["total"] *= 2
    wrong = fault(load(f"{SMALL}/small.sysfs.tar.gz"), text(json.dumps(file), "small/memory_manager_state"))
    assert "NUMA node 1 has 17179893760 bytes of memory, but" in wrong.message


# --- PodResources ----------------------------------------------------------------------------------------------------


def test_what_containers_hold() -> None:
    held = only_node(load(f"{NEW}/podresources-list.json")).resources.held
    assert [(each.pod, each.container, str(each.cpus)) for each in held] == [
        ("a", "main", "1,5"),
        ("b", "", "2,6"),
        ("b", "main", "2,6"),
    ]
    assert held[0].memory == (MemoryBlock("memory", NumaSet([0]), GIB),)
    assert held[0].devices == (PluginDevice("example.com/nic", "nic-0", NumaSet([0])),)
    assert held[2].memory[0].nodes == NumaSet([1])


def test_which_devices_there_are() -> None:
    resources = only_node(load(f"{NEW}/podresources-allocatable.json")).resources
    assert {device.device: str(device.nodes) for device in resources.devices} == {
        "nic-0": "0",
        "nic-1": "0",
        "gpu-0": "0-1",
        "key-0": "",
    }
    assert resources.cpus == CpuSet(range(1, 7))


def test_both_answers_belong_to_the_node_of_their_folder() -> None:
    node = only_node(load(f"{NEW}/podresources-list.json"), load(f"{NEW}/podresources-allocatable.json"))
    assert node.node == "small"
    assert (len(node.resources.held), len(node.resources.devices)) == (3, 4)


def test_containers_that_hold_cpus_of_another_machine() -> None:
    answer = {"pod_resources": [{"name": "p", "containers": [{"name": "c", "cpu_ids": [70]}]}]}
    dump = text(json.dumps(answer), "small/podresources.json")
    assert "PodResources names CPUs 70" in fault(load(f"{SMALL}/small.sysfs.tar.gz"), dump).message


def test_exporter_and_configuration_that_disagree() -> None:
    configuration = text(KUBELET + "topologyManagerPolicy: best-effort\n", "kubelet.yaml")
    reading = read(load(f"{SMALL}/small.nrt.yaml"), configuration)
    assert [finding.rule for finding in reading.findings] == ["topology/settings-differ"] * 2
    assert reading.findings[0].place is not None
    assert reading.findings[0].place.path == ("topologyManagerPolicy",)
