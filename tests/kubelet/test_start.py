"""The kubelet starts, and starts again on its state files (kubelet.md §3.1, §5, §10)."""

# FEATURE: K2

from dataclasses import replace as replace_machine
from typing import Any

import pytest
from msgspec.structs import replace

from dractl.kubelet import KubeletFault, KubeletState, StartFailure, removed, restart, running, settled, start
from dractl.kubelet.checkpoints import cpu_state_text, memory_state_text, state_files_of
from dractl.kubelet.ownership import OwnedTwice, owned_twice
from dractl.kubelet.promises import broken_promises
from dractl.kubelet.starting import MissingFacts, Restart
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Core, Exactness, Machine, NumaNode, Provenance
from dractl.machine.state_files import CpuManagerState, StateFiles
from tests.kubelet.world import (
    ALPHA_OPTIONS,
    GI,
    MANAGERS,
    admitted,
    answered,
    configured,
    container,
    cpus,
    grid,
    node,
    pod,
    start_failure,
)


@pytest.mark.parametrize(
    ("fields", "reserved"),
    [
        ({"reserved": "0,8"}, "0,8"),
        ({"reserved": "", "kubeReserved": {"cpu": "1"}}, "0"),
        ({"reserved": "", "kubeReserved": {"cpu": "1500m"}, "systemReserved": {"cpu": "500m"}}, "0,8"),
        ({"reserved": "", "kubeReserved": {"cpu": "1m"}}, "0"),
        ({"reserved": "", "kubeReserved": {"cpu": "1.0004"}}, "0"),
        ({"reserved": "", "kubeReserved": {"cpu": "1.0005"}}, "0,8"),
        ({"reserved": "", "kubeReserved": {"cpu": "2"}, "options": ["distribute-cpus-across-numa"]}, "0,8"),
        ({"reserved": "3", "kubeReserved": {"cpu": "7"}}, "3"),
    ],
)
def test_cpus_are_reserved_by_name_or_by_amount(fields: dict[str, Any], reserved: str) -> None:
    state = node(grid(2, 4), configured("none", **fields))
    assert state.kubelet.cpu is not None
    assert str(CpuSet.of_mask(state.kubelet.cpu.reserved)) == reserved


@pytest.mark.parametrize(
    ("fields", "stage", "message"),
    [
        ({"reserved": ""}, "cpuManager", "[cpumanager] unable to determine reserved CPU resources for static policy"),
        (
            {"reserved": "", "kubeReserved": {"cpu": "17"}},
            "cpuManager",
            "new static policy error: [cpumanager] unable to reserve the required amount of CPUs "
            "(size of  did not equal 17)",
        ),
        ({"reserved": "16"}, "reservedCPUs", "reserved-cpus: 16 is not a subset of online-cpus: 0-15"),
        (
            {"reserved": "x"},
            "reservedCPUs",
            'unable to parse reserved-cpus list: strconv.Atoi: parsing "x": invalid syntax',
        ),
        ({"reserved": "3-1"}, "reservedCPUs", 'unable to parse reserved-cpus list: invalid range "3-1" (3 > 1)'),
        (
            {"cpuManagerPolicy": "none", "options": ["full-pcpus-only", "align-by-socket"]},
            "cpuManager",
            "new none policy error: None policy: received unsupported "
            "options=map[align-by-socket:true full-pcpus-only:true]",
        ),
        ({"cpuManagerPolicy": "dynamic"}, "cpuManager", 'unknown policy: "dynamic"'),
        (
            {"options": ["full-pcpus"]},
            "cpuManager",
            'new static policy error: unknown CPU Manager Policy option: "full-pcpus"',
        ),
        (
            {"cpuManagerPolicyOptions": {"full-pcpus-only": "yes"}},
            "cpuManager",
            'new static policy error: bad value for option "full-pcpus-only": '
            'strconv.ParseBool: parsing "yes": invalid syntax',
        ),
        (
            {"cpuManagerPolicyOptions": {"align-by-socket": "false"}},
            "cpuManager",
            "new static policy error: CPU Manager Policy Alpha-level Options not enabled, "
            'but option "align-by-socket" provided',
        ),
        (
            {"options": ["distribute-cpus-across-numa"], "gates": {"CPUManagerPolicyBetaOptions": False}},
            "cpuManager",
            "new static policy error: CPU Manager Policy Beta-level Options not enabled, "
            'but option "distribute-cpus-across-numa" provided',
        ),
        (
            {"gates": {"PodLevelResourceManagers": True, "PodLevelResources": False}},
            "featureGates",
            "[InPlacePodLevelResourcesVerticalScaling is enabled, but depends on features that are disabled: "
            "[PodLevelResources], PodLevelResourceManagers is enabled, ",
        ),
        (
            {"gates": {"CPUManagerPolicyOptions": False}},
            "featureGates",
            "cannot set feature gate CPUManagerPolicyOptions to false, feature is locked to true",
        ),
    ],
)
def test_what_keeps_the_kubelet_from_starting(fields: dict[str, Any], stage: str, message: str) -> None:
    failure = start_failure(grid(2, 4), configured("none", **fields))
    assert failure.stage == stage
    assert failure.message.startswith(message)


