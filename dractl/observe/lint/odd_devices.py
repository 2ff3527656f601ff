"""Devices that lack the attribute which a constraint compares, where others of their driver have it."""

from collections.abc import Iterator

from msgspec import Struct

from dractl.cluster.pools import PoolDevice
from dractl.observe.lint.answers import Devices
from dractl.observe.lint.constraining import Bound
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.spelling import alike, qualified, standard_meant


class Odd(Struct, frozen=True):
    """Devices of one driver without an attribute, and how many others have it.

    `written` is the name, as it stands there, under which all of them may publish it; empty where they just lack it.
    """

    driver: str
    attribute: str
    devices: tuple[PoolDevice, ...]
    others: int
    written: str = ""


def odd_devices(context: LintContext, attribute: str, bound: Bound) -> Iterator[Odd]:
    """Of the devices that a request may get those that write the attribute otherwise, or are alike but for it.

    The latter only where they are few. Another rule tells standard attributes that are misspelt.
    """
    for devices in bound.devices if bound.has_value else ():
        yield from context.about(f"odd {attribute}", devices, lambda each: tuple(_odd(attribute, each)))


def _odd(attribute: str, devices: Devices) -> Iterator[Odd]:
    by_driver: dict[str, list[PoolDevice]] = {}
    for device in devices:
        by_driver.setdefault(device.id.driver, []).append(device)
    for driver, own in by_driver.items():
        having = [device for device in own if attribute in _names(device)]
        lacking = [device for device in own if attribute not in _names(device)]
        known = frozenset[str]().union(*map(_names, having))
        by_name: dict[str, list[PoolDevice]] = {}
        for device in lacking if having else ():
            by_name.setdefault(_written(attribute, device, known), []).append(device)
        plain = by_name.pop("", [])
        for written, misspelt in by_name.items():
            if standard_meant(written) != attribute:
                yield Odd(driver, attribute, tuple(misspelt), len(having), written)
        shapes = set(map(_names, having))
        if plain and 2 * len(plain) <= len(having) and all(_names(device) | {attribute} in shapes for device in plain):
            yield Odd(driver, attribute, tuple(plain), len(having))


def _names(device: PoolDevice) -> frozenset[str]:
    return frozenset(qualified(name, device.id.driver) for name in device.device.attributes or ())


def _written(attribute: str, device: PoolDevice, known: frozenset[str]) -> str:
    """An attribute of the device that none of the others has, and that is spelt nearly like the one that they have."""
    own = device.device.attributes or {}
    strange = {name: qualified(name, device.id.driver) for name in own}
    close = alike(attribute, [name for name in strange.values() if name not in known])
    return next((name for name, whole in strange.items() if whole == close), "")
