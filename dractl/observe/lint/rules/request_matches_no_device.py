"""A request matches no device of its class.

The class has devices in the input, but the selectors of the request are false for all of them.

Why: the request can never be satisfied, and neither can the pod, unless it is an alternative of `firstAvailable` and
another one fits. Most often an attribute has another value or another domain than the driver publishes.

Example:

    exactly:
      deviceClassName: gpu.example.com
      selectors:
      - cel: {expression: 'device.attributes["gpu.example.com"].model == "A1000"'}   # the driver says a1000

Instead: compare the expression with what the slices of the class's driver publish under `spec.devices[].attributes` and
`capacity`.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.contradicting import contradiction
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.selecting import why_none
from dractl.phrases import counted


def check(context: LintContext) -> Iterator[Remark]:
    """Requests whose class matches something and which themselves match nothing, unless they never could."""
    for asked in context.asked:
        if asked.demand.device_class is not None:
            yield from _of_request(context, asked)


def _of_request(context: LintContext, asked: Asked) -> Iterator[Remark]:
    device_class = asked.demand.device_class
    assert device_class is not None
    of_class = context.matching(context.chain_of_class(device_class))
    number_of_class = len(device_class.spec.selectors or ())
    selectors = asked.demand.selectors.selectors
    own = selectors[number_of_class:]
    if contradiction(selectors) is not None:
        return
    whose = f"of class {asked.demand.class_name}"
    why = why_none(context.answers, own, of_class, context.devices, whose)
    if why is not None:
        number = counted(len(of_class), "device")
        yield Remark(
            f"request {asked.demand.ref.name}: none of the {number} of class {asked.demand.class_name} matches",
            asked.place.at("selectors", why.number),
            asked.subject,
            why.hint,
        )


RULE = Rule(
    "DRA102",
    "request-matches-no-device",
    Severity.WARNING,
    __doc__,
    check,
    needs_slices=True,
    needs_all=("ResourceSlice",),
)
