"""Counters and compatibility groups (dra.md §13, §14)."""

# FEATURE: P2

from tests.model.worlds import placed, together, world
from tests.verify.builders import claim, device, holding, partition, partitioned, published, took, wants


def test_partitions_take_no_more_than_the_counters_have() -> None:
    pool = partitioned(4, *(partition(f"part-{number}", 2) for number in range(3)))
    assert placed(world(pool, *(claim(name, wants("r")) for name in "abc"))) == {
        "pod-0": "node-a r:part-0",
        "pod-1": "node-a r:part-1",
    }


def test_held_partitions_leave_less() -> None:
    pool = partitioned(4, partition("part-0", 3), partition("part-1", 2))
    assert placed(world(pool, claim("c", wants("r")), held=[holding("h", took("r", "part-0"))])) == {}


def test_one_overdrawn_counter_set_blocks_all_partitions_of_its_pool_but_not_whole_devices() -> None:
    pool = partitioned(4, partition("part-0", 5), partition("part-1", 1, of="link"), sets=("board", "link"))
    held = [holding("h", took("r", "part-0"))]
    assert placed(world(pool, claim("c", wants("r")), held=held)) == {}
    whole = published(device("whole"), pool="other")
    assert placed(world([*pool, whole], claim("c", wants("r")), held=held)) == {"pod-0": "node-a r:whole"}


def test_a_shared_partition_pays_once() -> None:
    pool = partitioned(4, partition("part-0", 3, allowMultipleAllocations=True), partition("part-1", 1))
    found = placed(world(pool, *(claim(name, wants("r")) for name in "abc"), claim("d", wants("r", 2))))
    assert found == {f"pod-{number}": "node-a r:part-0" for number in range(3)} | {"pod-3": "node-a r:part-0 r:part-1"}


def test_admin_access_pays_while_its_pod_is_decided() -> None:
    pool = partitioned(3, partition("part-0", 2))
    admin, normal = claim("admin", wants("r", adminAccess=True)), claim("normal", wants("r"))
    assert len(placed(world(pool, admin, normal))) == 2
    assert len(placed(world(pool, normal, admin))) == 1
    assert placed(together(world(pool, normal, admin))) == {}


def test_partitions_in_use_together_have_one_group_in_common() -> None:
    pool = partitioned(9, partition("ab", 1, "a", "b"), partition("bc", 1, "b", "c"), partition("ca", 1, "c", "a"))
    assert placed(world(pool, claim("c", wants("r", 2)))) == {"pod-0": "node-a r:ab r:bc"}
    assert placed(world(pool, claim("c", wants("r", 3)))) == {}


def test_partitions_without_groups_keep_to_themselves() -> None:
    pool = partitioned(9, partition("a", 1, "a"), partition("x", 1), partition("y", 1))
    assert placed(world(pool, claim("c", wants("r", 2)))) == {"pod-0": "node-a r:x r:y"}


def test_groups_of_held_partitions_count() -> None:
    pool = partitioned(9, partition("a", 1, "a"), partition("b", 1, "b"), partition("ab", 1, "a", "b"))
    held = [holding("h", took("r", "b"))]
    assert placed(world(pool, claim("c", wants("r")), held=held)) == {"pod-0": "node-a r:ab"}
    both = [holding("g", took("r", "a")), *held]
    assert placed(world(pool, claim("c", wants("r")), held=both)) == {}


def test_admin_access_is_bound_by_groups_while_its_pod_is_decided() -> None:
    pool = partitioned(9, partition("a", 1, "a"), partition("b", 1, "b"))
    admin, normal = claim("admin", wants("r", adminAccess=True)), claim("normal", wants("r"))
    assert placed(together(world(pool, admin, normal))) == {}
    assert placed(together(world(pool, normal, admin))) == {"pod-0": "node-a r:a r:a"}
    assert len(placed(world(pool, admin, normal))) == 2


def test_a_partition_with_shares_from_former_times_pays_again_while_its_pod_is_decided() -> None:
    """It counts as allocated already, and taking it alone costs the same counters once more, for that moment only."""
    former = [holding("h", took("r", "part-0", shareID="s"))]
    tight = partitioned(3, partition("part-0", 2), partition("part-1", 1))
    assert placed(world(tight, claim("c", wants("r", 1)), held=former)) == {"pod-0": "node-a r:part-1"}
    roomy = partitioned(4, partition("part-0", 2), partition("part-1", 2))
    alone, other = claim("alone", wants("r")), claim("other", wants("r"))
    assert placed(world(roomy, alone, other, held=former)) == {"pod-0": "node-a r:part-0", "pod-1": "node-a r:part-1"}
