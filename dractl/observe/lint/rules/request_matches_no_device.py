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

from collections.abc import Iterator, Sequence

from dractl.finding import Severity
from dractl.observe.lint.answers import Devices
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.contradicting import contradiction
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.selecting import Nothing, may_be_of_absent_driver, why_none
from dractl.phrases import counted, listed, verb


def check(context: LintContext) -> Iterator[Remark]:
    """Requests whose class matches something and which themselves match nothing, unless they never could.

    Those of a claim that say the same are told together.
    """
    for claim in context.claims:
        alike: dict[tuple[str, tuple[str, ...]], list[tuple[Asked, Nothing]]] = {}
        for asked in claim.asked:
            why = _why_none(context, asked)
            if why is not None:
                expressions = tuple(use.expression for use in asked.demand.selectors.selectors)
                alike.setdefault((asked.demand.class_name, expressions), []).append((asked, why))
        for same in alike.values():
            yield _remark(context, same)


def _why_none(context: LintContext, asked: Asked) -> Nothing | None:
    selectors, of_class = asked.demand.selectors.selectors, _of_class(context, asked)
    if asked.demand.device_class is None or contradiction(selectors) is not None:
        return None
    if may_be_of_absent_driver(context, selectors):
        return None
    own = selectors[len(asked.demand.device_class.spec.selectors or ()) :]
    return why_none(context, own, of_class, context.devices, f"of class {asked.demand.class_name}")


def _of_class(context: LintContext, asked: Asked) -> Devices:
    device_class = asked.demand.device_class
    return () if device_class is None else context.matching(context.chain_of_class(device_class))


def _remark(context: LintContext, same: Sequence[tuple[Asked, Nothing]]) -> Remark:
    asked, why = same[0]
    names = [each.demand.ref.name for each, _ in same]
    number = counted(len(_of_class(context, asked)), "device")
    return Remark(
        f"{verb(len(names), 'request', 'requests')} {listed(names)}: none of the {number} of class "
        f"{asked.demand.class_name} matches",
        why.place(asked.place.at("selectors")),
        asked.subject,
        why.remedy,
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
