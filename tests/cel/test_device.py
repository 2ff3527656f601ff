# FEATURE: D5
"""The variable `device` (cel.md, The device)."""

import pytest

from dractl.api.resource import Device, DeviceAttribute
from dractl.cel import DeviceView
from tests.cel.asking import BARE, FAILS, GPU, asked, derived


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ('device.driver == "gpu.example.com"', True),
        ('A.model == "tensor-80" && A.qualified == "yes"', True),
        ('device.attributes["topology.example.com"].numaNode == 1', True),
        ("A.numaNode == 1", FAILS),
        ('device.attributes["unknown"] == {}', True),
        ('has(device.attributes.unknown) && device.attributes[?"unknown"].hasValue()', True),
        ('"unknown" in device.attributes', False),
        ("device.attributes.exists(d, d == 'unknown')", False),
        ("size(device.attributes) == 2 && size(device.capacity) == 1", True),
        ("device.attributes.foo.bar == 1", FAILS),
        ("has(A.model) && !has(A.missing)", True),
        ('"gpu.example.com/model" in A.model', FAILS),
        ("A.missing == 1", FAILS),
        ("A.?missing.orValue(7) == 7 && A[?'slot'].orValue(7) == 3", True),
        ("C.memory == quantity('40960Mi') && C.memory.asInteger() == 42949672960", True),
        ("C.cores.isInteger()", False),
        ("A.nodes[1] == 1 && A.nodes.size() == 2 && 1 in A.nodes", True),
        ("A.slot.foo == 1", FAILS),
        ("A.slot", FAILS),
        ("A.healthy", True),
        ("device == device", True),
    ],
)
def test_what_is_seen(expression: str, answer: bool | str) -> None:
    assert asked(expression, GPU) == answer


def test_a_bare_device_has_defaults() -> None:
    assert asked("device.allowMultipleAllocations || size(device.attributes) != 0", BARE) is False


def test_several_maps_are_compared_by_what_they_hold() -> None:
    same = DeviceView.of("d", Device(attributes={"d/a": DeviceAttribute(int=1)}))
    assert asked('device.attributes == {"d": {"a": 1}}', same) is True


@pytest.mark.parametrize(
    ("expression", "attribute"),
    [
        ("A.slot", {"int": 3}),
        ("A.model", {"string": "tensor-80"}),
        ("A.healthy", {"bool": True}),
        ("A.firmware", {"version": "1.10.3"}),
        ('semver("v1.2", true)', {"version": "1.2.0"}),
        ("A.nodes", {"ints": [0, 1]}),
        ("A.protocols", {"versions": ["1.2.0", "1.10.0"]}),
        ("A.nodes.filter(n, n > 5)", {}),
        ("A.nodes.map(n, string(n))", {"strings": ["0", "1"]}),
        ("[true]", {"bools": [True]}),
        ("dyn(1.5)", FAILS),
        ("dyn(null)", FAILS),
        ("dyn([dyn(1), dyn('a')])", FAILS),
        ("A.missing", FAILS),
        ("1.5", "does not compile"),
        ("[quantity('1')]", "does not compile"),
        ("optional.of(1)", "does not compile"),
    ],
)
def test_derived_attributes(expression: str, attribute: object) -> None:
    assert derived(expression) == attribute