# FEATURE: K3


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("full-pcpus-only", "distribute-cpus-across-cores"),
        ("distribute-cpus-across-numa", "distribute-cpus-across-cores"),
        ("prefer-align-cpus-by-uncorecache", "distribute-cpus-across-cores"),
        ("prefer-align-cpus-by-uncorecache", "distribute-cpus-across-numa"),
    ],
)
def test_options_that_cannot_go_together(first: str, second: str) -> None:
    configuration = configured("none", options=[first, second], gates=ALPHA_OPTIONS)
    assert start_failure(grid(), configuration).message == (
        f"new static policy error: static policy options {first} and {second} can not be used at the same time"
    )
    off = configured("none", cpuManagerPolicyOptions={first: "1", second: "0"}, gates=ALPHA_OPTIONS)
    node(grid(), off)


def test_sockets_are_not_aligned_with_single_nodes_or_with_more_sockets_than_nodes() -> None:
    options: dict[str, Any] = {"options": ["align-by-socket"], "gates": ALPHA_OPTIONS}
    assert (
        "single-numa-node policy is incompatible"
        in start_failure(grid(), configured("single-numa-node", **options)).message
    )
    two_sockets_one_node = Machine((NumaNode(0, (Core(0, 0, CpuSet((0,))), Core(0, 1, CpuSet((1,)))), GI),))
    assert (
        "number of sockets are more than number of NUMA"
        in start_failure(two_sockets_one_node, configured("restricted", **options)).message
    )
    assert cpus(
        admitted(node(grid(4, 4, sockets=2), configured("restricted", **options)), pod("p", container("c", "9")))
    )


def test_options_that_cannot_keep_their_promise_are_named() -> None:
    hybrid = Machine(
        (NumaNode(0, (*(Core(i, 0, CpuSet((2 * i, 2 * i + 1))) for i in range(2)), Core(9, 0, CpuSet((4,)))), GI),)
    )
    [promise] = broken_promises(node(hybrid, configured("none", options=["full-pcpus-only"])).kubelet)
    assert "up to 2 threads, but 1 on average" in promise.reason
    across = configured("none", options=["distribute-cpus-across-cores"], gates=ALPHA_OPTIONS)
    [promise] = broken_promises(node(hybrid, across).kubelet)
    assert "CPUs 0-1 are one core of socket 0" in promise.reason
    assert broken_promises(node(grid(), across).kubelet) == ()
    cached = configured("none", options=["prefer-align-cpus-by-uncorecache"])
    assert broken_promises(node(grid(caches=2), cached).kubelet) == ()
    assert len(broken_promises(node(grid(), cached).kubelet)) == 1
    assert broken_promises(node(grid(), KubeletConfiguration()).kubelet) == ()


# --- what a dump does not say ----------------------------------------------------------------------------------------


def test_facts_that_no_dump_gives_are_asked_for() -> None:
    bare = replace_machine(grid(), nodes=tuple(replace(one, memory=None) for one in grid().nodes))
    configuration = configured("none", memory={0: 512})
    assert start(bare, configuration) == MissingFacts(("memory of NUMA node 0, 1",))
    assert isinstance(start(bare, configured("none")), KubeletState)
    recorded = state_files_of(node(grid(huge={0: 1, 1: 0}), configuration))
    from_file = start(bare, configuration, recorded)
    assert isinstance(from_file, KubeletState)
    assert from_file.kubelet.machine.nodes[0].memory == 8 * GI
    assert from_file.kubelet.machine.nodes[0].huge_pages == grid(huge={0: 1}).nodes[0].huge_pages
    assert start(Machine(()), configured("none")) == MissingFacts(("CPUs",))


