"""A toleration answers no taint, though it seems to mean one.

A device taint has the key of the toleration, but another value or effect; or the effect is `None`, which keeps nobody
away; or no taint has the key, and one has nearly the same.

Why: the taint still repels the request. The toleration looks as if it were answered, and is not.

Example:

    tolerations:
    - {key: example.com/maintenance, operator: Equal, value: "yes"}      # the taint's value is "true"

Instead: the value and effect of the taint, or `operator: Exists` without a value. A toleration whose key is
not even nearly that of a taint in the input is taken to be there in advance, and this rule is silent.
"""

from collections.abc import Iterator

from dractl.api.base import Taint, Toleration
from dractl.api.resource import DeviceTaintRule
from dractl.api.tolerations import OPERATORS, REPELLING, tolerates
from dractl.finding import Severity
from dractl.near_misses import nearest
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed


def check(context: LintContext) -> Iterator[Remark]:
    """Tolerations that come near a taint of the input without answering any."""
    taints = device_taints(context)
    for asked in context.asked:
        for number, toleration in enumerate(asked.demand.tolerations):
            yield from _of(asked, number, toleration, taints)


def device_taints(context: LintContext) -> list[Taint]:
    """Every taint of devices and of rules once."""
    rules = [each.object.spec.taint for each in context.objects.of(DeviceTaintRule)]
    of_devices = [taint for device in context.devices for taint in device.device.taints or ()]
    return list({(taint.key, taint.value, taint.effect): taint for taint in (*of_devices, *rules)}.values())


def _of(asked: Asked, number: int, toleration: Toleration, taints: list[Taint]) -> Iterator[Remark]:
    place = asked.place.at("tolerations", number)
    if toleration.effect and toleration.effect not in REPELLING:
        yield Remark(
            f"the toleration tolerates taints with effect {toleration.effect}, which keep nobody away",
            place.at("effect"),
            asked.subject,
            "write NoSchedule or NoExecute, or leave the effect out for both",
        )
        return
    if toleration.operator not in OPERATORS or any(tolerates(toleration, taint) for taint in taints):
        return
    repelling = [taint for taint in taints if taint.effect in REPELLING]
    near = [taint for taint in repelling if taint.key == toleration.key]
    if near:
        yield Remark(
            f"the toleration tolerates no taint: with this key there is {listed(_text(taint) for taint in near)}",
            place.at(_unlike(toleration, near)),
            asked.subject,
            "write the taint's value and effect, or `operator: Exists` without a value",
        )
        return
    close = nearest(toleration.key, list(dict.fromkeys(taint.key for taint in repelling)))
    if toleration.key and close:
        yield Remark(
            f"the toleration tolerates no taint: there is none with the key {toleration.key}",
            place.at("key"),
            asked.subject,
            f"did you mean {close}?",
        )


def _unlike(toleration: Toleration, taints: list[Taint]) -> str:
    """The field that keeps the toleration from one of the taints."""
    return "effect" if is_of_another_effect(toleration, taints) else "value"


def is_of_another_effect(toleration: Toleration, taints: list[Taint]) -> bool:
    """Whether there are taints with the key of the toleration, and none with its effect."""
    effects = [taint.effect for taint in taints if taint.effect in REPELLING and taint.key == toleration.key]
    return bool(toleration.effect and effects) and toleration.effect not in effects


def _text(taint: Taint) -> str:
    return f"{taint.key}={taint.value}:{taint.effect}" if taint.value else f"{taint.key}:{taint.effect}"


RULE = Rule(
    "DRA115",
    "toleration-tolerates-nothing",
    Severity.WARNING,
    __doc__,
    check,
    needs_slices=True,
    needs_all=("ResourceSlice", "DeviceTaintRule"),
)
