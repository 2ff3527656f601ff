"""All that keeps a kubelet from starting, not only what it says first (kubelet.md §3.1, §5, §6.1)."""

# FEATURE: K3

from typing import Any

import pytest

from dractl.kubelet import start
from dractl.kubelet.obstacles import field_at_fault, remedy_of, start_failures
from dractl.machine.configuration import KubeletConfiguration, MemoryReservation
from tests.kubelet.world import grid

ALPHA = {"CPUManagerPolicyAlphaOptions": True}
ONE_CPU = {"cpu": "1"}


def obstacles(**fields: Any) -> list[tuple[tuple[str | int, ...], str]]:
    """The field at fault and the remedy of each."""
    configuration = KubeletConfiguration(**fields)
    failures = start_failures(configuration, lambda changed: start(grid(2, 4), changed))
    return [(field_at_fault(configuration, each), remedy_of(configuration, each)) for each in failures]


def options(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "true")


def test_a_sound_configuration_has_none() -> None:
    assert obstacles(cpuManagerPolicy="static", kubeReserved=ONE_CPU) == []


def test_every_manager_is_looked_at() -> None:
    assert obstacles(
        cpuManagerPolicy="statics",
        kubeReserved=ONE_CPU,
        memoryManagerPolicy="static",
        topologyManagerPolicy="single-numanode",
        topologyManagerScope="pods",
    ) == [
        (("topologyManagerPolicy",), "did you mean single-numa-node?"),
        (("topologyManagerScope",), "did you mean pod?"),
        (("cpuManagerPolicy",), "did you mean static?"),
        (("memoryManagerPolicy",), "did you mean Static?"),
        (("memoryManagerPolicy",), ""),
    ]


def test_a_value_that_resembles_none_is_told_with_those_that_there_are() -> None:
    [(_, remedy)] = obstacles(topologyManagerPolicy="numa")
    assert remedy == "the kubelet knows none, best-effort, restricted and single-numa-node"


def test_every_pair_of_options_that_exclude_each_other() -> None:
    names = options("distribute-cpus-across-cores", "distribute-cpus-across-numa", "prefer-align-cpus-by-uncorecache")
    configuration = KubeletConfiguration(
        cpuManagerPolicy="static", kubeReserved=ONE_CPU, featureGates=ALPHA, cpuManagerPolicyOptions=names
    )
    found = [each.message for each in start_failures(configuration, lambda changed: start(grid(2, 4), changed))]
    pairs = [{word for word in message.split() if word.startswith(("distribute", "prefer"))} for message in found]
    assert len(pairs) == 3
    assert all(len(pair) == 2 for pair in pairs)
    assert len({frozenset(pair) for pair in pairs}) == 3


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {
                "cpuManagerPolicy": "static",
                "kubeReserved": ONE_CPU,
                "cpuManagerPolicyOptions": options("full-pcpu-only", "align-by-socket"),
            },
            [
                (("cpuManagerPolicyOptions", "align-by-socket"), ""),
                (("cpuManagerPolicyOptions", "full-pcpu-only"), "did you mean full-pcpus-only?"),
            ],
        ),
        (
            {
                "topologyManagerPolicy": "restricted",
                "topologyManagerPolicyOptions": {"max-allowable-numa-nodes": "4", "prefer-closest": "yes"},
                "topologyManagerScope": "node",
            },
            [
                (("topologyManagerPolicyOptions", "prefer-closest"), ""),
                (("topologyManagerPolicyOptions", "max-allowable-numa-nodes"), ""),
                (("topologyManagerScope",), "the kubelet knows container and pod"),
            ],
        ),
        (
            {"cpuManagerPolicy": "none", "cpuManagerPolicyOptions": options("full-pcpus-only")},
            [(("cpuManagerPolicyOptions",), "")],
        ),
        (
            {
                "cpuManagerPolicy": "static",
                "reservedSystemCPUs": "0,99",
                "kubeReserved": {"gpu": "1"},
                "systemReserved": {"memory": "lots"},
                "evictionHard": {"memory.available": "much"},
            },
            [
                (("reservedSystemCPUs",), ""),
                (("kubeReserved", "gpu"), ""),
                (("systemReserved", "memory"), ""),
                (("evictionHard", "memory.available"), ""),
            ],
        ),
        ({"cpuManagerPolicy": "static", "kubeReserved": {"cpu": "99"}}, [(("kubeReserved", "cpu"), "")]),
        (
            {"cpuManagerPolicy": "static", "cpuManagerPolicyOptions": options("full")},
            [(("cpuManagerPolicy",), ""), (("cpuManagerPolicyOptions", "full"), "")],
        ),
        (
            {
                "memoryManagerPolicy": "Static",
                "reservedMemory": [MemoryReservation(7)],
                "featureGates": {"CPUManagerPolicyOptions": False},
            },
            [(("featureGates", "CPUManagerPolicyOptions"), ""), (("reservedMemory",), "")],
        ),
    ],
)
def test_each_fault_is_at_its_own_field(fields: dict[str, Any], expected: list[tuple[tuple[str, ...], str]]) -> None:
    assert sorted(obstacles(**fields)) == sorted(expected)