def test_distances_that_are_not_known_are_missing_but_those_that_do_not_exist_fail_the_start() -> None:
    configuration = configured(topologyManagerPolicyOptions={"prefer-closest-numa-nodes": "true"})
    machine = Machine(tuple(replace(one, distances=()) for one in grid().nodes))
    assert start_failure(machine, configuration).message == (
        "cannot discover NUMA topology: error getting NUMA distances from cadvisor"
    )
    unknown = replace_machine(machine, provenance=(Provenance("distances", Exactness.MISSING, "lscpu"),))
    assert start(unknown, configuration) == MissingFacts(("distances between NUMA nodes",))


@pytest.mark.parametrize(
    ("policy", "value", "message"),
    [
        ("restricted", "yes", 'bad value for option "prefer-closest-numa-nodes": strconv.ParseBool: parsing "yes"'),
        ("restricted", "false", ""),
        ("none", "true", ""),
        ("none", "yes", ""),
    ],
)
def test_distances_are_not_missed_where_the_start_does_not_come_to_them(policy: str, value: str, message: str) -> None:
    options = {"prefer-closest-numa-nodes": value}
    machine = Machine(tuple(replace(one, distances=()) for one in grid().nodes))
    unknown = replace_machine(machine, provenance=(Provenance("distances", Exactness.MISSING, "lscpu"),))
    started = start(unknown, configured(policy, topologyManagerPolicyOptions=options))
    assert isinstance(started, StartFailure if message else KubeletState)
    if isinstance(started, StartFailure):
        assert started.message.startswith(message)


# --- state files -----------------------------------------------------------------------------------------------------


def restarted(state: KubeletState, configuration: KubeletConfiguration | None = None) -> Restart:
    again = restart(state, configuration)
    assert isinstance(again, Restart), again
    return again


def failed(state: KubeletState, configuration: KubeletConfiguration | None = None) -> StartFailure:
    failure = restart(state, configuration)
    assert isinstance(failure, StartFailure), failure
    return failure


def test_running_pods_keep_what_they_hold_over_a_restart() -> None:
    first = admitted(node(grid(2, 4), configured("restricted", memory={0: 512})), pod("p", container("c", "3")))
    again = restarted(first.state)
    (second,) = again.readmitted
    assert second.containers["c"].cpus == first.containers["c"].cpus
    assert again.state.cpus == first.state.cpus
    assert again.state.memory == first.state.memory
    assert again.state.ready


def test_the_state_file_goes_on_without_a_restart() -> None:
    first = admitted(node(grid(2, 4), configured("restricted")), pod("p", container("c", "3")))
    resumed = start(grid(2, 4), configured("restricted"), state_files_of(first.state))
    assert isinstance(resumed, KubeletState)
    kept = running(resumed, [pod("p", container("c", "3"))])
    assert admitted(kept, pod("q", container("c", "1"))).state.cpus.pods.keys() == {"p", "q"}
    assert settled(resumed).cpus.pods == {}, "pods that nobody lists are given back"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            {"options": []},
            {"options": ["strict-cpu-reservation"]},
            'some of strictly reserved cpus: "0" are present in defaultCpuSet: "0,2-8,10-15"',
        ),
        (
            {"options": ["strict-cpu-reservation"]},
            {"options": []},
            'not all reserved cpus: "0" are present in defaultCpuSet: "2-8,10-15"',
        ),
        ({}, {"reserved": "0-1"}, 'not all reserved cpus: "0-1" are present in defaultCpuSet: "0,2-8,10-15"'),
        (
            {},
            {"cpuManagerPolicy": "none"},
            'could not restore state from checkpoint: configured policy "none" differs from state checkpoint policy '
            '"static", please drain this node and delete the CPU manager checkpoint file '
            '"/var/lib/kubelet/cpu_manager_state" before restarting Kubelet',
        ),
        (
            {"memory": {0: 512}},
            {"memory": {0: 600}},
            "[memorymanager] the expected machine state is different from the real one",
        ),
        (
            {"memory": {0: 512}},
            {},
            'could not restore state from checkpoint: [memorymanager] configured policy "None" differs from state '
            'checkpoint policy "Static", please drain this node and delete the memory manager checkpoint file '
            '"/var/lib/kubelet/memory_manager_state" before restarting Kubelet',
        ),
    ],
)
def test_a_changed_configuration_that_the_state_file_contradicts(
    before: dict[str, Any], after: dict[str, Any], message: str
) -> None:
    state = admitted(node(grid(2, 4), configured("none", **before)), pod("p", container("c", "2"))).state
    assert failed(state, configured("none", **after)).message == message


