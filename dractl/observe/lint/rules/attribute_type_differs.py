"""An attribute has different types on devices of one driver.

Why: an expression that compares it with a number is an error on the devices where it is a text, and an error makes
the scheduler give the pod up. In constraints values of different types are never equal. The finding is an error where
a selector of the input fails because of it.

Example: `memory: {int: 40}` on one device, `memory: {string: "40"}` on another.

Instead: one type for one name, in all slices of the driver.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.attribute_types import Mistyped, mistyped
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.failing import Failing, failing_of_classes, failing_of_request
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import counted


def check(context: LintContext) -> Iterator[Remark]:
    """Each attribute at the first device that has it in an odd type, with what fails because of it."""
    odd = mistyped(context)
    failing = list(_failing(context)) if odd else []
    for each in odd:
        users = list(dict.fromkeys(user for user, selector in failing if _is_because(each, selector)))
        number = len(each.devices) - 1
        more = f" and on {counted(number, 'other device')}" if number else ""
        others = f" and {counted(len(users) - 1, 'other')}" if len(users) > 1 else ""
        ends = f": the selector of {users[0]}{others} ends with an error" if users else ""
        yield Remark(
            f"attribute {each.first.place.path[-1]} is of type {each.first.type} here{more}, "
            f"and of type {each.usual.type} on {each.usual.device}{ends}",
            each.first.place,
            each.first.subject,
            "publish one type under one name",
            Severity.ERROR if users else None,
        )


def _failing(context: LintContext) -> Iterator[tuple[str, Failing]]:
    for each, failing in failing_of_classes(context):
        yield str(each.ref), failing
    for asked in context.asked:
        for failing in failing_of_request(context, asked):
            yield asked.subject, failing


def _is_because(odd: Mistyped, failing: Failing) -> bool:
    return any(odd.explains(failing.use.expression, device, fault) for device, fault in failing.failed)


RULE = Rule("DRA315", "attribute-type-differs", Severity.WARNING, __doc__, check)
