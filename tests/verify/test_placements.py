"""A whole plan: pods, nodes, what they have left, and claims that several pods use."""

# FEATURE: P1
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from dractl.api.identities import ClaimRef, ObjectRef, PodRef
from dractl.api.resource import AllocationResult, DeviceRequestAllocationResult, ResourceClaim, ResourceSlice
from dractl.cluster.features import Features
from dractl.cluster.node_state import HostPort
from dractl.cluster.pools import PoolIndex
from dractl.cluster.usage import Usage
from dractl.problem.demands import demands_of
from dractl.problem.joint import Gang
from dractl.solution.outcomes import Placement
from dractl.solution.verify import PlanStart, PodUse, check_placements
from tests.verify.builders import (
    GPU,
    allocation,
    claim,
    device,
    holding,
    node,
    only_on,
    partition,
    partitioned,
    published,
    ref,
    took,
    wants,
)

ON_A = [published(device("gpu-0"), device("gpu-1"))]
ON_BOTH = [*ON_A, published(device("gpu-0"), device("gpu-1"), on="node-b", pool="pool-b")]
FABRIC = [published(device("gpu-0"), device("gpu-1"), on=None, pool="fabric", allNodes=True)]
FIRST, SECOND = claim("first", wants("gpu")), claim("second", wants("gpu"))


def pod(name: str) -> PodRef:
    return PodRef("lab", name)


def uses(*claims: str, by: str = "", nodes: frozenset[str] | None = None, **takes: int) -> PodUse:
    """A pod with these claims; `by` is the pod, or the group, that is reserved for them."""
    consumer = ObjectRef("Pod", "lab", by)
    return PodUse(takes, {ref(each): consumer for each in claims}, nodes)


def start(
    pods: Mapping[str, PodUse],
    slices: Sequence[ResourceSlice] = (),
    claims: Sequence[ResourceClaim] = (),
    held: Sequence[ResourceClaim] = (),
    **others: Any,
) -> PlanStart:
    features = Features()
    fields: dict[str, Any] = {
        "nodes": {name: node(name) for name in ("node-a", "node-b")},
        "free": {},
        "pools": PoolIndex(slices, features).for_node,
        "pods": {pod(name): use for name, use in pods.items()},
        "demands": {ref(each.metadata.name): demands_of(each, {"gpu": GPU}, features) for each in claims},
        "held": {ref(each.metadata.name): each.status.allocation for each in held},
        "reserved": {},
        "usage": Usage.of(held, features),
        "features": features,
    }
    return PlanStart(**(fields | others))


def placed(name: str, on: str = "node-a", **allocations: AllocationResult) -> Placement:
    return Placement(pod(name), on, {ref(each): allocated for each, allocated in allocations.items()})


def broken(begin: PlanStart, *placements: Placement) -> set[str]:
    return {violation.rule for violation in check_placements(begin, placements)}


# --- pods and nodes --------------------------------------------------------------------------------------------------


def test_pods_without_claims() -> None:
    begin = start({"a": uses(cpu=2), "b": uses(cpu=3)}, free={"node-a": {"cpu": 5}})
    assert broken(begin) == set()
    assert broken(begin, placed("a"), placed("b")) == set()
    assert broken(begin, placed("a"), placed("a", "node-b")) == {"every-pod-is-placed-once"}
    assert broken(begin, placed("c")) == {"every-placement-names-a-pod-and-a-node"}
    assert broken(begin, placed("a", "node-c")) == {"every-placement-names-a-pod-and-a-node"}


def test_nodes_give_no_more_than_they_have() -> None:
    pods = {"a": uses(cpu=2, gpu=0), "b": uses(cpu=3)}
    begin = start(pods, free={"node-a": {"cpu": 4, "gpu": -1}})
    assert broken(begin, placed("a"), placed("b", "node-b")) == set()
    assert broken(begin, placed("a"), placed("b")) == {"no-node-gives-more-than-it-has"}


