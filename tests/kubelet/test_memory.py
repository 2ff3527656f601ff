"""Memory and huge pages by NUMA node (kubelet.md §6)."""

# FEATURE: K4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dractl.kubelet import KubeletFault, KubeletState, Stopped, admit, container_started, removed
from dractl.kubelet.memory_books import MemoryBooks, charged, given_back
from dractl.kubelet.memory_policy import MemoryPolicy, memory_policy_of
from dractl.kubelet.reservations import reservation_of
from dractl.machine.idsets import NumaSet
from dractl.machine.state_files import MemoryBlock
from tests.kubelet.world import (
    GI,
    MI,
    admitted,
    answered,
    configured,
    container,
    grid,
    memory_of,
    node,
    pod,
    refused,
    start_failure,
)

RESERVED = {0: 512}


def with_memory(policy: str = "none", **more: object) -> KubeletState:
    return node(grid(2, 4), configured(policy, memory=RESERVED, **more))  # type: ignore[arg-type]


def free(state: KubeletState, resource: str = "memory") -> list[int]:
    return [one.tables[resource].free // MI for one in state.memory.machine.values()]


def test_the_smallest_set_of_nodes_holds_the_memory() -> None:
    state = with_memory()
    assert free(state) == [7680, 8192]
    first = admitted(state, pod("p0", container("c", "1", "6Gi")))
    assert memory_of(first) == {"memory": ([0], 6144)}
    second = admitted(first.state, pod("p1", container("c", "1", "6Gi")))
    assert memory_of(second) == {"memory": ([1], 6144)}
    assert refused(second.state, pod("p2", container("c", "1", "3Gi"))) == (
        "UnexpectedAdmissionError: Allocate failed due to [memorymanager] failed to get the default NUMA affinity, "
        "no NUMA nodes with enough memory is available, which is unexpected"
    )


def test_a_group_of_nodes_locks_them_for_others() -> None:
    wide = admitted(with_memory(), pod("wide", container("c", "1", "10Gi")))
    assert memory_of(wide) == {"memory": ([0, 1], 10240)}
    assert free(wide.state) == [0, 7680 + 8192 - 10240]
    assert [list(one.cells) for one in wide.state.memory.machine.values()] == [[0, 1], [0, 1]]
    also_wide = admitted(wide.state, pod("narrow", container("c", "1", "1Gi")))
    assert memory_of(also_wide)["memory"][0] == [0, 1]
    gone = removed(removed(also_wide.state, "narrow"), "wide")
    assert free(gone) == [7680, 8192]
    assert [list(one.cells) for one in gone.memory.machine.values()] == [[0], [1]]


def test_fractions_of_cpus_do_not_matter_to_memory() -> None:
    assert memory_of(admitted(with_memory(), pod("p", container("c", "100m"))))["memory"] == ([0], 1024)


def test_burstable_pods_get_no_memory_of_their_own() -> None:
    assert memory_of(admitted(with_memory(), pod("p", container("c"), container("d", "1")))) == {}


def test_huge_pages_are_taken_out_of_memory() -> None:
    state = node(grid(2, 4, huge={0: 0, 1: 2}), configured("none", memory=RESERVED))
    assert free(state) == [7680, 6144]
    assert free(state, "hugepages-1Gi") == [0, 2048]
    admission = admitted(state, pod("p", container("c", "1", more={"hugepages-1Gi": "1Gi"})))
    assert memory_of(admission) == {"memory": ([1], 1024), "hugepages-1Gi": ([1], 1024)}
    assert [one.assignments for one in admission.state.memory.machine.values()] == [0, 2]


def test_a_page_size_that_a_node_does_not_list_crashes_the_kubelet() -> None:
    state = node(grid(2, 4, huge={0: 2}), configured(memory=RESERVED))
    stopped = admit(state, pod("p", container("c", "1", more={"hugepages-1Gi": "1Gi"})))
    assert isinstance(stopped, Stopped)
    assert stopped.fault is KubeletFault.MISSING_PAGE_SIZE


def test_more_reserved_than_there_is_wraps_around() -> None:
    state = node(grid(2, 4), configured("single-numa-node", memory={0: 9 * 1024}))
    admission = admitted(state, pod("p", container("c", "2", "20Gi")))
    assert memory_of(admission) == {"memory": ([0], 20480)}
    assert KubeletFault.MEMORY_WRAPS in admission.faults


def test_too_little_memory_is_no_matter_of_affinity() -> None:
    state = with_memory("restricted")
    asked = pod("p", container("c", "2", "20Gi"))
    assert refused(state, asked).startswith("UnexpectedAdmissionError")
    assert KubeletFault.MEMORY_SHORT in answered(state, asked).faults
    assert str(answered(state, asked).containers["c"].cpus) == "1,9", "the CPUs were given before"


def test_init_containers_hand_their_memory_on() -> None:
    asked = pod("p", container("c", "1", "2Gi"), init=[container("i", "1", "3Gi")])
    admission = admitted(with_memory(), asked)
    assert memory_of(admission, "i") == {"memory": ([0], 1024)}, "shrunk by what the app container holds again"
    assert memory_of(admission, "c") == {"memory": ([0], 2048)}
    assert free(admission.state) == [7680 - 3072, 8192]
    started = container_started(admission.state, "p", "c")
    assert free(started) == [7680 - 2048, 8192], "released when the app container starts"
    assert container_started(admission.state, "p", "i") == admission.state
    assert container_started(admission.state, "stranger", "c") == admission.state


def test_sidecars_keep_their_memory() -> None:
    asked = pod("p", container("c", "1", "1Gi"), init=[container("s", "1", "1Gi", sidecar=True)])
    assert free(admitted(with_memory(), asked).state) == [7680 - 2048, 8192]


# --- the reservation -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"reservedMemory": []}, 'the total amount "0" of type "memory" is not equal to the value "512Mi"'),
        (
            {"reservedMemory": [{"numaNode": 0, "limits": {"memory": "513Mi"}}]},
            'the total amount "513Mi" of type "memory" is not equal to the value "512Mi"',
        ),
        (
            {"evictionHard": None},
            'the total amount "512Mi" of type "memory" is not equal to the value "612Mi"',
        ),
        (
            {"evictionHard": {"memory.available": "5%"}},
            'the total amount "512Mi" of type "memory" is not equal to the value "1395864384"',
        ),
        (
            {"evictionHard": {"nodefs.available": "5%"}, "mergeDefaultEvictionSettings": True},
            'the total amount "512Mi" of type "memory" is not equal to the value "612Mi"',
        ),
        (
            {"reservedMemory": [{"numaNode": 7, "limits": {"memory": "512Mi"}}]},
            "the reserved memory configuration references a NUMA node 7 that does not exist on this machine",
        ),
        (
            {"reservedMemory": [{"numaNode": 0, "limits": {"memory": "512Mi", "hugepages-2Mi": "2Mi"}}]},
            'the total amount "2Mi" of type "hugepages-2Mi" is not equal to the value "0"',
        ),
        (
            {"reservedMemory": [], "kubeReserved": {}},
            "[memorymanager] you should specify the system reserved memory",
        ),
        ({"memoryManagerPolicy": "static"}, 'unknown policy: "static"'),
        ({"memoryManagerPolicy": "BestEffort"}, 'policy "BestEffort" is not available for platform "linux"'),
    ],
)
def test_what_is_reserved_must_add_up(fields: dict[str, object], message: str) -> None:
    written = {key: value for key, value in fields.items() if value is not None}
    configuration = configured("none", memory=RESERVED, **written)  # type: ignore[arg-type]
    if "evictionHard" in fields and fields["evictionHard"] is None:
        configuration = configured("none", memory=RESERVED, evictionHard={"memory.available": "100Mi"})
    failure = start_failure(grid(2, 4), configuration)
    assert failure.stage == "memoryManager"
    assert failure.message.startswith(message)


