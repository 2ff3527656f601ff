# FEATURE: D5
"""Loops, `cel.bind`, `has` and optional values."""

import pytest

from tests.cel.asking import FAILS, asked


@pytest.mark.parametrize(
    "expression",
    [
        "[1, 2, 3].all(x, x > 0) && ![1].exists(x, x == 2) && [1, 2].exists_one(x, x > 1)",
        "[].all(x, false) && ![].exists(x, true) && ![].exists_one(x, true)",
        "[1, 2, 3].map(x, x * 2) == [2, 4, 6] && [1, 2, 3].map(x, x > 1, x * 2) == [4, 6]",
        "[1, 2, 3].filter(x, x % 2 == 1) == [1, 3]",
        '{"a": 1}.all(k, v, k == "a" && v == 1) && {"a": 1}.map(k, k) == ["a"]',
        "[5, 6].all(i, v, v == i + 5) && [5, 6].existsOne(i, v, i == 1)",
        "[1, 2, 3].transformList(i, v, i > 0, i * v) == [2, 6]",
        '{"a": 1, "b": 2}.transformMap(k, v, v > 1, v + 1) == {"b": 3}',
        '["x", "y"].transformMapEntry(i, v, {v: i}) == {"x": 0, "y": 1}',
        "[[1, 2], [3]].map(x, x.map(y, y + x.size())) == [[3, 4], [4]]",
        "[1].map(x, [2].map(x, x)) == [[2]]",
        "cel.bind(x, 5, cel.bind(x, x + 1, x == 6) && x == 5)",
        "[1, 2].all(y, cel.bind(x, y * 2, x == y + y))",
        "optional.of(2).optMap(x, x * 2).value() == 4 && !optional.none().optMap(x, x * 2).hasValue()",
        "optional.of(2).optFlatMap(x, optional.of(x + 1)).value() == 3",
        '{"a": {"b": 1}}.?a.b.value() == 1 && !{"a": {"b": 1}}.?x.b.hasValue()',
        '{"a": {"b": {"c": 1}}}.a.?b["c"].orValue(2) == 1',
        "[1, 2][?0].value() == 1 && ![1, 2][?9].hasValue()",
        "optional.none().or(optional.of(2)).value() == 2",
        "[1].all(device, .device.driver == 'gpu.example.com')",
        '[{"k": 2}, {"k": 1}].sortBy(x, x.k) == [{"k": 1}, {"k": 2}]',
    ],
)
def test_holds(expression: str) -> None:
    assert asked(expression) is True


@pytest.mark.parametrize(
    "expression",
    [
        '["x", "x"].transformMapEntry(i, v, {v: i}).size() == 1',
        "[1, 2].map(x, 1 / (x - 1)) == [1]",
        "[1, 2, 3].transformMap(i, v, 1 / (v - 2)).size() == 3",
        "A.slot.exists(x, true)",
        "A.model.all(x, true)",
        "optional.none().value() == 1",
        "dyn(1).orValue(2) == 1",
        '{"a": optional.of({"b": 1})}.a.b == optional.of(1)',
    ],
)
def test_fails(expression: str) -> None:
    assert asked(expression) == FAILS
