# FEATURE: C3
"""What is wrong with an expression is told at the line and the character where it stands in the file."""

import json

import pytest

from tests.cli.running import dractl
from tests.observe.lint.test_rules import remarks
from tests.observe.lint.world import GPU_CLASS, NODE, claim, gpu_slice, request, together

_DEVICES = "  - {name: g0, attributes: {model: {string: A100}, size: {int: 40}, mig: {bool: true}}}\n"
_OF_GPU = 'device.attributes["gpu.example.com"]'
_BLOCK = """        selectors:
        - cel:
            expression: |
              device.driver == "gpu.example.com" &&

              %s &&
              device.driver != "b"
"""


def world(selectors: str) -> str:
    return together(NODE, GPU_CLASS, gpu_slice(_DEVICES), claim(request(selectors)))


@pytest.mark.parametrize(
    ("part", "rule", "meant"),
    [
        (f'{_OF_GPU}.model == "a100"', "DRA102", '"a100"'),
        (f'{_OF_GPU}.modell == "A100"', "DRA103", "modell"),
        (f"{_OF_GPU}.model > 4", "DRA103", "model"),
        ('device.drivers == "a"', "validation/refused", "drivers"),
        ('device.driver == "a" &', "validation/refused", "&\n"),
        ('device.driver == "gpu.exmaple.com"', "DRA104", ""),
    ],
)
def test_a_part_of_a_block_is_told_at_its_own_line(part: str, rule: str, meant: str) -> None:
    text = world(_BLOCK % part)
    [told] = json.loads(dractl("lint", "-", "-o", "json", stdin=text.encode()).out)["findings"]
    assert told["rule"] == rule
    if meant:
        line = text[: text.index(part)].count("\n") + 1
        column = text.split("\n")[line - 1].index(meant.rstrip()) + 1
        assert (told["at"]["line"], told["at"]["column"]) == (line, column)


@pytest.mark.parametrize(
    ("compared", "remedy"),
    [
        ('model == "a100"', "no device of class gpu has a100 as gpu.example.com/model; did you mean A100?"),
        ("size == 80", "no device of class gpu has 80 as gpu.example.com/size; there is 40"),
        ("mig == false", "no device of class gpu has false as gpu.example.com/mig; there is true"),
        ('model.startsWith("H")', "compare each part of it with what the slices say in spec.devices"),
    ],
)
def test_values_that_there_are(compared: str, remedy: str) -> None:
    selectors = f"        selectors:\n        - cel: {{expression: '{_OF_GPU}.{compared}'}}\n"
    [(rule, _, said)] = remarks(world(selectors))
    assert (rule, said) == ("DRA102", remedy)
