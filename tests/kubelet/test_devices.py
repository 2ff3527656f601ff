"""Devices of device plugins: hints and allocation (kubelet.md §7)."""

# FEATURE: K5

from collections.abc import Iterable

import pytest

from dractl.kubelet import Admission, KubeletFault, KubeletState
from dractl.kubelet.hints import Hint
from dractl.machine.devices import PluginDevice
from dractl.machine.idsets import NumaSet
from tests.kubelet.world import MANAGERS, admitted, answered, configured, container, device, grid, node, pod, refused

DEV = "example.com/dev"
TWO_AND_TWO = [device("d0", 0), device("d1", 0), device("d2", 1), device("d3", 1)]


def with_devices(
    devices: Iterable[PluginDevice], policy: str = "best-effort", scope: str = "container"
) -> KubeletState:
    return node(grid(2, 4), configured(policy, scope=scope), devices)


def wants(count: int, cpu: str = "1", name: str = "c") -> object:
    return container(name, cpu, more={DEV: str(count)})


def devices_of(admission: Admission, name: str = "c") -> list[str]:
    return sorted((admission.containers[name].devices or {}).get(DEV, ()))


def device_hints(admission: Admission) -> dict[str, tuple[Hint, ...] | None]:
    (provided,) = [one for one in admission.provided if one.provider == "device"]
    return dict(provided.hints or {})


def hint(*nodes: int, preferred: bool) -> Hint:
    return Hint(NumaSet(nodes), preferred)


def test_devices_draw_the_cpus_to_their_node() -> None:
    state = with_devices([device("d0", 1)])
    admission = admitted(state, pod("p", wants(1)))
    assert devices_of(admission) == ["d0"]
    assert admission.containers["c"].hint == hint(1, preferred=True)
    assert state.kubelet.machine.numa_nodes_of(admission.containers["c"].cpus) == NumaSet((1,))


def test_busy_and_unhealthy_devices_still_say_how_few_nodes_would_do() -> None:
    devices = [*TWO_AND_TWO[:3], device("d3", 1, healthy=False)]
    first = admitted(with_devices(devices), pod("p0", wants(1)))
    second = answered(first.state, pod("p1", wants(2)))
    assert device_hints(second)[DEV] == (hint(0, 1, preferred=False),)


def test_no_topology_is_no_preference() -> None:
    admission = admitted(with_devices([device("d0"), device("d1")]), pod("p", wants(1)))
    assert device_hints(admission) == {DEV: None}
    assert devices_of(admission) == ["d0"]


def test_too_few_devices_are_impossible() -> None:
    asked = pod("p", wants(5))
    assert refused(with_devices(TWO_AND_TWO, "restricted"), asked).startswith("TopologyAffinityError")
    assert refused(with_devices(TWO_AND_TWO), asked) == (
        "UnexpectedAdmissionError: Allocate failed due to requested number of devices unavailable for example.com/dev. "
        "Requested: 5, Available: 4, which is unexpected"
    )


@pytest.mark.parametrize("count", [0, 1])
def test_without_any_healthy_device_nothing_can_be_asked_for(count: int) -> None:
    state = with_devices([device("d0", 0, healthy=False)], "none")
    assert refused(state, pod("p", wants(count))) == (
        "UnexpectedAdmissionError: Allocate failed due to no healthy devices present; "
        "cannot allocate unhealthy devices example.com/dev, which is unexpected"
    )


def test_which_of_equal_devices_are_taken_is_said_to_be_open() -> None:
    assert admitted(with_devices(TWO_AND_TWO, "none"), pod("p", wants(1))).open_choices == {("c", DEV)}
    assert admitted(with_devices(TWO_AND_TWO, "none"), pod("p", wants(4))).open_choices == frozenset()
    assert admitted(with_devices(TWO_AND_TWO), pod("p", wants(2))).open_choices == frozenset()


def test_devices_off_the_hinted_nodes_come_last() -> None:
    state = admitted(with_devices(TWO_AND_TWO), pod("busy", wants(1))).state
    admission = admitted(state, pod("p", wants(3)))
    assert devices_of(admission) == ["d1", "d2", "d3"]


def test_init_containers_hand_their_devices_on_and_sidecars_keep_theirs() -> None:
    init = [container("i", "1", more={DEV: "2"}), container("s", "1", more={DEV: "1"}, sidecar=True)]
    admission = admitted(with_devices(TWO_AND_TWO, "none"), pod("p", wants(2), init=init))
    assert devices_of(admission, "i") == ["d0", "d1"]
    assert devices_of(admission, "s") == ["d0"]
    assert devices_of(admission, "c") == ["d1", "d2"]


def test_a_pod_that_ended_gives_its_devices_back_when_the_manager_looks_again() -> None:
    first = admitted(with_devices([device("d0", 0)], "none"), pod("p0", wants(1)))
    gone = {uid: one for uid, one in first.state.active.items() if uid != "p0"}
    state = KubeletState(first.state.kubelet, first.state.cpus, first.state.memory, first.state.devices, gone)
    plain = admitted(state, pod("p1", container("c", "1")))
    assert "p0" in plain.state.devices.pods, "nobody asked the device manager"
    assert "p0" not in plain.state.cpus.pods
    assert devices_of(admitted(plain.state, pod("p2", wants(1)))) == ["d0"]


def test_a_refusal_by_the_device_manager_keeps_the_others_from_looking() -> None:
    first = admitted(with_devices([device("d0", 0)], "none"), pod("p0", container("c", "2")))
    gone = KubeletState(first.state.kubelet, first.state.cpus, first.state.memory, first.state.devices, {})
    after = answered(gone, pod("p1", wants(2)))
    assert after.refusal is not None
    assert "p0" in after.state.cpus.pods


def test_pod_scope_asks_for_all_devices_at_once() -> None:
    state = with_devices(TWO_AND_TWO, "restricted", "pod")
    admission = admitted(state, pod("p", wants(2, "6", "a"), wants(2, "6", "b")))
    assert device_hints(admission) == {DEV: (hint(0, 1, preferred=True),)}
    assert refused(state, pod("p", wants(2, "6", "a"), wants(3, "6", "b"))).startswith("TopologyAffinityError")


# FEATURE: K7


def test_a_pod_with_its_own_pool_gets_no_device_at_admission() -> None:
    configuration = configured("single-numa-node", scope="pod", gates=MANAGERS)
    state = node(grid(2, 8), configuration, [device("d0", 1)])
    asked = pod("p", wants(1, "2"), level={"cpu": "4", "memory": "2Gi"})
    admission = admitted(state, asked)
    assert devices_of(admission) == []
    assert KubeletFault.DEVICES_LEFT_OUT in admission.faults
    assert devices_of(admitted(admission.state, pod("thief", wants(1)))) == ["d0"]