def test_host_ports_are_had_once() -> None:
    port, other = HostPort("0.0.0.0", "TCP", 80), HostPort("10.0.0.1", "TCP", 80)
    pods = {"a": replace(uses(), ports=frozenset((port,))), "b": replace(uses(), ports=frozenset((other,)))}
    assert broken(start(pods), placed("a"), placed("b", "node-b")) == set()
    assert broken(start(pods), placed("a"), placed("b")) == {"no-host-port-is-taken-twice"}
    taken = start(pods, ports={"node-a": frozenset((other,))})
    assert broken(taken, placed("a")) == {"no-host-port-is-taken-twice"}


def test_groups_start_with_enough_pods_or_not_at_all() -> None:
    gang = Gang(ObjectRef("PodGroup", "lab", "crew"), (pod("a"), pod("b")), 2)
    begin = start({"a": uses(), "b": uses(), "c": uses()}, gangs=(gang,))
    assert broken(begin, placed("c")) == set()
    assert broken(begin, placed("a"), placed("b", "node-b")) == set()
    assert broken(begin, placed("a"), placed("c")) == {"every-group-has-enough-pods"}


def test_pods_stay_on_permitted_nodes() -> None:
    begin = start({"a": uses(nodes=frozenset({"node-b"}))})
    assert broken(begin, placed("a", "node-b")) == set()
    assert broken(begin, placed("a")) == {"every-pod-is-on-a-permitted-node"}


# --- claims ----------------------------------------------------------------------------------------------------------


def test_each_placement_is_checked_against_those_before() -> None:
    begin = start({"a": uses("first"), "b": uses("second")}, ON_A, [FIRST, SECOND])
    zero, one = allocation(took("gpu", "gpu-0")), allocation(took("gpu", "gpu-1"))
    assert broken(begin, placed("a", first=zero), placed("b", second=one)) == set()
    assert broken(begin, placed("a", first=zero), placed("b", second=zero)) == {"held-devices-stay-with-their-holders"}


def test_a_network_device_is_one_device_on_every_node() -> None:
    begin = start({"a": uses("first"), "b": uses("second")}, FABRIC, [FIRST, SECOND])
    zero = allocation(took("gpu", "gpu-0", pool="fabric"), usable=None)
    assert broken(begin, placed("a", first=zero), placed("b", "node-b", second=zero)) == {
        "held-devices-stay-with-their-holders"
    }


def test_counters_are_used_up_by_earlier_placements() -> None:
    begin = start(
        {"a": uses("first"), "b": uses("second")}, partitioned(4, partition("x", 2), partition("y", 3)), [FIRST, SECOND]
    )
    x, y = allocation(took("gpu", "x")), allocation(took("gpu", "y"))
    assert broken(begin, placed("a", first=x), placed("b", second=y)) == {"no-counter-is-overdrawn"}


def test_claims_of_one_pod_are_one_attempt_in_the_order_of_the_pod() -> None:
    watch = claim("watch", wants("gpu", adminAccess=True))
    normal, watching = allocation(took("gpu", "gpu-0")), allocation(took("gpu", "gpu-0", adminAccess=True))
    in_order = start({"a": uses("first", "watch")}, ON_A, [FIRST, watch])
    assert broken(in_order, placed("a", watch=watching, first=normal)) == set()
    turned = start({"a": uses("watch", "first")}, ON_A, [FIRST, watch])
    assert broken(turned, placed("a", first=normal, watch=watching)) == {"each-device-is-taken-once"}


def test_a_pod_needs_all_its_claims() -> None:
    begin = start({"a": uses("first", "second")}, ON_A, [FIRST, SECOND])
    assert broken(begin, placed("a", first=allocation(took("gpu", "gpu-0")))) == {
        "every-claim-of-a-placed-pod-is-allocated"
    }


def test_a_shared_claim_is_allocated_once_and_binds_the_other_pod() -> None:
    begin = start({"a": uses("first"), "b": uses("first")}, ON_BOTH, [FIRST])
    zero, one = allocation(took("gpu", "gpu-0")), allocation(took("gpu", "gpu-1"))
    assert broken(begin, placed("a", first=zero), placed("b")) == set()
    assert broken(begin, placed("a", first=zero), placed("b", first=one)) == {"each-claim-is-allocated-once"}
    assert broken(begin, placed("a", first=zero), placed("b", "node-b")) == {"every-claim-is-usable-where-its-pods-run"}
    assert broken(begin, placed("b"), placed("a", first=zero)) == {"every-claim-of-a-placed-pod-is-allocated"}


