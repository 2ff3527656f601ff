"""A taint rule selects no device.

A DeviceTaintRule has no `deviceSelector`, or names a driver, pool or device that neither a slice nor an allocation of
the input has.

Why: it does nothing, and its status does not say why. An absent selector matches nothing; an empty one matches
everything.

Example:

    deviceSelector: {driver: gpu.example.com, pool: worker1}      # the pool is worker-1

Instead: driver, pool and device as in `spec.driver`, `spec.pool.name` and `spec.devices[].name` of the slices.
"""

from collections.abc import Iterator

from dractl.api.identities import DeviceId
from dractl.api.resource import DeviceTaintRule
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.parted import told_otherwise
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.taint_selectors import unmatched


def check(context: LintContext) -> Iterator[Remark]:
    """Rules without a selector, and with devices at hand those that match none of them."""
    known = [device.id for device in context.devices]
    known += told_otherwise(context)
    for claim in context.cluster.claims.values():
        allocation = claim.status.allocation
        results = (allocation.devices.results if allocation is not None else None) or ()
        known += [DeviceId(each.driver, each.pool, each.device) for each in results]
    for rule in context.objects.of(DeviceTaintRule):
        selector = rule.object.spec.deviceSelector
        if selector is None:
            yield Remark(
                "without a deviceSelector the rule matches no device",
                rule.place.at("spec"),
                str(rule.ref),
                "name the driver, pool or device that is meant",
            )
        elif known and (nothing := unmatched(selector, known)) is not None:
            place = rule.place.at("spec", "deviceSelector", nothing.field)
            yield Remark(nothing.message, place, str(rule.ref), nothing.remedy)


RULE = Rule(
    "DRA402",
    "taint-rule-selects-nothing",
    Severity.WARNING,
    __doc__,
    check,
    needs_slices=True,
    covers=("taints/selects-nothing",),
    needs_all=("ResourceSlice",),
)
