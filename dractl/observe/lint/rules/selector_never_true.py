"""A selector is false whatever the device.

The expression does not look at the device at all, or its class and request ask for two different drivers at once.

Why: the class or request can never get a device, on no cluster. Usually a part of the expression was left behind by a
test.

Example:

    selectors:
    - cel: {expression: "false"}

Instead: take the selector out, or compare something of `device`: `device.driver`, `device.attributes[…]`,
`device.capacity[…]`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dractl.api.resource import Device, DeviceClass
from dractl.cel import DeviceView, Selector
from dractl.errors import Place
from dractl.finding import Severity
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.problem.selectors import SelectorUse

_LOOKS_AT_DEVICE: Final = re.compile(r"\bdevice\b")
_ONLY_A_DRIVER: Final = re.compile(r"""\s*device\.driver\s*==\s*["']([^"']+)["']\s*""")


def check(context: LintContext) -> Iterator[Remark]:
    """Constant expressions, then drivers that exclude each other."""
    for each in context.objects.of(DeviceClass):
        uses = context.chain_of_class(each.object).selectors
        yield from _constant(uses, each.place.at("spec", "selectors"), str(each.ref))
    for asked in context.asked:
        of_class = len((asked.demand.device_class.spec.selectors if asked.demand.device_class else None) or ())
        own = asked.demand.selectors.selectors[of_class:]
        yield from _constant(own, asked.place.at("selectors"), asked.subject)
        yield from _two_drivers(asked, asked.demand.selectors.selectors[:of_class], own)


def _constant(uses: Sequence[SelectorUse], place: Place, subject: str) -> Iterator[Remark]:
    for use in uses:
        if isinstance(use.compiled, Selector) and not _LOOKS_AT_DEVICE.search(use.expression):
            answer = use.compiled.evaluate(DeviceView.of("", Device()))
            if answer is False:
                yield Remark("is false whatever the device", place.at(use.number, "cel", "expression"), subject)


def _two_drivers(asked: Asked, of_class: Sequence[SelectorUse], own: Sequence[SelectorUse]) -> Iterator[Remark]:
    """Where both expressions are nothing but a comparison of the driver."""
    first = next((match[1] for use in of_class if (match := _ONLY_A_DRIVER.fullmatch(use.expression))), None)
    for use in own:
        match = _ONLY_A_DRIVER.fullmatch(use.expression)
        if first is not None and match is not None and match[1] != first:
            yield Remark(
                f"asks for driver {match[1]}, and class {asked.demand.class_name} for driver {first}: "
                "no device has both",
                asked.place.at("selectors", use.number, "cel", "expression"),
                asked.subject,
                "name the class of the driver that is meant",
            )


RULE = Rule("DRA104", "selector-never-true", Severity.ERROR, __doc__, check)
