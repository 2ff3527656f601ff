"""A toleration without an effect does not protect from eviction.

A request's toleration leaves `effect` out. The scheduler takes that for every effect; the controller that evicts pods
heeds only tolerations whose effect is **exactly** `NoExecute`.

Why: a pod with this toleration is placed on a device with a NoExecute taint, evicted at once, made anew by its
controller, placed there again, and so on.

Example:

    tolerations:
    - {key: example.com/unhealthy, operator: Exists}

Instead: say both, where both are meant:

    tolerations:
    - {key: example.com/unhealthy, operator: Exists, effect: NoSchedule}
    - {key: example.com/unhealthy, operator: Exists, effect: NoExecute}
"""

from collections.abc import Iterator

from dractl.api.base import Toleration
from dractl.api.resource import DeviceTaintRule
from dractl.api.tolerations import tolerates
from dractl.finding import Severity
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """A warning where the input has such a taint, else a remark."""
    rules = [each.object.spec.taint for each in context.objects.of(DeviceTaintRule)]
    of_devices = [taint for device in context.devices for taint in device.device.taints or ()]
    evicting = [taint for taint in (*of_devices, *rules) if taint.effect == "NoExecute"]
    for asked in context.asked:
        for number, toleration in enumerate(asked.demand.tolerations):
            is_empty = not toleration.key and toleration.operator != "Exists"  # another rule's
            if toleration.effect or is_empty or _is_answered(asked, toleration):
                continue
            taint = next((each for each in evicting if tolerates(toleration, each)), None)
            now = f": {taint.key} (NoExecute) is there" if taint is not None else ""
            yield Remark(
                "the toleration lets the scheduler place pods on devices with NoExecute taints, "
                f"which evict them at once{now}",
                asked.place.at("tolerations", number),
                asked.subject,
                "add a second toleration with `effect: NoExecute`, or restrict this one to NoSchedule",
                Severity.WARNING if taint is not None else Severity.INFO,
            )


def _is_answered(asked: Asked, toleration: Toleration) -> bool:
    """Whether another toleration of the request says the same for NoExecute."""
    return any(
        other.effect == "NoExecute"
        and other.key in ("", toleration.key)
        and (other.operator == "Exists" or (other.operator, other.value) == (toleration.operator, toleration.value))
        for other in asked.demand.tolerations
    )


RULE = Rule("DRA116", "toleration-stops-no-eviction", Severity.WARNING, __doc__, check)
