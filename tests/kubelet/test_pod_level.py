"""Pods with pod-level resources: pools of their own (kubelet.md §9)."""

# FEATURE: K7

from typing import Any

import pytest

from dractl.kubelet import Isolation, KubeletFault, KubeletState, restart
from dractl.kubelet.quota import quotas_of
from dractl.kubelet.starting import Restart, StartFailure
from tests.kubelet.world import (
    GI,
    MANAGERS,
    admitted,
    answered,
    configured,
    container,
    cpus,
    grid,
    memory_of,
    node,
    pod,
    refused,
)

FOUR = {"cpu": "4", "memory": "4Gi"}


def pooled(policy: str = "best-effort", scope: str = "pod", **more: Any) -> KubeletState:
    return node(grid(2, 8), configured(policy, scope=scope, memory={0: 512}, gates=MANAGERS, **more))


def test_containers_share_what_others_of_the_pod_leave() -> None:
    asked = pod("p", container("a", "2", "1Gi"), container("b"), container("c"), level=FOUR)
    admission = admitted(pooled(), asked)
    assert str(admission.pod_cpus) == "1-2,17-18"
    assert [(block.resource, block.size) for block in admission.pod_memory] == [("memory", 4 * GI)]
    assert (cpus(admission, "a"), cpus(admission, "b"), cpus(admission, "c")) == ("1,17", "2,18", "2,18")
    assert memory_of(admission, "b") == {"memory": ([0], 3072)}
    isolation = {name: grant.cpu_isolation for name, grant in admission.containers.items()}
    assert isolation == {"a": Isolation.CONTAINER, "b": Isolation.POD, "c": Isolation.POD}
    assert str(admission.state.cpus.default) == "0,3-16,19-31"
    assert quotas_of(admission.state, "p").containers == {"a": False, "b": True, "c": True}
    assert quotas_of(admission.state, "p").pod


def test_init_containers_use_what_sidecars_before_them_left() -> None:
    init = [container("i"), container("s", "1", "1Gi", sidecar=True), container("j"), container("k", "2", "1Gi")]
    admission = admitted(pooled(), pod("p", container("a", "2", "1Gi"), init=init, level=FOUR))
    assert cpus(admission, "i") == "1-2,17-18"
    assert cpus(admission, "s") == "1"
    assert cpus(admission, "j") == "2,17-18"
    assert cpus(admission, "a") == "2,18"
    assert memory_of(admission, "j") == {"memory": ([0], 3072)}


def test_what_no_container_uses_stays_with_the_pod_and_is_named() -> None:
    admission = admitted(pooled(), pod("p", container("a", "2", "1Gi"), level=FOUR))
    assert str(admission.unused_cpus) == "2,18"
    assert [block.size for block in admission.unused_memory] == [3 * GI]
    shared = admitted(pooled(), pod("p", container("a", "2", "1Gi"), container("b"), level=FOUR))
    assert not shared.unused_cpus
    assert shared.unused_memory == ()


@pytest.mark.parametrize(
    ("containers", "init", "text"),
    [
        (
            [container("a", "4", "1Gi"), container("b")],
            [],
            "pod rejected, sum of exclusive container cpu requests equals pod budget, "
            "leaving no cpus for shared containers",
        ),
        (
            [container("a", "1", "4Gi"), container("b")],
            [],
            "pod rejected, sum of exclusive container memory requests equals pod budget, "
            "leaving no memory for shared containers",
        ),
        (
            [container("a")],
            [container("s", "4", "1Gi", sidecar=True), container("i")],
            "pod rejected, pod has shared init containers but no cpus available for them",
        ),
        (
            [container("a")],
            [container("s", "1", "4Gi", sidecar=True), container("i")],
            "pod rejected, pod has shared init containers but no memory available for them",
        ),
    ],
)
def test_an_empty_pool_is_refused(containers: list[Any], init: list[Any], text: str) -> None:
    asked = pod("p", *containers, init=init, level=FOUR)
    assert refused(pooled(), asked) == f"EmptyPodSharedPoolError: {text}"
    assert refused(pooled("restricted"), asked) == (
        "TopologyAffinityError: Pod Scope pod with pod-level resources failed admission under pod-scope "
        "topology manager"
    )
    admitted(pooled("none"), asked)


