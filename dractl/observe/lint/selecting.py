"""Why selectors are true for no device."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from dractl.api.resource import Device
from dractl.cel import DeviceView, Selector
from dractl.cluster.pools import PoolDevice
from dractl.observe.lint.answers import Answers, Devices
from dractl.observe.lint.spelling import spelling_hints
from dractl.phrases import listed, nearest
from dractl.problem.selectors import SelectorUse

_DRIVER: Final = re.compile(r"""device\.driver\s*==\s*["']([^"']+)["']""")
_LOOKS_AT_DEVICE: Final = re.compile(r"\bdevice\b")
_ONLY_A_DRIVER: Final = re.compile(rf"\s*{_DRIVER.pattern}\s*")


class TwoDrivers(Struct, frozen=True):
    """A selector of a request that compares the driver with another one than the class does."""

    use: SelectorUse
    asked: str
    of_class: str


def is_always_false(use: SelectorUse) -> bool:
    """Whether the expression does not look at the device, and is false."""
    if not isinstance(use.compiled, Selector) or _LOOKS_AT_DEVICE.search(use.expression):
        return False
    return use.compiled.evaluate(DeviceView.of("", Device())) is False


def two_drivers(of_class: Sequence[SelectorUse], own: Sequence[SelectorUse]) -> TwoDrivers | None:
    """The first selector that excludes the class's driver, where both are nothing but a comparison of the driver."""
    drivers = [match[1] for use in of_class if (match := _ONLY_A_DRIVER.fullmatch(use.expression))]
    for use in own:
        match = _ONLY_A_DRIVER.fullmatch(use.expression)
        if drivers and match is not None and match[1] != drivers[0]:
            return TwoDrivers(use, match[1], drivers[0])
    return None


class Nothing(Struct, frozen=True):
    """The selector that most devices fail at, and what may be wrong with it."""

    use: SelectorUse
    hint: str

    @property
    def number(self) -> int:
        """Its number where it stands."""
        return self.use.number


def why_none(answers: Answers, uses: Sequence[SelectorUse], devices: Devices) -> Nothing | None:
    """Why the selectors match none of the devices; None if they match one, or fail with an error at one.

    None too where one is false whatever the device: that is another mistake.
    """
    if any(is_always_false(use) for use in uses):
        return None
    left, refused = devices, []
    for use in uses:
        split = answers.split(use, left)
        if split.failed or not split.is_known:
            return None
        refused.append((len(split.false), use))
        left = split.true
    if left or not devices or not refused:
        return None
    use = max(refused, key=lambda each: each[0])[1]
    return Nothing(use, _hint(use.expression, devices))


def _hint(expression: str, devices: Sequence[PoolDevice]) -> str:
    hints = [*_driver_hints(expression, devices), *spelling_hints(expression, devices)]
    return "; ".join(hints)


def _driver_hints(expression: str, devices: Sequence[PoolDevice]) -> list[str]:
    drivers = list(dict.fromkeys(device.id.driver for device in devices))
    unknown = [name for name in _DRIVER.findall(expression) if name not in drivers]
    hints = []
    for name in dict.fromkeys(unknown):
        close = nearest(name, drivers)
        publishers = (
            f"did you mean {close}?" if close else f"only {listed(drivers)} {'does' if len(drivers) == 1 else 'do'}"
        )
        hints.append(f"no driver {name} publishes devices here; {publishers}")
    return hints
