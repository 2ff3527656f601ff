# FEATURE: C3
"""Conditions joined with `&&` of which it is certain that they are never true together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dractl.api.resource import Device, DeviceAttribute
from dractl.cel import DeviceView, Selector, compile_selector
from dractl.cel.conditions import conditions

_OF = 'device.attributes["gpu.example.com"]'
_MEMORY = 'device.capacity["gpu.example.com"].memory'


def excludes(expression: str) -> bool:
    found = conditions(expression)
    return any(one.excludes(other) for number, one in enumerate(found) for other in found[:number])


@pytest.mark.parametrize(
    "expression",
    [
        'device.driver == "a" && device.driver == "b"',
        '"a" == device.driver && (device.driver == "b" && true)',
        'device.driver == "a" && device.driver != "a"',
        'device.driver in ["a", "b"] && device.driver == "c"',
        'device.driver in ["a", "b"] && device.driver in ["c"]',
        f'{_OF}.model == "a" && {_OF}["model"] == "b"',
        f'{_OF}.model == "1" && {_OF}.model == 1',
        f"{_OF}.size == 1 && {_OF}.size > 1",
        f"{_OF}.size > 5 && {_OF}.size < 3",
        f"{_OF}.size >= 5 && 5 > {_OF}.size",
        f"{_OF}.mig && !{_OF}.mig",
        f"{_OF}.mig == true && {_OF}.mig == false",
        f'{_OF}.mig && "model" in {_OF} && {_OF}.mig == false',
        f'"model" in {_OF} && !("model" in {_OF})',
        f'{_MEMORY}.compareTo(quantity("40Gi")) >= 0 && {_MEMORY}.compareTo(quantity("16Gi")) < 0',
        f'{_MEMORY}.isGreaterThan(quantity("40Gi")) && {_MEMORY}.isLessThan(quantity("40Gi"))',
        f'{_OF}.version.isLessThan(semver("1.0.0")) && {_OF}.version.isGreaterThan(semver("2.0.0"))',
    ],
)
def test_never_true_together(expression: str) -> None:
    assert isinstance(compile_selector(expression), Selector)
    assert excludes(expression)


@pytest.mark.parametrize(
    "expression",
    [
        'device.driver == "a" || device.driver == "b"',
        'device.driver == "a" && device.driver == "a"',
        'device.driver != "a" && device.driver != "b"',
        'device.driver in ["a", "b"] && device.driver == "b"',
        'device.driver == "a" && (device.driver == "b" || device.driver == "a")',
        f'{_OF}.model == "a" && {_OF}.brand == "b"',
        f'{_OF}.model == "a" && device.attributes["nic.example.com"].model == "b"',
        f"{_OF}.size >= 5 && {_OF}.size <= 5",
        f"{_OF}.size == 1 && {_OF}.size == 1.0",
        f"{_OF}.size > 1 && {_OF}.size < 3 && {_OF}.size != 2",
        f'{_OF}.names.exists(n, n == "a") && {_OF}.names.exists(n, n == "b")',
        f'{_MEMORY}.compareTo(quantity("40Gi")) >= 0 && {_MEMORY}.compareTo(quantity("40Gi")) <= 0',
        f'{_MEMORY}.isGreaterThan(quantity("1Gi")) && {_MEMORY} == quantity("2Gi")',
    ],
)
def test_may_be_true_together(expression: str) -> None:
    assert isinstance(compile_selector(expression), Selector)
    assert not excludes(expression)


_CONSTANTS = st.sampled_from(["1", "2", "3", "2.0", "1.5", "'a'", "'b'", "true", "false"])
_CONDITIONS = st.one_of(
    st.tuples(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), _CONSTANTS).map(
        lambda pair: f"X {pair[0]} {pair[1]}"
    ),
    st.lists(_CONSTANTS, min_size=1, max_size=3).map(lambda constants: f"X in [{', '.join(constants)}]"),
    st.sampled_from(["X", "!X"]),
)
_VALUES = [
    *(DeviceAttribute(int=value) for value in range(5)),
    *(DeviceAttribute(string=value) for value in "abc"),
    DeviceAttribute(bool=True),
    DeviceAttribute(bool=False),
]


@given(_CONDITIONS, _CONDITIONS)
def test_no_value_fulfils_what_excludes_each_other(first: str, second: str) -> None:
    expression = f"{first} && {second}".replace("X", f"{_OF}.x")
    compiled = compile_selector(expression)
    if isinstance(compiled, Selector) and excludes(expression):
        for value in _VALUES:
            view = DeviceView.of("gpu.example.com", Device(name="d", attributes={"x": value}))
            assert compiled.evaluate(view) is not True
