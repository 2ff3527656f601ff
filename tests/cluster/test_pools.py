"""Slices become pools: generations, completeness, validity and order (dra.md §4). FEATURE: D3, D4"""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from dractl.api.base import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dractl.api.core import Node
from dractl.api.resource import Device, ResourcePool, ResourceSlice
from dractl.cluster.features import Features
from dractl.cluster.pools import Pool, PoolIndex, PoolState
from tests.verify.builders import device, node, partition, partitioned, published, where


def piece(name: str, *devices: Device, generation: int = 1, count: int = 1, **spec: Any) -> ResourceSlice:
    """A slice of pool `pool` with its own name."""
    slice_ = published(*devices, **spec)
    pool = ResourcePool(name=slice_.spec.pool.name, generation=generation, resourceSliceCount=count)
    return msgspec.structs.replace(
        slice_,
        metadata=msgspec.structs.replace(slice_.metadata, name=name),
        spec=msgspec.structs.replace(slice_.spec, pool=pool),
    )


def pools(
    slices: Sequence[ResourceSlice], at: Node | None = None, features: Features | None = None
) -> tuple[Pool, ...]:
    return PoolIndex(slices, features or Features()).for_node(at or node())


def only_pool(slices: Sequence[ResourceSlice], at: Node | None = None) -> Pool:
    (pool,) = pools(slices, at)
    return pool


def names(pool: Pool) -> list[str]:
    return [each.id.device for each in pool.devices]


def test_devices_come_by_slice_name_and_then_in_the_order_of_the_slice() -> None:
    slices = [piece("s-2", device("a"), count=2), piece("s-1", device("z"), device("b"), count=2)]
    assert names(only_pool(slices)) == ["z", "b", "a"]


def test_a_newer_generation_replaces_an_older_one() -> None:
    pool = only_pool([piece("old", device("a")), piece("new", device("b"), generation=2)])
    assert pool.state is PoolState.COMPLETE
    assert names(pool) == ["b"]


def test_a_pool_lacks_slices() -> None:
    pool = only_pool([piece("s-1", device("a"), count=2)])
    assert pool.state is PoolState.INCOMPLETE
    assert pool.because == "1 of 2 slices are there"


def test_slices_for_other_nodes_make_a_pool_complete() -> None:
    slices = [piece("s-1", device("a"), count=2), piece("s-2", device("b"), count=2, on="node-b")]
    pool = only_pool(slices)
    assert pool.state is PoolState.COMPLETE
    assert names(pool) == ["a"]
    assert [each.id.device for each in pool.elsewhere] == ["b"]


def test_a_newer_generation_for_another_node_makes_an_unfinished_pool_vanish() -> None:
    slices = [piece("s-1", device("a"), count=2), piece("s-2", device("b"), generation=2, on="node-b")]
    assert pools(slices) == ()


def test_a_newer_generation_for_another_node_stays_unseen_by_a_finished_pool() -> None:
    slices = [piece("s-1", device("a")), piece("s-2", device("b"), generation=2, on="node-b")]
    assert only_pool(slices).state is PoolState.COMPLETE


def test_the_first_relevant_slice_says_how_many_there_should_be() -> None:
    two, one = piece("s-1", device("a"), count=2), piece("s-2", device("b"), count=1)
    assert only_pool([two, one]).state is PoolState.COMPLETE
    assert only_pool([one, two]).state is PoolState.INCOMPLETE


@pytest.mark.parametrize(
    ("slices", "because"),
    [
        ([published(device("a"), device("a"))], "device a is listed twice"),
        ([published(partition("a", 1))], "device a consumes from counter set board, which does not exist"),
        (partitioned(4, partition("a", 1), sets=("board", "board")), "counter set board is defined twice"),
    ],
)
def test_a_pool_that_contradicts_itself_is_invalid(slices: list[ResourceSlice], because: str) -> None:
    pool = only_pool(slices)
    assert (pool.state, pool.because) == (PoolState.INVALID, because)


def test_pools_come_by_driver_and_name_and_those_with_binding_conditions_last() -> None:
    bound = device("a", bindingConditions=["ready"], bindingFailureConditions=["failed"])
    slices = [published(bound, pool="a"), published(device("b"), pool="c"), published(device("c"), pool="b")]
    assert [pool.id.pool for pool in pools(slices)] == ["b", "c", "a"]


def test_unfinished_pools_keep_their_place_whatever_their_binding_conditions() -> None:
    bound = device("a", bindingConditions=["ready"], bindingFailureConditions=["failed"])
    unfinished = piece("s-1", bound, count=2)
    assert [pool.id.pool for pool in pools([published(device("b"), pool="z"), unfinished])] == ["pool", "z"]


def test_slices_choose_their_nodes() -> None:
    at = node("node-a", rack="r1")
    slices = [
        published(device("everywhere"), on=None, pool="a", allNodes=True),
        published(device("rack"), on=None, pool="b", nodeSelector=where(("rack", "r1"))),
        published(device("other"), on=None, pool="c", nodeSelector=where(("rack", "r2"))),
        published(device("mine", nodeName="node-a"), on=None, pool="d", perDeviceNodeSelection=True),
        published(device("theirs", nodeName="node-b"), on=None, pool="e", perDeviceNodeSelection=True),
    ]
    assert [pool.id.pool for pool in pools(slices, at)] == ["a", "b", "d"]


def test_slices_with_groups_are_invisible_while_the_gate_is_off() -> None:
    slices = partitioned(4, partition("a", 1, "red"))
    off = replace(Features(), compatibility_groups=False)
    (pool,) = pools(slices, features=off)
    assert pool.state is PoolState.INCOMPLETE


def test_an_invisible_newer_generation_makes_an_unfinished_pool_vanish() -> None:
    off = replace(Features(), compatibility_groups=False)
    older, newer = piece("s-1", device("a"), count=2), piece("s-2", partition("b", 1, "red"), generation=2)
    assert pools([older, newer], features=off) == ()


def test_partitions_are_not_looked_at_while_the_gate_is_off() -> None:
    slices = [published(device("mine", nodeName="node-a"), on=None, perDeviceNodeSelection=True)]
    assert pools(slices, features=replace(Features(), partitionable_devices=False)) == ()


def test_a_node_selector_that_cannot_be_parsed_stops_everything() -> None:
    requirement = NodeSelectorRequirement(key="size", operator="Gt", values=["big"])
    unreadable = NodeSelector(nodeSelectorTerms=[NodeSelectorTerm(matchExpressions=[requirement])])
    slices = [published(device("a")), published(device("b"), on=None, pool="other", nodeSelector=unreadable)]
    (pool,) = pools(slices)
    assert pool.state is PoolState.UNREADABLE
    assert pool.because.startswith("gather pool information: failed to perform node selection for slice slice-other: ")


def test_an_empty_node_name_is_none() -> None:
    assert names(only_pool([published(device("a", nodeName=""), on="", allNodes=True)])) == ["a"]


def test_a_slice_with_counter_sets_publishes_no_devices() -> None:
    counters, devices = partitioned(4, partition("a", 1))
    both = msgspec.structs.replace(counters, spec=msgspec.structs.replace(counters.spec, devices=[device("b")]))
    assert names(only_pool([both, devices])) == ["a"]
