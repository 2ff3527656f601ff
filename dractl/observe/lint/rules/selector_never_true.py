"""A selector is false whatever the device.

The expression does not look at the device at all, or it asks for two things that no device can be at once. So do two
selectors of one list, or one of the class and one of the request, because all of them have to be true.

Why: the class or request can never get a device, on no cluster. Usually a part of the expression was left behind by a
test, or `&&` stands where `||` is meant.

Example:

    selectors:
    - cel: {expression: "false"}
    - cel: {expression: 'device.driver == "gpu.example.com" && device.driver == "nic.example.com"'}

Instead: take the selector out, or compare something of `device` that can be so: `device.driver`,
`device.attributes[…]`, `device.capacity[…]`. Found are conditions joined with `&&` that compare the same thing with
constants.
"""

from collections.abc import Iterator, Sequence

from dractl.api.resource import DeviceClass
from dractl.errors import Place
from dractl.finding import Severity
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.contradicting import Contradiction, asked_for, contradiction
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.selecting import is_always_false
from dractl.problem.selectors import SelectorUse


def check(context: LintContext) -> Iterator[Remark]:
    """Constant expressions, then conditions that exclude each other; a class that is at fault is told once."""
    for each in context.objects.of(DeviceClass):
        uses = context.chain_of_class(each.object).selectors
        place = each.place.at("spec", "selectors")
        yield from _constant(uses, place, str(each.ref))
        found = contradiction(uses)
        if found is not None:
            yield _within(found, place, str(each.ref))
    for asked in context.asked:
        of_class = len((asked.demand.device_class.spec.selectors if asked.demand.device_class else None) or ())
        uses = asked.demand.selectors.selectors
        yield from _constant(uses[of_class:], asked.place.at("selectors"), asked.subject)
        found = contradiction(uses)
        if found is not None and found.of_second in uses[of_class:]:
            is_from_class = found.of_first in uses[:of_class]
            yield (
                _with_class(found, asked)
                if is_from_class
                else _within(found, asked.place.at("selectors"), asked.subject)
            )


def _constant(uses: Sequence[SelectorUse], place: Place, subject: str) -> Iterator[Remark]:
    for use in uses:
        if is_always_false(use):
            message = "the selector is false whatever the device"
            remedy = "take it out, or compare something of `device`"
            yield Remark(message, place.at(use.number, "cel", "expression"), subject, remedy)


def _within(found: Contradiction, selectors: Place, subject: str) -> Remark:
    first, second = asked_for(found.first), asked_for(found.second)
    if found.is_within_one:
        message = f"the selector asks for {first} and for {second} at once: no device has both"
        remedy = "write || instead of && if either will do"
    else:
        message = (
            f"the selector asks for {second}, and selector {found.of_first.number} for {first}: no device has both"
        )
        remedy = "write one selector with || if either will do"
    return Remark(
        message,
        selectors.at(found.of_second.number, "cel", "expression"),
        subject,
        remedy if found.are_alternatives else "",
    )


def _with_class(found: Contradiction, asked: Asked) -> Remark:
    first, second = asked_for(found.first), asked_for(found.second)
    return Remark(
        f"the selector asks for {second}, and class {asked.demand.class_name} for {first}: no device has both",
        asked.place.at("selectors", found.of_second.number, "cel", "expression"),
        asked.subject,
        "name the class of the driver that is meant" if found.is_about_drivers else "",
    )


RULE = Rule("DRA104", "selector-never-true", Severity.ERROR, __doc__, check)
