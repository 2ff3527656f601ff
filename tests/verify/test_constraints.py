"""Attributes agree or differ, as scalars and as lists."""

# FEATURE: D5 D9
import pytest
from msgspec.structs import replace

from dractl.api.resource import DeviceAttribute
from dractl.cluster.features import Features
from tests.verify.builders import (
    NUMA,
    allocation,
    broken,
    claim,
    device,
    distinct,
    match,
    numa,
    problem,
    published,
    took,
    wants,
)

AGREE, DIFFER = "matching-devices-agree", "distinct-devices-differ"
SCALARS_ONLY = replace(Features(), list_type_attributes=False)
PAIR = allocation(took("gpus", "a"), took("gpus", "b"))


@pytest.mark.parametrize(
    ("first", "second", "matches", "differs"),
    [
        ((0,), (0,), True, False),
        ((0,), (1,), False, True),
        ((0, 1), (1, 2), True, False),
        ((0, 1), (2, 3), False, True),
        ((0, 1), (1,), True, False),
    ],
)
def test_two_devices(first: tuple[int, ...], second: tuple[int, ...], matches: bool, differs: bool) -> None:
    slices = [published(numa("a", *first), numa("b", *second))]
    matching = problem(slices, claim("pair", wants("gpus", 2), constraints=[match()]))
    differing = problem(slices, claim("pair", wants("gpus", 2), constraints=[distinct()]))
    assert broken(matching, PAIR) == (set() if matches else {AGREE})
    assert broken(differing, PAIR) == (set() if differs else {DIFFER})


def test_pairwise_overlap_is_not_enough_to_match() -> None:
    slices = [published(numa("a", 0, 1), numa("b", 1, 2), numa("c", 0, 2))]
    asked = problem(slices, claim("three", wants("gpus", 3), constraints=[match()]))
    assert broken(asked, allocation(*(took("gpus", name) for name in "abc"))) == {AGREE}


def test_values_of_different_types_have_nothing_in_common() -> None:
    text = device("b", attributes={"numa": {"string": "0"}})
    slices = [published(numa("a", 0), text)]
    assert broken(problem(slices, claim("p", wants("gpus", 2), constraints=[match()])), PAIR) == {AGREE}
    assert broken(problem(slices, claim("p", wants("gpus", 2), constraints=[distinct()])), PAIR) == set()


def test_a_device_without_the_attribute_cannot_be_added() -> None:
    slices = [published(numa("a", 0), device("b"))]
    for constraint in (match(), distinct()):
        asked = problem(slices, claim("pair", wants("gpus", 2), constraints=[constraint]))
        assert broken(asked, PAIR) == {"constrained-devices-have-the-attribute"}


def test_a_constraint_binds_the_requests_that_it_names() -> None:
    slices = [published(numa("a", 0), numa("b", 1))]
    requests = (wants("one"), wants("two"))
    split = allocation(took("one", "a"), took("two", "b"))
    for named, rules in ((match("one"), set()), (match("one", "two"), {AGREE}), (match(), {AGREE})):
        assert broken(problem(slices, claim("split", *requests, constraints=[named])), split) == rules


def test_constraints_of_one_claim_do_not_see_another() -> None:
    slices = [published(numa("a", 0), numa("b", 1))]
    claims = [claim(name, wants("gpu"), constraints=[match()]) for name in ("first", "second")]
    assert broken(problem(slices, *claims), allocation(took("gpu", "a")), allocation(took("gpu", "b"))) == set()


@pytest.mark.parametrize(
    ("first", "second", "matches", "differs"),
    [
        ((0,), (0,), True, False),
        ((0,), (1,), False, True),
        ((0, 1), (0,), False, True),
        ((0,), (0, 1), False, False),
        ((0, 1), (0, 1), False, False),
    ],
)
def test_without_list_attributes(first: tuple[int, ...], second: tuple[int, ...], matches: bool, differs: bool) -> None:
    slices = [published(numa("a", *first), numa("b", *second))]
    matching = problem(slices, claim("p", wants("gpus", 2), constraints=[match()]), features=SCALARS_ONLY)
    differing = problem(slices, claim("p", wants("gpus", 2), constraints=[distinct()]), features=SCALARS_ONLY)
    assert broken(matching, PAIR) == (set() if matches else {AGREE})
    assert broken(differing, PAIR) == (set() if differs else {DIFFER})


def test_a_list_alone_is_fine_without_list_attributes() -> None:
    asked = problem(
        [published(numa("a", 0, 1))], claim("one", wants("gpus"), constraints=[match()]), features=SCALARS_ONLY
    )
    assert broken(asked, allocation(took("gpus", "a"))) == set()


def test_the_qualified_name_comes_first() -> None:
    attributes = {"numa": DeviceAttribute(int=0), NUMA: DeviceAttribute(int=7)}
    both = type(numa("b", 0))(name="b", attributes=attributes)
    asked = problem([published(numa("a", 7), both)], claim("p", wants("gpus", 2), constraints=[match()]))
    assert broken(asked, PAIR) == set()
