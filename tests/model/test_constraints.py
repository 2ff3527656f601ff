"""Match and distinct constraints, with lists compared and without (dra.md §9)."""

# FEATURE: P2

import pytest

from dractl.api.resource import DerivedAttribute, DeviceAttribute, DeviceConstraint, ResourceSlice
from dractl.cluster.features import Features
from tests.model.worlds import optimum, placed, world
from tests.verify.builders import NUMA, claim, device, distinct, match, numa, published, wants, wants_all

WITHOUT_LISTS = Features(list_type_attributes=False)


def one(pool: ResourceSlice, count: int, constraint: DeviceConstraint, features: Features | None = None) -> str:
    """What a claim for so many devices gets."""
    asked = claim("c", wants("r", count), constraints=[constraint])
    return placed(world([pool], asked, features=features)).get("pod-0", "nothing").replace("node-a ", "")


def test_matching_devices_have_the_same_value() -> None:
    pool = published(numa("a", 0), numa("b", 1), device("none"), numa("c", 1))
    assert one(pool, 2, match()) == "r:b r:c"
    assert one(pool, 3, match()) == "nothing"


def test_lists_match_in_one_value_that_all_have() -> None:
    assert one(published(numa("a", 1, 2), numa("b", 2, 3), numa("c", 3, 1)), 2, match()) == "r:a r:b"
    assert one(published(numa("a", 1, 2), numa("b", 2, 3), numa("c", 3, 1)), 3, match()) == "nothing"


def test_values_of_different_types_do_not_match() -> None:
    text = device("text", attributes={"numa": {"string": "1"}})
    assert one(published(numa("a", 1), text), 2, match()) == "nothing"


def test_where_lists_are_not_compared_a_list_matches_alone() -> None:
    pool = published(numa("list", 0, 1), numa("a", 1), numa("b", 1))
    assert one(pool, 1, match(), WITHOUT_LISTS) == "r:list"
    assert one(pool, 2, match(), WITHOUT_LISTS) == "r:a r:b"
    assert one(published(numa("list", 0, 1), numa("same", 0, 1)), 2, match(), WITHOUT_LISTS) == "nothing"


def test_distinct_devices_have_different_values() -> None:
    pool = published(numa("a", 0), numa("b", 0), numa("c", 1))
    assert one(pool, 2, distinct()) == "r:a r:c"
    assert one(pool, 3, distinct()) == "nothing"


def test_distinct_lists_have_no_value_in_common() -> None:
    assert one(published(numa("a", 0, 1), numa("b", 1, 2), numa("c", 2, 3)), 2, distinct()) == "r:a r:c"


def test_where_lists_are_not_compared_a_list_is_distinct_only_as_the_first() -> None:
    assert one(published(numa("list", 0, 1), numa("a", 1)), 2, distinct(), WITHOUT_LISTS) == "r:list r:a"
    assert one(published(numa("a", 1), numa("list", 0, 1)), 2, distinct(), WITHOUT_LISTS) == "nothing"


def test_a_constraint_binds_the_requests_that_it_names() -> None:
    pool = published(numa("a", 0), numa("b", 1), device("none"))
    free = claim("c", wants("r"), wants("s"), wants("t"), constraints=[distinct("r", "s")])
    assert placed(world([pool], free)) == {"pod-0": "node-a r:a s:b t:none"}


def test_all_devices_have_to_satisfy_the_constraints_together() -> None:
    everything = claim("c", wants_all("r"), constraints=[match()])
    assert placed(world([published(numa("a", 0), numa("b", 0))], everything)) != {}
    assert placed(world([published(numa("a", 0), numa("b", 1))], everything)) == {}


def test_one_share_too_many_of_a_device_is_not_distinct() -> None:
    pool = published(numa("a", 0, allowMultipleAllocations=True))
    assert placed(world([pool], claim("c", wants("r"), wants("s"), constraints=[match()]))) != {}
    assert placed(world([pool], claim("c", wants("r"), wants("s"), constraints=[distinct()]))) == {}


def test_a_derived_attribute_that_fails_leaves_its_device_out() -> None:
    pool = published(device("broken"), numa("a", 0))
    derived = [DerivedAttribute(name=NUMA, expression='device.attributes["gpu.example.com"].numa')]
    asked = claim("c", wants("r", derivedAttributes=derived), constraints=[match()])
    found = optimum(world([pool], asked))
    assert [each.device.device for each in found.left_out if each.device] == ["broken"]
    assert placed(world([pool], asked)) == {"pod-0": "node-a r:a"}


@pytest.mark.parametrize("features", [Features(), WITHOUT_LISTS])
def test_a_truth_is_no_number(features: Features) -> None:
    truth = device("truth", attributes={"numa": DeviceAttribute(bool=True)})
    assert one(published(numa("a", 1), truth), 2, match(), features) == "nothing"
    assert one(published(numa("a", 1), truth), 2, distinct(), features) == "r:a r:truth"
