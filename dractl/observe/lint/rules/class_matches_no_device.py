"""A device class matches no device.

The selectors of a DeviceClass are false for every device that the ResourceSlices of the input list.

Why: no claim that asks for this class can ever be allocated; its pods stay pending, and the scheduler only says that
it cannot allocate all claims. The driver may not be installed, or may spell its name or an attribute in another way.

Example:

    kind: DeviceClass
    spec:
      selectors:
      - cel: {expression: 'device.driver == "gpu.exmaple.com"'}

Instead: compare the expression with `spec.driver` and `spec.devices[].attributes` of the slices. A class for a driver
without slices in the input is told only if the slices were read from a cluster, or the driver is nearly one of theirs.
"""

from collections.abc import Iterator

from dractl.api.resource import DeviceClass
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.selecting import may_be_of_absent_driver, why_none
from dractl.phrases import counted


def check(context: LintContext) -> Iterator[Remark]:
    """Classes that are false everywhere; those that fail somewhere are another rule's."""
    if not context.devices:
        return
    for each in context.objects.of(DeviceClass):
        chain = context.chain_of_class(each.object)
        if not chain.selectors or may_be_of_absent_driver(context, chain.selectors):
            continue
        why = why_none(context, chain.selectors, context.devices, context.devices)
        if why is not None:
            place = why.place(each.place.at("spec", "selectors"))
            number = counted(len(context.devices), "device")
            yield Remark(f"matches none of the {number} in the input", place, str(each.ref), why.remedy)


RULE = Rule(
    "DRA101",
    "class-matches-no-device",
    Severity.WARNING,
    __doc__,
    check,
    needs_slices=True,
    needs_all=("ResourceSlice",),
)