@pytest.mark.parametrize(
    ("fields", "stage", "message"),
    [
        (
            {"kubeReserved": {"memory": "1x"}},
            "kubeReserved",
            'failed to parse quantity "1x" for "memory" resource: quantities must match',
        ),
        (
            {"systemReserved": {"memory": "-1"}},
            "systemReserved",
            'resource quantity for "memory" cannot be negative: -1',
        ),
        ({"kubeReserved": {"hugepages-2Mi": "2Mi"}}, "kubeReserved", 'cannot reserve "hugepages-2Mi" resource'),
        (
            {"evictionHard": {"memory.available": "x%"}},
            "evictionHard",
            'strconv.ParseFloat: parsing "x": invalid syntax',
        ),
    ],
)
def test_amounts_must_be_readable(fields: dict[str, object], stage: str, message: str) -> None:
    failure = start_failure(grid(2, 4), configured("none", memory=RESERVED, **fields))  # type: ignore[arg-type]
    assert failure.stage == stage
    assert failure.message.startswith(message)


# --- the books -------------------------------------------------------------------------------------------------------


def policy() -> MemoryPolicy:
    machine, configuration = grid(4, 1), configured("none", memory=RESERVED)
    made = memory_policy_of(machine, configuration, reservation_of(machine, configuration))
    assert made is not None
    return made


# No NUMA node has to give more than its 8Gi.
BLOCKS = st.lists(
    st.builds(
        MemoryBlock,
        st.just("memory"),
        st.sampled_from([NumaSet((0, 1)), NumaSet((2,)), NumaSet((3,))]),
        st.integers(0, 2 * GI),
    ),
    max_size=4,
)


@given(BLOCKS, st.permutations(range(4)))
def test_what_is_given_back_in_any_order_leaves_idle_books(blocks: list[MemoryBlock], order: list[int]) -> None:
    books = policy().idle
    for block in blocks:
        books = charged(books, block, block.size)
    assert sum(one.tables["memory"].reserved for one in books.values()) == sum(block.size for block in blocks)
    books = given_back(books, [blocks[position] for position in order if position < len(blocks)])
    assert books == policy().idle


def test_books_without_a_pod_are_the_same_books() -> None:
    books = MemoryBooks(policy().idle)
    assert books.without({"stranger"}) is books
    assert books.without_containers("stranger", ["c"]) is books
