"""Merging hints and what the policies make of the result (kubelet.md §8)."""

# FEATURE: K6

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dractl.kubelet import KubeletFault, Stop, Stopped, admit
from dractl.kubelet.hints import Hint, Hints
from dractl.kubelet.merging import TopologyPolicy, TopologyPolicyName
from dractl.machine.idsets import NumaSet
from tests.kubelet.world import admitted, answered, configured, container, cpus, grid, node, pod, refused, start_failure

FOUR = NumaSet(range(4))
MASKS = st.integers(1, 15).map(NumaSet.of_mask)
HINTS = st.lists(st.builds(Hint, st.none() | MASKS, st.booleans()), max_size=4).map(tuple)
PROVIDED = st.lists(st.none() | st.dictionaries(st.sampled_from("ab"), st.none() | HINTS, max_size=2), max_size=3)
POLICIES = st.sampled_from(["best-effort", "restricted", "single-numa-node"]).map(TopologyPolicyName)


def walked(policy: TopologyPolicyName, provided: list[Hints | None]) -> Hint:
    """The rules of §8.1 to §8.4 word by word, combination after combination."""
    lists: list[tuple[Hint, ...]] = []
    for hints in provided:
        for of_resource in (hints or {"any": None}).values():
            if of_resource is None:
                lists.append((Hint(None, preferred=True),))
            else:
                lists.append(of_resource or (Hint(None, preferred=False),))
    single = policy is TopologyPolicyName.SINGLE_NUMA_NODE
    if single:
        lists = [tuple(h for h in hints if h.preferred and (h.nodes is None or len(h.nodes) == 1)) for hints in lists]
    narrowest = [min((len(h.nodes) for h in hints if h.nodes is not None), default=0) for hints in lists]
    best = None
    for combination in product(*lists):
        named = [hint.nodes for hint in combination if hint.nodes is not None]
        mask = FOUR
        for nodes in named:
            mask &= nodes
        candidate = Hint(mask, all(h.preferred for h in combination) and len(set(named)) < 2)
        best = better(best, candidate, max(narrowest, default=0))
    best = best or Hint(FOUR, preferred=False)
    return Hint(None, best.preferred) if single and best.nodes == FOUR else best


def better(current: Hint | None, candidate: Hint, wide: int) -> Hint | None:
    assert candidate.nodes is not None
    if not candidate.nodes or current is None or current.nodes is None:
        return current if not candidate.nodes else candidate
    if current.preferred != candidate.preferred:
        return candidate if candidate.preferred else current
    old, new = len(current.nodes), len(candidate.nodes)
    narrower = min(current, candidate, key=lambda h: (len(h.nodes or ()), h.nodes.mask if h.nodes else 0))
    if current.preferred or old > wide:
        return narrower
    if old == wide:
        return narrower if new == wide else current
    if new > wide:
        return current
    if new == wide or new > old:
        return candidate
    return current if new < old else narrower


@given(POLICIES, PROVIDED)
def test_the_short_way_comes_to_the_same_as_all_combinations(
    policy: TopologyPolicyName, provided: list[Hints | None]
) -> None:
    merged = TopologyPolicy(policy, nodes=FOUR).merge(provided)
    assert merged == walked(policy, provided)


def hint(*nodes: int, preferred: bool = True) -> Hint:
    return Hint(NumaSet(nodes), preferred)


def test_equal_masks_are_needed_for_a_preferred_hint() -> None:
    policy = TopologyPolicy(TopologyPolicyName.RESTRICTED, nodes=FOUR)
    merged = policy.merge([{"nic": (hint(0),)}, {"cpu": (hint(0, 1),)}])
    assert merged == hint(0, preferred=False)
    assert not policy.admits(merged)


def test_of_equal_sizes_the_smaller_bit_pattern_wins_not_the_more_low_bits() -> None:
    policy = TopologyPolicy(TopologyPolicyName.BEST_EFFORT, nodes=FOUR)
    assert policy.merge([{"cpu": (hint(0, 3), hint(1, 2))}]) == hint(1, 2)


def test_closest_nodes_win_where_that_is_asked_for() -> None:
    rows = {0: (10, 30, 30, 11), 1: (30, 10, 12, 30), 2: (30, 12, 10, 30), 3: (11, 30, 30, 10)}
    policy = TopologyPolicy(TopologyPolicyName.BEST_EFFORT, nodes=FOUR, prefer_closest=True, distances=rows)
    assert policy.merge([{"cpu": (hint(0, 3), hint(1, 2))}]) == hint(0, 3)
    single = TopologyPolicy(TopologyPolicyName.SINGLE_NUMA_NODE, nodes=FOUR, prefer_closest=True, distances=rows)
    assert single.merge([{"cpu": (hint(3), hint(1))}]) == hint(1)