def test_container_scope_knows_no_pools() -> None:
    asked = pod("p", container("a", "2", "1Gi"), container("b"), level=FOUR)
    admission = admitted(pooled(scope="container"), asked)
    assert not admission.pod_cpus
    assert cpus(admission, "a") == "1,17"
    assert cpus(admission, "b") == ""
    assert admission.containers["b"].cpu_isolation is Isolation.HOST
    too_wide = pod("q", container("a", "17", "1Gi"), level={"cpu": "17", "memory": "4Gi"})
    assert refused(pooled("single-numa-node", "container"), too_wide) == (
        "TopologyAffinityError: Pod Scope pod with pod-level resources failed admission with a container-level "
        "topology manager"
    )


def test_full_cores_are_asked_of_the_budget_only() -> None:
    state = pooled(options=["full-pcpus-only"])
    assert cpus(admitted(state, pod("p", container("a", "1"), container("b"), level=FOUR)), "a") == "1"
    odd = pod("p", container("a", "2"), container("b"), level={"cpu": "5", "memory": "4Gi"})
    assert refused(state, odd).startswith("SMTAlignmentError")


def test_a_fraction_of_a_cpu_is_no_budget_but_memory_is() -> None:
    asked = pod("p", container("a", "1", "1Gi"), container("b"), level={"cpu": "2500m", "memory": "4Gi"})
    admission = admitted(pooled(), asked)
    assert cpus(admission, "a") == ""
    assert memory_of(admission, "a") == {"memory": ([0], 1024)}


def test_without_the_gate_such_pods_run_in_the_shared_pool() -> None:
    state = node(grid(2, 8), configured("restricted", scope="pod", memory={0: 512}))
    admission = admitted(state, pod("p", container("a", "2"), level=FOUR))
    assert cpus(admission, "a") == ""
    assert memory_of(admission, "a") == {}


def test_a_pool_whose_containers_do_not_fit_is_lost() -> None:
    init = [container("s", "2", "512Mi", sidecar=True)]
    asked = pod("p", container("a", "2", "512Mi"), container("b", "1", "512Mi"), init=init, level=FOUR)
    admission = answered(pooled(), asked)
    assert admission.refusal is not None
    assert KubeletFault.LOST_POOL in admission.faults
    later = admitted(admission.state, pod("q", container("c", "1")))
    assert str(later.state.cpus.pods["p"].pod) == "1-2,17-18", "nobody ever gives it back"


# --- the kubelet starts again ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["best-effort", "restricted", "single-numa-node"])
def test_a_restart_takes_a_second_pool_and_the_next_one_fails(policy: str) -> None:
    first = admitted(pooled(policy), pod("p", container("a", "4", "2Gi"), level={"cpu": "4", "memory": "2Gi"}))
    again = restart(first.state)
    assert isinstance(again, Restart)
    (second,) = again.readmitted
    assert second.admitted
    assert KubeletFault.SECOND_POOL in second.faults
    assert second.pod_cpus != first.pod_cpus
    failure = restart(again.state)
    assert isinstance(failure, StartFailure)
    assert failure.message.startswith('current set of available CPUs "0-31" doesn\'t match with CPUs in state')


def test_a_running_pod_with_a_shared_container_is_refused_after_a_restart() -> None:
    first = admitted(pooled("restricted"), pod("p", container("a", "2", "1Gi"), container("b"), level=FOUR))
    again = restart(first.state)
    assert isinstance(again, Restart)
    (second,) = again.readmitted
    assert second.refusal is not None
    assert KubeletFault.RUNNING_POD_REFUSED in second.faults
    assert "p" not in again.state.active
