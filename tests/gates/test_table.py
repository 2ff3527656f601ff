# FEATURE: A6
import pytest

from dractl.gates import RELEASES, Stage, gates_of


@pytest.mark.parametrize(
    ("name", "release", "stage", "default", "locked"),
    [
        ("DRAPartitionableDevices", "1.34", Stage.ALPHA, False, False),
        ("DRAPartitionableDevices", "1.37", Stage.BETA, True, False),
        ("DRAAdminAccess", "1.37", Stage.GA, True, True),
        ("DRADeviceTaints", "1.37", Stage.GA, True, False),
        ("DRAWorkloadResourceClaims", "1.37", Stage.BETA, False, False),
        ("DisableCPUQuotaWithExclusiveCPUs", "1.36", Stage.DEPRECATED, True, False),
        ("MaxUnavailableStatefulSet", "1.36", Stage.BETA, False, False),
    ],
)
def test_what_a_release_says_of_a_gate(name: str, release: str, stage: Stage, default: bool, locked: bool) -> None:
    gate = gates_of(release)[name]
    assert (gate.stage, gate.default, gate.locked) == (stage, default, locked)


@pytest.mark.parametrize(
    ("name", "releases"),
    [
        ("DRADerivedAttributes", ["1.37"]),
        ("DRADeviceTaintRules", ["1.35", "1.36", "1.37"]),
        ("GangScheduling", ["1.35", "1.36"]),
        ("MemoryManager", ["1.34", "1.35"]),
        ("DynamicResourceAllocation", list(RELEASES)),
    ],
)
def test_where_a_gate_is_known(name: str, releases: list[str]) -> None:
    assert [release for release in RELEASES if name in gates_of(release)] == releases


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("DRADeviceTaints", {"DynamicResourceAllocation"}),
        ("DRADeviceTaintRules", {"DRADeviceTaints"}),
        ("DRAFractionalCapacityRange", {"DRAConsumableCapacity"}),
        ("DRAWorkloadResourceClaims", {"DynamicResourceAllocation", "GenericWorkload"}),
        ("ResourceHealthStatus", {"DynamicResourceAllocation"}),
        ("CompositePodGroup", {"GenericWorkload", "TopologyAwareWorkloadScheduling"}),
        ("MemoryQoS", set()),
    ],
)
def test_what_a_gate_needs(name: str, needs: set[str]) -> None:
    assert set(gates_of("1.37")[name].needs) == needs


@pytest.mark.parametrize("release", RELEASES)
def test_locked_gates_are_general_or_on_their_way_out(release: str) -> None:
    locked = [gate for gate in gates_of(release).values() if gate.locked]
    assert locked
    assert all(gate.default and gate.stage in (Stage.GA, Stage.DEPRECATED) for gate in locked)