def test_held_allocations_stay_where_they_are() -> None:
    begin = start({"a": uses("mine")}, ON_BOTH, held=[holding("mine", took("gpu", "gpu-0"))])
    assert broken(begin, placed("a")) == set()
    assert broken(begin, placed("a", "node-b")) == {"every-claim-is-usable-where-its-pods-run"}
    again = allocation(took("gpu", "gpu-0", pool="pool-b"), usable=only_on("node-b"))
    assert "held-allocations-stay" in broken(begin, placed("a", "node-b", mine=again))


def test_pods_allocate_their_own_claims_only() -> None:
    begin = start({"a": uses("first")}, ON_A, [FIRST, SECOND])
    zero, one = allocation(took("gpu", "gpu-0")), allocation(took("gpu", "gpu-1"))
    assert broken(begin, placed("a", first=zero, second=one)) == {"pods-allocate-nothing-but-their-own-claims"}
    nowhere = start({"a": uses("ghost")}, ON_A)
    assert broken(nowhere, placed("a", ghost=zero)) == {"pods-allocate-nothing-but-their-own-claims"}


def test_a_claim_with_skipped_node_operations_needs_a_node_that_allows_them() -> None:
    held = [holding("mine", took("gpu", "gpu-0", skipNodeOperations=["Prepare"]))]
    begin = start({"a": uses("mine")}, ON_A, held=held)
    assert broken(begin, placed("a")) == {"every-claim-is-usable-where-its-pods-run"}


@pytest.mark.parametrize(("consumers", "is_sound"), [(255, True), (256, False)])
def test_a_claim_has_at_most_256_users(consumers: int, is_sound: bool) -> None:
    others = frozenset(ObjectRef("Pod", "lab", f"other-{number}") for number in range(consumers))
    begin = start(
        {"a": uses("mine", by="a")},
        ON_A,
        held=[holding("mine", took("gpu", "gpu-0"))],
        reserved={ref("mine"): others},
    )
    assert broken(begin, placed("a")) == (set() if is_sound else {"no-claim-has-too-many-users"})


def test_a_group_counts_once() -> None:
    others = frozenset(ObjectRef("Pod", "lab", f"other-{number}") for number in range(255))
    begin = start(
        {name: uses("mine", by="the-group") for name in "abc"},
        ON_A,
        held=[holding("mine", took("gpu", "gpu-0"))],
        reserved={ref("mine"): others},
    )
    assert broken(begin, *(placed(name) for name in "abc")) == set()


def test_share_ids_are_fresh_across_the_plan() -> None:
    shareable = [published(device("gpu-0", allowMultipleAllocations=True))]
    begin = start({"a": uses("first"), "b": uses("second")}, shareable, [FIRST, SECOND])
    shares: list[DeviceRequestAllocationResult] = [took("gpu", "gpu-0", shareID=f"share-{n}") for n in range(2)]
    assert broken(begin, placed("a", first=allocation(shares[0])), placed("b", second=allocation(shares[1]))) == set()
    assert broken(begin, placed("a", first=allocation(shares[0])), placed("b", second=allocation(shares[0]))) == {
        "share-ids-are-fresh"
    }


def test_what_the_input_holds_is_not_the_plans_fault() -> None:
    shareable = [published(device("gpu-0", allowMultipleAllocations=True))]
    twice = [holding(name, took("gpu", "gpu-0", shareID="share-1")) for name in ("mine", "yours")]
    begin = start({"a": uses("first")}, shareable, [FIRST], twice)
    fresh, used = (allocation(took("gpu", "gpu-0", shareID=f"share-{n}")) for n in (2, 1))
    assert broken(begin, placed("a", first=fresh)) == set()
    assert broken(begin, placed("a", first=used)) == {"share-ids-are-fresh"}


def test_violations_name_claim_and_device() -> None:
    begin = start({"a": uses("first")}, ON_A, [FIRST], held=[holding("mine", took("gpu", "gpu-0"))])
    (violation,) = check_placements(begin, [placed("a", first=allocation(took("gpu", "gpu-0")))])
    assert violation.claim == ClaimRef("lab", "first")
    assert str(violation.device) == "gpu.example.com/pool/gpu-0"
    assert "lab/mine" in str(violation)
