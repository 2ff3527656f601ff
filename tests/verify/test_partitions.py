"""Partitions stay within their counters and compatibility groups."""

# FEATURE: D7 D14
import pytest
from msgspec.structs import replace

from dractl.cluster.features import Features
from tests.verify.builders import (
    allocation,
    broken,
    claim,
    device,
    holding,
    partition,
    partitioned,
    problem,
    published,
    took,
    wants,
)

PAIR = claim("pair", wants("parts", 2))
ONE = claim("one", wants("part"))
OTHER = claim("other", wants("part"))


def test_counters_suffice_or_are_overdrawn() -> None:
    asked = problem(partitioned(4, partition("a", 2), partition("b", 2), partition("c", 3)), PAIR)
    assert broken(asked, allocation(took("parts", "a"), took("parts", "b"))) == set()
    assert broken(asked, allocation(took("parts", "a"), took("parts", "c"))) == {"no-counter-is-overdrawn"}


def test_held_partitions_use_counters_up() -> None:
    parts = partitioned(4, partition("a", 2), partition("b", 2), partition("c", 3))
    asked = problem(parts, ONE, held=[holding("other", took("part", "a"))])
    assert broken(asked, allocation(took("part", "b"))) == set()
    assert broken(asked, allocation(took("part", "c"))) == {"no-counter-is-overdrawn"}


def test_claims_of_one_attempt_share_the_counters() -> None:
    asked = problem(partitioned(4, partition("a", 2), partition("c", 3)), ONE, OTHER)
    assert broken(asked, allocation(took("part", "a")), allocation(took("part", "c"))) == {"no-counter-is-overdrawn"}


def test_one_overdrawn_set_blocks_every_partition_but_no_whole_device() -> None:
    devices = (partition("a", 9), partition("b", 1, of="second"), device("whole"))
    asked = problem(partitioned(4, *devices, sets=("board", "second")), ONE, held=[holding("other", took("part", "a"))])
    assert broken(asked, allocation(took("part", "b"))) == {"no-counter-is-overdrawn"}
    assert broken(asked, allocation(took("part", "whole"))) == set()


def test_admin_access_pays_counters_a_second_time() -> None:
    watcher = claim("watcher", wants("part", adminAccess=True))
    watching = allocation(took("part", "a", adminAccess=True))
    for memory, rules in ((4, set()), (3, {"no-counter-is-overdrawn"})):
        asked = problem(partitioned(memory, partition("a", 2)), watcher, held=[holding("other", took("part", "a"))])
        assert broken(asked, watching) == rules


def test_further_shares_of_a_partition_are_free() -> None:
    parts = partitioned(2, partition("a", 2, allowMultipleAllocations=True))
    shares = [allocation(took("part", "a", shareID=f"share-{n}")) for n in range(2)]
    assert broken(problem(parts, ONE, OTHER), *shares) == set()
    held = [holding("held", took("part", "a", shareID="share-9"))]
    assert broken(problem(parts, ONE, held=held), shares[0]) == set()


def test_counters_need_their_gate() -> None:
    off = replace(Features(), partitionable_devices=False)
    slices = [published(partition("a", 2))]
    assert broken(problem(slices, ONE, features=off), allocation(took("part", "a"))) == {"counters-have-their-gate"}


@pytest.mark.parametrize(
    ("groups", "held", "is_sound"),
    [
        ((("x",), ("x", "y")), None, True),
        (((), ()), None, True),
        ((("x",), ("y",)), None, False),
        ((("x",), ()), None, False),
        ((("x", "y"), ("y", "z")), ("y",), True),
        ((("x", "y"), ("y", "z")), ("x", "z"), False),
        (((), ()), ("x",), False),
        (((), ()), (), True),
        ((("x",), ("x",)), (), False),
    ],
)
def test_partitions_of_a_set_share_a_group(
    groups: tuple[tuple[str, ...], tuple[str, ...]], held: tuple[str, ...] | None, is_sound: bool
) -> None:
    parts = [partition("a", 1, *groups[0]), partition("b", 1, *groups[1]), partition("h", 1, *(held or ()))]
    holders = [] if held is None else [holding("held", took("part", "h"))]
    asked = problem(partitioned(9, *parts), PAIR, held=holders)
    rules = set() if is_sound else {"users-of-a-counter-set-are-compatible"}
    assert broken(asked, allocation(took("parts", "a"), took("parts", "b"))) == rules


def test_groups_bind_per_counter_set() -> None:
    devices = (partition("a", 1, "x"), partition("b", 1, "y", of="second"))
    asked = problem(partitioned(9, *devices, sets=("board", "second")), PAIR)
    assert broken(asked, allocation(took("parts", "a"), took("parts", "b"))) == set()
