# FEATURE: D5
"""What an evaluation uses (cel.md, Costs, Run time) and its limit."""

import pytest

from dractl.cel import COST_LIMIT
from tests.cel.asking import BARE, OVER_LIMIT, answered


@pytest.mark.parametrize(
    ("expression", "cost"),
    [
        ("true", 0),
        ("1 == 1", 1),
        ("[1, 2][0] == 1", 3),
        ("A.slot == 3", 5),
        ("A.missing == 3", 5),
        ("has(A.slot)", 3),
        ("true ? A.healthy : false", 3),
        ("A.?missing.orValue(1) == 1", 4),
        ('A.model in ["tensor-80"]', 4),
        ("1 in A.nodes", 5 + 0),
        ("A.slot in []", 0),
        ('"" == ""', 0),
        ('A.model < "u"', 5),
        ("[1, 2, 3].all(x, x > 0)", 1 + 3 * (3 + 2)),
        ("[1, 2].exists(x, x == 1)", (4 + 2) + 3 + 1),
        ("[1, 2].map(x, x).size() == 2", 2 * (12 + 1) + 1 + 2),
        ("[1, 2].filter(x, x > 1).size() == 1", (2 + 13) + 2 + 1 + 2),
        ("cel.bind(x, 1 / 0, true)", 0),
        ("cel.bind(x, 1, x + x == 2)", 2 + 1 + 1),
        ("optional.of(2).optMap(x, x).hasValue()", 2 * 1 + 1 + 1 + 1 + 1 + 1),
        ('"hello".contains("ell")', 1),
        ("[3, 1, 2].sort()[0] == 1", 11 + 2 * 9 + 1 + 1 + 1),
        ("lists.range(3).size() == 3", 11 + 3 + 1 + 1),
        ('["a"].includes("a")', 0),
        ("A.missing.indexOf('a') == 1", 4 + 1),
    ],
)
def test_units(expression: str, cost: int) -> None:
    assert answered(expression)[1] == cost


@pytest.mark.parametrize(
    ("expression", "cost"),
    [
        ("lists.range(1200).all(x, lists.range(1200).all(y, x + y >= 0))", COST_LIMIT + 1),
        ("lists.range(700).map(x, lists.range(700).map(y, x * y)).size() == 700", 1_000_359),
    ],
)
def test_an_evaluation_ends_at_the_limit(expression: str, cost: int) -> None:
    assert answered(expression, BARE) == (OVER_LIMIT, cost)


def test_nothing_absorbs_the_limit() -> None:
    endless = "lists.range(1200).all(x, lists.range(1200).all(y, x + y >= 0))"
    assert answered(f"{endless} || true", BARE)[0] == OVER_LIMIT
