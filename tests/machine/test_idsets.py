"""Sets of CPUs and NUMA nodes against plain sets, and the kernel's list notation."""

# FEATURE: K2

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dractl.machine.idsets import LARGEST_ID, NO_CPUS, CpuSet, NumaSet

MEMBERS = st.frozensets(st.integers(0, 300), max_size=40)


@given(MEMBERS, MEMBERS)
def test_a_set_behaves_like_a_set(first: frozenset[int], second: frozenset[int]) -> None:
    one, other = CpuSet(first), CpuSet(second)
    assert list(one | other) == sorted(first | second)
    assert list(one & other) == sorted(first & second)
    assert list(one - other) == sorted(first - second)
    assert (one <= other) == (first <= second)
    assert one.isdisjoint(other) == first.isdisjoint(second)
    assert (one == other) == (first == second)
    assert len(one) == len(first)
    assert bool(one) == bool(first)
    assert all((member in one) == (member in first) for member in range(301))
    assert -1 not in one


@given(MEMBERS)
def test_the_list_notation_gives_the_set_again(members: frozenset[int]) -> None:
    one = CpuSet(members)
    assert CpuSet.parse(str(one)) == one
    assert eval(repr(one), {"CpuSet": CpuSet}) == one
    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize(
    ("text", "members", "written"),
    [
        ("", [], ""),
        ("0", [0], "0"),
        ("0-1", [0, 1], "0-1"),
        ("3,1,2", [1, 2, 3], "1-3"),
        ("0-1,6-7,9", [0, 1, 6, 7, 9], "0-1,6-7,9"),
        (" 0 - 2 , 5\n", [0, 1, 2, 5], "0-2,5"),
        ("4-4,4", [4], "4"),
    ],
)
def test_lists_are_read_as_the_kernel_writes_them(text: str, members: list[int], written: str) -> None:
    assert list(CpuSet.parse(text)) == members
    assert str(CpuSet.parse(text)) == written


@pytest.mark.parametrize(
    ("text", "part"),
    [("a", "'a'"), ("0-", "'0-'"), ("0,,1", "''"), ("3-1", "'3-1' runs backwards"), ("-1", "'-1'"), ("1_0", "'1_0'")],
)
def test_a_part_that_is_no_number_is_named(text: str, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        CpuSet.parse(text)


def test_numbers_that_no_machine_has_are_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        CpuSet.parse(f"0-{LARGEST_ID + 1}")


def test_cpus_are_no_numa_nodes() -> None:
    assert CpuSet((0, 1)) != NumaSet((0, 1))


def test_a_set_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        NO_CPUS.mask = 1
    assert len({CpuSet((1, 2)), CpuSet((2, 1))}) == 1
