# FEATURE: D5
"""Deep and long expressions, and what importing costs."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.cel.asking import REFUSED, asked


@pytest.mark.parametrize(
    ("deepest", "expression"),
    [
        (249, lambda depth: "(" * depth + "true" + ")" * depth),
        (250, lambda depth: "[" * depth + "]" * depth + ".size() == 1"),
        (249, lambda depth: "true ? true : " * depth + "true"),
        (250, lambda depth: "+".join(["1"] * depth) + " > 0"),
        (124, lambda depth: "1+(" * depth + "1" + ")" * depth + " > 0"),
    ],
)
def test_nesting_ends_where_it_ends_for_kubernetes(deepest: int, expression: Callable[[int], str]) -> None:
    assert asked(expression(deepest)) is True
    assert asked(expression(deepest + 1)) == REFUSED


@pytest.mark.parametrize(
    "expression",
    [
        " && ".join(["true"] * 2500),
        "!" * 2500 + "true",
        "(" * 50_000 + ")" * 50_000,
        "[" * 50_000,
        "a." * 40_000 + "b",
        "-" * 5_000 + "1 < 2",
        "1 == 1 ? " + "[1].map(x, " * 80 + "x" + ")" * 80 + ".size() == 1 : false",
        "x" * 100_001,
    ],
)
def test_long_expressions_end_in_an_answer(expression: str) -> None:
    assert asked(expression) in (True, REFUSED)


def test_the_parser_is_loaded_only_when_something_is_compiled() -> None:
    code = "import dractl.cel, sys; print(sorted({'lark', 're2', 'celpy'} & set(sys.modules)))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"
