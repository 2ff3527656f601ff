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

from collections.abc import Iterator, Sequence

from dractl.api.resource import DeviceClass
from dractl.errors import Place
from dractl.finding import Severity
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.selecting import is_always_false, two_drivers
from dractl.problem.selectors import SelectorUse


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
        if is_always_false(use):
            message = "the selector is false whatever the device"
            yield Remark(message, place.at(use.number, "cel", "expression"), subject)


def _two_drivers(asked: Asked, of_class: Sequence[SelectorUse], own: Sequence[SelectorUse]) -> Iterator[Remark]:
    found = two_drivers(of_class, own)
    if found is not None:
        yield Remark(
            f"the selector asks for driver {found.asked}, and class {asked.demand.class_name} for driver "
            f"{found.of_class}: no device has both",
            asked.place.at("selectors", found.use.number, "cel", "expression"),
            asked.subject,
            "name the class of the driver that is meant",
        )


RULE = Rule("DRA104", "selector-never-true", Severity.ERROR, __doc__, check)
