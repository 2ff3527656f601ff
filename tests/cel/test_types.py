# FEATURE: D5
"""Static types (cel.md, Types; Stored and new)."""

import pytest

from dractl.cel import CelGates, CompileFault, compile_selector
from tests.cel.asking import FAILS, REFUSED, asked, written_out

NO_GATES = CelGates(consumable_capacity=False, list_type_attributes=False)


@pytest.mark.parametrize(
    "expression",
    [
        *("1", '"a"', "null", "optional.of(true)", "[true]", "device", "int", "C.memory"),
        *("1 == 1.0", '1 in ["a"]', '[1] == ["a"]', '"a" * 2 == "aa"', "1 + true == 2", '"a" < 1'),
        *("[1, 2.0] == [1.0]", '{"a": 1, 2: 3}.size() == 2', "[A.slot, 1].size() == 2", "[[1], [dyn(2)]].size() == 2"),
        *('true ? 1 : "a" == 1', "5.all(x, true)", '"abc".exists(x, true)', "[1].map(1, true).size() == 1"),
        *("device.nothing == 1", "has(device.nothing)", 'device["driver"] == "x"', 'has(A["model"])', "true.foo"),
        *("C.memory > quantity('1')", 'semver("1.0.0") < semver("2.0.0")', 'quantity("1").sign() == 1'),
        *("nothing", "foo(1)", "math.greatest(1, 2) == 2", '"abc".reverse() == "cba"', "[1].existsOne(x, x == 1)"),
        *("size(1) == 1", 'string(C.memory) == "40Gi"', "duration(5) == duration('5ns')", "[?1].size() == 1"),
    ],
)
def test_does_not_compile(expression: str) -> None:
    assert asked(expression) == REFUSED


@pytest.mark.parametrize(
    "expression",
    [
        'int("x") == 0',
        "int(1e20) == 0",
        'bool("yes")',
        r'string(b"\xff") == "x"',
        '"a".matches("(")',
        '"a".find("(") == ""',
        'matches("(", "text")',
        'duration("1x") == duration("1s")',
        'timestamp("never") == timestamp(0)',
        '"%d".format(["a"]) == "a"',
        '"%d".format([1, 2]) == "1"',
        '"%q".format([1]) == ""',
        'A.slot == "%d".format([])',
        "{null: 1}[null] == 1",
    ],
)
def test_literals_are_looked_at_when_compiled(expression: str) -> None:
    assert asked(expression) == REFUSED


@pytest.mark.parametrize(
    "expression",
    [
        "1 / 0 == 1",
        "[1][5] == 1",
        'semver("v1.2").major() == 1',
        'quantity("1Gb").isInteger()',
        'ip("1.2").family() == 4',
    ],
)
def test_other_wrong_values_fail_only_when_evaluated(expression: str) -> None:
    assert asked(expression) == FAILS


@pytest.mark.parametrize(
    ("expression", "output"),
    [
        ("A.healthy", "dyn"),
        ("A.slot == 3", "bool"),
        ("A.?healthy.orValue(true)", "dyn"),
        ("true ? A.healthy : false", "dyn"),
        ("cel.bind(x, A.healthy, x)", "dyn"),
        ("[A.slot, A.model].exists(x, x == 3)", "bool"),
        ("[1].exists(x, type(x) == int)", "bool"),
    ],
)
def test_output_type(expression: str, output: str) -> None:
    compiled = compile_selector(written_out(expression))
    assert not isinstance(compiled, CompileFault)
    assert compiled.output_type == output


def test_stored_expressions_know_everything() -> None:
    assert asked("device.allowMultipleAllocations && A.nodes.includes(1) && A.nodes.exists(n, n == 1)") is True


@pytest.mark.parametrize(
    "expression",
    ["device.allowMultipleAllocations", "A.nodes.includes(1)", "A.nodes.exists(n, n == 1)", "dyn(true)"],
)
def test_new_expressions_are_held_to_their_gates(expression: str) -> None:
    assert asked(expression, gates=NO_GATES) == REFUSED
    assert asked(expression, gates=CelGates()) is True


def test_attributes_are_any_without_lists() -> None:
    compiled = compile_selector(written_out("A.healthy"), NO_GATES)
    assert not isinstance(compiled, CompileFault)
    assert compiled.output_type == "google.protobuf.Any"


def test_compiling_twice_gives_the_same() -> None:
    assert compile_selector("true") is compile_selector("true")
