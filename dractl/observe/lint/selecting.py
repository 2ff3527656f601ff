"""Why selectors are true for no device."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct

from dractl.api.resource import Device, ResourceSlice
from dractl.cel import DeviceView, Selector
from dractl.errors import Place, TextSpot
from dractl.near_misses import nearest
from dractl.observe.lint.answers import Devices
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.contradicting import contradiction, drivers_named, excludes_driver
from dractl.observe.lint.dumped import is_dumped
from dractl.observe.lint.spelling import Hint, spelling_hints
from dractl.observe.lint.values import value_hints
from dractl.phrases import listed, verb
from dractl.problem.selectors import SelectorUse

_DRIVER: Final = re.compile(r"""device\.driver\s*==\s*["']([^"']+)["']""")
_LOOKS_AT_DEVICE: Final = re.compile(r"\bdevice\b")


def is_always_false(use: SelectorUse) -> bool:
    """Whether the expression does not look at the device, and is false."""
    if not isinstance(use.compiled, Selector) or _LOOKS_AT_DEVICE.search(use.expression):
        return False
    return use.compiled.evaluate(DeviceView.of("", Device())) is False


class Nothing(Struct, frozen=True):
    """The selector that most devices fail at, and what may be wrong with it."""

    use: SelectorUse
    hints: tuple[Hint, ...]

    @property
    def remedy(self) -> str:
        """What may be wrong, or where to look for it."""
        return "; ".join(hint.text for hint in self.hints) or (
            "compare each part of it with what the slices say in spec.devices"
        )

    def place(self, selectors: Place) -> Place:
        """The first thing that may be wrong, below the list of selectors."""
        expression = selectors.at(self.use.number, "cel", "expression")
        return expression.in_text(self.hints[0].at) if self.hints else expression


def why_none(
    context: LintContext, uses: Sequence[SelectorUse], devices: Devices, every: Devices, whose: str = "here"
) -> Nothing | None:
    """Why the selectors match none of the devices; None if they match one, or fail with an error at one.

    None too where nothing could match, whatever the devices: that is another mistake. `whose` says which of `every`
    device of the input these are.
    """
    if any(is_always_false(use) for use in uses) or contradiction(uses) is not None:
        return None
    left, refused = devices, []
    for use in uses:
        split = context.answers.split(use, left)
        if split.failed or not split.is_known:
            return None
        refused.append((len(split.false), use))
        left = split.true
    if left or not devices or not refused:
        return None
    use = max(refused, key=lambda each: each[0])[1]

    def hints(asked: Devices) -> tuple[Hint, ...]:
        return (
            *_driver_hints(use.expression, asked, every, whose),
            *spelling_hints(use.expression, asked, whose),
            *value_hints(use.expression, asked, whose),
        )

    return Nothing(use, context.about(f"hints {whose} {use.expression}", devices, hints))


def may_be_of_absent_driver(context: LintContext, uses: Sequence[SelectorUse]) -> bool:
    """Whether selectors are for a driver that has no slices in the input, and may have some in the cluster.

    One whose name is nearly that of a driver with slices is taken for a slip of the pen.
    """
    drivers = context.drivers_of(context.devices)
    if is_dumped(context, ResourceSlice) or not all(excludes_driver(uses, driver) for driver in drivers):
        return False
    return not any(nearest(name, drivers) for name in drivers_named(uses))


def _driver_hints(expression: str, devices: Devices, every: Devices, whose: str) -> Iterator[Hint]:
    drivers = list(dict.fromkeys(device.id.driver for device in devices))
    elsewhere = {device.id.driver for device in every}
    told = set(drivers)
    for found in _DRIVER.finditer(expression):
        if found[1] not in told:
            told.add(found[1])
            yield Hint(_about_driver(found[1], drivers, elsewhere, whose), TextSpot.of(expression, found.start(1)))


def _about_driver(name: str, drivers: Sequence[str], elsewhere: Collection[str], whose: str) -> str:
    if name in elsewhere:
        return f"driver {name} has no device {whose}, only {listed(drivers)} {verb(len(drivers), 'has', 'have')}"
    close = nearest(name, drivers)
    publishers = f"did you mean {close}?" if close else f"only {listed(drivers)} {verb(len(drivers), 'does', 'do')}"
    return f"no driver {name} publishes devices here; {publishers}"
