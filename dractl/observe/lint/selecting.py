"""Why selectors are true for no device."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from dractl.cluster.pools import PoolDevice
from dractl.observe.lint.answers import Answers, Devices
from dractl.observe.lint.spelling import spelling_hints
from dractl.phrases import listed, nearest
from dractl.problem.selectors import SelectorUse

_DRIVER: Final = re.compile(r"""device\.driver\s*==\s*["']([^"']+)["']""")


class Nothing(Struct, frozen=True):
    """The selector that most devices fail at, and what may be wrong with it."""

    use: SelectorUse
    hint: str

    @property
    def number(self) -> int:
        """Its number where it stands."""
        return self.use.number


def why_none(answers: Answers, uses: Sequence[SelectorUse], devices: Devices) -> Nothing | None:
    """Why the selectors match none of the devices; None if they match one, or fail with an error at one."""
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