@pytest.mark.parametrize(
    ("default", "entry", "message"),
    [
        ("", "2", "default cpuset cannot be empty"),
        ("0-7", "7", 'pod: p, container: c cpuset: "7" overlaps with default cpuset "0-7"'),
        (
            "0-6,8-14",
            "7",
            'current set of available CPUs "0-15" doesn\'t match with CPUs in state "0-14"',
        ),
    ],
)
def test_a_state_file_that_the_machine_contradicts(default: str, entry: str, message: str) -> None:
    state = CpuManagerState("static", CpuSet.parse(default), {"p": {"c": CpuSet.parse(entry)}})
    failure = start(grid(2, 4), configured("none"), StateFiles(state))
    assert failure == StartFailure(failure.stage if isinstance(failure, StartFailure) else None, message)  # type: ignore[arg-type]


def test_a_damaged_file_is_refused_in_the_kubelets_words() -> None:
    damaged = StateFiles(CpuManagerState("static", damage="checkpoint is corrupted"))
    failure = start(grid(), configured("none"), damaged)
    assert isinstance(failure, StartFailure)
    assert failure.message.startswith("could not restore state from checkpoint: checkpoint is corrupted, please drain")


# FEATURE: K8


def test_the_texts_of_fresh_state_files() -> None:
    state = node(grid(), KubeletConfiguration())
    assert cpu_state_text(state) == (
        '{"policyName":"none","defaultCpuSet":"","checksum":1353318690,'
        '"data":"{\\"policyName\\":\\"none\\",\\"defaultCpuSet\\":\\"\\"}","dataChecksum":3028111495}'
    )
    assert memory_state_text(state) == (
        '{"policyName":"None","machineState":{},"checksum":4236770233,'
        '"data":"{\\"policyName\\":\\"None\\",\\"machineState\\":{}}","dataChecksum":3093843326}'
    )


def test_pools_of_pods_are_in_the_part_that_only_new_kubelets_read() -> None:
    state = node(grid(2, 8), configured(scope="pod", memory={0: 512}, gates=MANAGERS))
    asked = pod("p", container("a", "2"), container("b"), level={"cpu": "4", "memory": "4Gi"})
    text = cpu_state_text(admitted(state, asked).state)
    outer, _, data = text.partition('"data":')
    assert '"podEntries"' not in outer.replace("\\", "")
    assert '"podEntries":{"p":{"cpuSet":"1-2,17-18"}}' in data.replace("\\", "")


# --- faults that show at a restart -----------------------------------------------------------------------------------


def uneven() -> Machine:
    """Four cores of two threads and eight of one: an average core has one thread."""
    cores = [Core(4 * i, 0, CpuSet((2 * i, 2 * i + 1))) for i in range(4)]
    cores += [Core(100 + i, 0, CpuSet((8 + i,))) for i in range(8)]
    return Machine((NumaNode(0, tuple(cores), 8 * GI, (), (10,)),))


def test_average_sizes_hand_out_reserved_cpus_and_the_next_start_fails() -> None:
    admission = admitted(node(uneven(), configured("none")), pod("p", container("c", "2")))
    assert cpus(admission) == "0-1"
    assert KubeletFault.TAKES_RESERVED in admission.faults
    assert failed(admission.state).message == 'not all reserved cpus: "0" are present in defaultCpuSet: "2-15"'


def test_average_sizes_give_one_cpu_to_two_pods() -> None:
    first = admitted(node(uneven(), configured("none", reserved="15")), pod("p0", container("c", "8")))
    second = answered(first.state, pod("p1", container("c", "2")))
    assert KubeletFault.TAKES_BUSY in second.faults
    assert owned_twice(first.state.cpus) == ()
    assert owned_twice(second.state.cpus) == (
        OwnedTwice("p0", "p1", second.containers["c"].cpus & first.containers["c"].cpus),
    )
    assert "overlaps with default cpuset" in failed(removed(second.state, "p1")).message