# --- through the whole kubelet ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["none", "best-effort"])
def test_hints_are_wishes(policy: str) -> None:
    admission = admitted(node(grid(2, 4), configured(policy, reserved="0,4")), pod("p", container("c", "8")))
    assert len(admission.containers["c"].cpus) == 8


@pytest.mark.parametrize("policy", ["restricted", "single-numa-node"])
def test_a_node_that_is_full_with_its_reserved_cpu_is_never_preferred(policy: str) -> None:
    """Each node has 7 CPUs for pods and 8 in all: one node would be enough, but only two have room."""
    state = node(grid(2, 4), configured(policy, reserved="0,4"))
    asked = pod("p", container("c", "8"))
    assert refused(state, asked) == "TopologyAffinityError: Resources cannot be allocated with Topology locality"
    assert KubeletFault.RESERVED_HIDES_NODE in answered(state, asked).faults


def test_container_scope_aligns_each_container_by_itself() -> None:
    pods = pod("p", container("a", "6"), container("b", "6"))
    by_container = admitted(node(grid(2, 4), configured("restricted")), pods)
    assert (cpus(by_container, "a"), cpus(by_container, "b")) == ("1-3,9-11", "4-6,12-14")
    by_pod = admitted(node(grid(2, 4), configured("restricted", scope="pod")), pods)
    assert by_pod.containers["a"].hint == by_pod.containers["b"].hint == Hint(NumaSet((0, 1)), preferred=True)


def test_a_container_that_is_refused_leaves_what_earlier_ones_got_until_the_next_look() -> None:
    state = node(grid(2, 4), configured("single-numa-node"))
    asked = pod("p", container("a", "2"), container("b", "9"))
    assert refused(state, asked).startswith("TopologyAffinityError")
    after = admit(state, asked)
    assert not isinstance(after, Stopped)
    assert str(after.state.cpus.default) == "0,2-8,10-15"
    assert "p" not in after.state.active
    assert str(admitted(after.state, pod("q", container("c", "8"))).state.cpus.default) == "0-3,8-11"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nearest": "true"}, 'unknown Topology Manager Policy option: "nearest"'),
        (
            {"prefer-closest-numa-nodes": "maybe"},
            'bad value for option "prefer-closest-numa-nodes": strconv.ParseBool: parsing "maybe": invalid syntax',
        ),
        (
            {"max-allowable-numa-nodes": "7"},
            'the minimum value of "max-allowable-numa-nodes" should not be less than 8',
        ),
        (
            {"max-allowable-numa-nodes": "many"},
            'unable to convert policy option to integer "max-allowable-numa-nodes": '
            'strconv.Atoi: parsing "many": invalid syntax',
        ),
    ],
)
def test_options_that_keep_the_kubelet_from_starting(options: dict[str, str], message: str) -> None:
    failure = start_failure(grid(), configured(topologyManagerPolicyOptions=options))
    assert (failure.stage, failure.message) == ("topologyManager", message)
    node(grid(), configured("none", topologyManagerPolicyOptions=options))


def test_nine_nodes_are_too_many_unless_an_option_allows_them() -> None:
    failure = start_failure(grid(9, 1), configured())
    assert failure.message == "unsupported on machines with more than 8 NUMA Nodes"
    node(grid(9, 1), configured(topologyManagerPolicyOptions={"max-allowable-numa-nodes": "9"}))
    node(grid(9, 1), configured("none"))


@pytest.mark.parametrize(("field", "name"), [("topologyManagerPolicy", "policy"), ("topologyManagerScope", "scope")])
def test_unknown_names_are_refused(field: str, name: str) -> None:
    assert start_failure(grid(), configured(**{field: "x"})).message == f'unknown {name}: "x"'  # type: ignore[arg-type]


def test_gaps_in_node_numbers_crash_the_kubelet_that_prefers_closest_nodes() -> None:
    options = {"prefer-closest-numa-nodes": "true"}
    state = node(grid(4, 4, numbers=[0, 1, 8, 9]), configured(topologyManagerPolicyOptions=options))
    stopped = admit(state, pod("p", container("c", "12")))
    assert isinstance(stopped, Stopped)
    assert (stopped.how, stopped.fault) == (Stop.CRASH, KubeletFault.SPARSE_DISTANCES)


def test_node_numbers_from_64_on_crash_the_kubelet() -> None:
    machine = grid(2, 4, numbers=[0, 72])
    stopped = admit(node(machine, configured()), pod("p", container("c")))
    assert isinstance(stopped, Stopped)
    assert stopped.fault is KubeletFault.LARGE_NODE_NUMBER
    admitted(node(machine, configured("none")), pod("p", container("c", "2")))
