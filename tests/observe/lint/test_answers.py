# FEATURE: C3
"""Devices that look alike to an expression get one answer, and never another one than each would get alone."""

import pytest

from dractl.api.identities import DeviceId
from dractl.api.resource import (
    CELDeviceSelector,
    Device,
    DeviceAttribute,
    DeviceClassSpec,
    DeviceSelector,
    ResourceSlice,
)
from dractl.cel import EvaluationFault, Selector
from dractl.cluster.pools import PoolDevice
from dractl.observe.lint.answers import Answers
from dractl.observe.lint.context import chain_of

DRIVER = "gpu.example.com"
ATTRIBUTES: list[dict[str, DeviceAttribute]] = [
    {},
    {"model": DeviceAttribute(string="a")},
    {f"{DRIVER}/model": DeviceAttribute(string="b")},
    {"model": DeviceAttribute(int=1)},
    {"model": DeviceAttribute(string="a"), "uuid": DeviceAttribute(string="1")},
    {
        "model": DeviceAttribute(string="a"),
        "uuid": DeviceAttribute(string="2"),
        "other.org/x": DeviceAttribute(bool=True),
    },
    {"exists": DeviceAttribute(bool=True)},
]
DEVICES = tuple(
    PoolDevice(DeviceId(driver, "p", f"d{number}"), device, ResourceSlice())
    for driver in (DRIVER, "nic.example.com")
    for number, attributes in enumerate(ATTRIBUTES)
    for device in (
        Device(name=f"d{number}", attributes=attributes),
        Device(name=f"e{number}", attributes=attributes, allowMultipleAllocations=True),
    )
)
EXPRESSIONS = [
    "true",
    f'device.driver == "{DRIVER}"',
    "device.allowMultipleAllocations",
    f'device.attributes["{DRIVER}"].model == "a"',
    f"device.attributes['{DRIVER}'].?model.orValue('z') == 'z'",
    f'"uuid" in device.attributes["{DRIVER}"]',
    f'has(device.attributes["{DRIVER}"].uuid) && device.attributes["{DRIVER}"]["uuid"] == "2"',
    f'device.attributes["{DRIVER}"].exists(k, k == "uuid")',
    "size(device.attributes) == 2",
    'device.attributes["gpu\\u002eexample.com"].model == "a"',
    f'[device].exists(d, d.attributes["{DRIVER}"].?uuid.hasValue())',
    'device.attributes["other.org"].x || device.driver == "nic.example.com"',
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_each_device_gets_its_own_answer(expression: str) -> None:
    selector = DeviceSelector(cel=CELDeviceSelector(expression=expression))
    (use,) = chain_of("", DeviceClassSpec(selectors=[selector])).selectors
    assert isinstance(use.compiled, Selector)
    alone = {device: use.compiled.evaluate(device.view) for device in DEVICES}
    split = Answers().split(use, DEVICES)
    assert list(split.true) == [device for device in DEVICES if alone[device] is True]
    assert list(split.false) == [device for device in DEVICES if alone[device] is False]
    assert {device for device, _ in split.failed} == {
        device for device in DEVICES if isinstance(alone[device], EvaluationFault)
    }


def test_what_is_true_everywhere_gives_the_very_devices_back() -> None:
    answers = Answers()
    uses = chain_of("", DeviceClassSpec(selectors=[DeviceSelector(cel=CELDeviceSelector(expression="true"))])).selectors
    assert answers.all_true(uses, DEVICES) is DEVICES
    assert answers.all_true((), DEVICES) is DEVICES
