# FEATURE: D5
"""The worst case that is told from the expression alone (cel.md, Costs, Estimate)."""

import pytest

from dractl.cel import CompileFault, compile_selector
from dractl.cel.sizes import UNBOUNDED
from tests.cel.asking import written_out


@pytest.mark.parametrize(
    ("expression", "most"),
    [
        ("true", 0),
        ("1 == 1 && 2 == 2", 2),
        ("A.slot == 3", 5),
        ('A.model == "tensor-80"', 5),
        ("has(A.slot)", 3),
        ("1 in A.nodes", 4 + 64),
        ("A.nodes.all(n, n >= 0)", 4 + 1 + 64 * 5),
        ("[1, 2].all(x, x > 0)", 10 + 1 + 2 * 5),
        ("cel.bind(x, 1, x == 1)", 10 + 1 + 1),
        ("A.links.distinct() == ['a']", 4 + 11 + 2 * 64**2 + 1 + 10),
        ('"a".matches("b+")', 1),
        ("device == device", 2),
        ("lists.range(A.slot).size() == 3", UNBOUNDED),
        ("A.?nodes.orValue([]).exists(n, n == 1)", UNBOUNDED),
        ("A.protocols.exists(v, v == semver('1.2.0'))", UNBOUNDED),
        ("A.protocols.exists(v, v.compareTo(semver('1.2.0')) == 0)", 4 + 1 + 64 * (4 + 1 + 1 + 1 + 1)),
        ("A.?model.orValue('').split('-').size() == 2", 3689348814741910535),
        ("[1].slice(1, 0).size() == 1", UNBOUNDED),
        ('ip("::1") == ip("::1") && ip("::1") != ip("::1")', 2 + 1 + 2 + 1844674407370955264),
    ],
)
def test_worst_case(expression: str, most: int) -> None:
    compiled = compile_selector(written_out(expression))
    assert not isinstance(compiled, CompileFault)
    assert compiled.max_cost == most
