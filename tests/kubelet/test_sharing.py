"""Equal nodes in equal states answer equal pods alike, and are asked once."""

# FEATURE: K2

from hypothesis import given, settings
from hypothesis import strategies as st

from dractl.kubelet import KubeletState, deciding, removed
from tests.kubelet.world import admitted, answered, configured, container, grid, node, pod


def test_equal_nodes_share_their_answers() -> None:
    nodes = [node(grid(4, 4), configured("restricted", memory={0: 512})) for _ in range(50)]
    assert len({id(one.kubelet) for one in nodes}) == 1
    before = deciding._decide_afresh.cache_info()
    admissions = [admitted(one, pod(f"p{i}", container("c", "3", "1Gi"))) for i, one in enumerate(nodes)]
    after = deciding._decide_afresh.cache_info()
    assert after.misses - before.misses <= 1
    assert after.hits - before.hits >= 49
    assert {one.containers["c"].cpus for one in admissions} == {admissions[0].containers["c"].cpus}
    assert [list(one.state.cpus.pods) for one in admissions[:2]] == [["p0"], ["p1"]]


SIZES = st.lists(st.tuples(st.integers(1, 9), st.booleans()), max_size=6)


@settings(max_examples=30, deadline=None)
@given(SIZES)
def test_every_cpu_is_in_the_shared_pool_or_owned_once(pods: list[tuple[int, bool]]) -> None:
    state: KubeletState = node(grid(2, 8), configured("best-effort", memory={0: 512}))
    for number, (size, leaves) in enumerate(pods):
        answer = answered(state, pod(f"p{number}", container("c", str(size))))
        state = removed(answer.state, f"p{number}") if leaves else answer.state
    state = removed(state, "nobody")
    owned = [cpus for held in state.cpus.pods.values() for cpus in held.containers.values()]
    assert sum(map(len, owned)) + len(state.cpus.default) == 32
    assert all(cpus.isdisjoint(state.cpus.default) for cpus in owned)


@settings(max_examples=30, deadline=None)
@given(SIZES)
def test_pods_that_come_and_go_leave_no_trace(pods: list[tuple[int, bool]]) -> None:
    start = state = node(grid(2, 8), configured("restricted", memory={0: 512}))
    for number, (size, _) in enumerate(pods):
        state = answered(state, pod(f"p{number}", container("c", str(size)))).state
    for number in range(len(pods)):
        state = removed(state, f"p{number}")
    assert state.cpus == start.cpus
    assert state.memory == start.memory
