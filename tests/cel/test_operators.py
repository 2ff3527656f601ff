# FEATURE: D5
"""Equality, order, arithmetic and the absorption of errors (cel.md, Types)."""

import pytest

from tests.cel.asking import FAILS, asked


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ('dyn(5) == "x"', False),
        ("dyn(1) == true", False),
        ("dyn(3) == 3.0 && dyn(3.0) == 3u && dyn(3u) == 3", True),
        ("dyn(9007199254740993) == 9007199254740992.0", True),
        ("dyn(null) == dyn(0)", False),
        ('double("nan") == double("nan")', False),
        ("dyn([1, 2]) == [1.0, 2.0]", True),
        ('{"a": 1, "b": 2} == {"b": 2, "a": 1}', True),
        ("dyn({1: 1}) == {1u: 1}", True),
        ("{dyn(1): 1, dyn(1u): 2, dyn(1.0): 3, dyn(true): 4}.size() == 4", True),
        ("type(1) == int && type([1]) == list && type(type(1)) == type", True),
        ('semver("1.0.0+a") == semver("1.0.0+b")', True),
    ],
)
def test_equality(expression: str, answer: bool) -> None:
    assert asked(expression) is answer


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ('A.firmware == "1.10.3"', FAILS),
        ('"1.10.3" == A.firmware', False),
        ('A.firmware != "1.10.3"', True),
        ('A.protocols == ["x", "y"]', True),
        ('A.protocols != ["x", "y"]', False),
        ('A.protocols == ["x"]', False),
        ('["x", "y"] == A.protocols', False),
        ('{"a": A.firmware} == {"a": "1.10.3"}', True),
        ('A.protocols.includes("1.2.0")', False),
        ('"1.2.0" in A.protocols', False),
        ('A.firmware in ["1.10.3"]', FAILS),
        ('A.firmware in ["1.10.3"] || true', FAILS),
        ('A.firmware in {"1.10.3": true}', FAILS),
        ('A.firmware in [semver("1.10.3")]', True),
        ('dyn(C.memory) in ["40Gi"]', False),
        ('quantity("6") == quantity("5").add(1)', FAILS),
        ('quantity("5").add(1) == quantity("6")', True),
    ],
)
def test_library_values_are_strict_on_the_left_only(expression: str, answer: bool | str) -> None:
    assert asked(expression) == answer


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("1 < 2u && 1.5 > 1 && 2u <= 2.0", True),
        ('dyn(1) < dyn("a")', FAILS),
        ("dyn(1) + dyn(1.0) == 2", FAILS),
        ('double("nan") < 1', FAILS),
        ("-7 / 2 == -3 && -7 % 3 == -1 && 7 % -3 == 1", True),
        ("1.0 / 0.0 > 0.0 && -1.0 / 0.0 < 0.0", True),
        ("1 % 0 == 0", FAILS),
        ("9223372036854775807 + 1 > 0", FAILS),
        ("-(-9223372036854775808) > 0", FAILS),
        ("-9223372036854775808 / -1 == 0", FAILS),
        ("1u - 2u == 0u", FAILS),
        ('timestamp(0) + duration("1s") == timestamp(1)', True),
        ('timestamp("9999-12-31T23:59:59Z") + duration("1s") > timestamp(0)', FAILS),
        ("-A.model == 1", FAILS),
        ("!A.slot", FAILS),
        ("-dyn(true) == false", FAILS),
    ],
)
def test_arithmetic_and_order(expression: str, answer: bool | str) -> None:
    assert asked(expression) == answer


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("1 / 0 == 1 || true", True),
        ("true || 1 / 0 == 1", True),
        ("1 / 0 == 1 && false", False),
        ("false || 1 / 0 == 1", FAILS),
        ("A.slot || true", True),
        ("A.slot && true", FAILS),
        ("A.missing == 1 || A.slot == 3", True),
        ("[1, 2, 3].all(x, 1 / (x - 2) > 5)", False),
        ("[2, 1].exists(x, 1 / (x - 2) < 0)", True),
        ("[2, 3].exists(x, 1 / (x - 2) < 0)", FAILS),
        ("[1].all(x, dyn(x))", FAILS),
        ("A.missing.distinct().size() == 2 || true", FAILS),
        ("A.slot ? true : false", FAILS),
        ("false ? 1 / 0 == 1 : true", True),
        ("cel.bind(x, 1 / 0, true)", True),
        ("optional.of(1).orValue(1 / 0) == 1", True),
    ],
)
def test_absorption_and_laziness(expression: str, answer: bool | str) -> None:
    assert asked(expression) == answer
