"""A selector ends with an error on some devices.

Evaluating the expression on a device of the input raises an error: the device lacks the attribute that is read (`no
such key`), or has it in another type.

Why: an error is not "does not match". When the scheduler comes to such a device it stops scheduling the pod
altogether, on all nodes, and every retry meets the error again. Whether it comes there depends on what is free, so
that the pod works for weeks and then does not. Selectors of a class see the devices of **every** driver on a node.

Example:

    expression: device.attributes["gpu.example.com"].memory > 40

Instead: look first whether the attribute is there, and ask for the driver first in a class:

    expression: >-
      device.driver == "gpu.example.com" && "memory" in device.attributes["gpu.example.com"]
      && device.attributes["gpu.example.com"].memory > 40
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from dractl.api.resource import DeviceClass
from dractl.cel import EvaluationFault
from dractl.cluster.pools import PoolDevice
from dractl.errors import Place
from dractl.finding import Severity
from dractl.observe.lint.answers import Devices
from dractl.observe.lint.context import Asked, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.spelling import spelling_hints
from dractl.phrases import counted, listed
from dractl.problem.selectors import SelectorUse
from dractl.validation.formats import version

_GUARD = "test that the attribute is there before it is read: `in`, `has(…)` or `.?NAME.orValue(…)`"
_NO_SUCH_KEY = "no such key"


class _Failing(Struct, frozen=True):
    """A selector that fails at some of the devices that were tried, at the first of them with `fault`."""

    expression: str
    fault: EvaluationFault
    devices: Devices
    tried: int


def check(context: LintContext) -> Iterator[Remark]:
    """Each selector on the devices at which it is evaluated: those for which the selectors before it are true.

    What several requests of a claim have in common is told once.
    """
    for each in context.objects.of(DeviceClass):
        uses = context.chain_of_class(each.object).selectors
        for use, failing in _along(context, uses, context.devices):
            place = each.place.at("spec", "selectors", use.number, "cel", "expression")
            yield _remark(failing, "the selector", place, str(each.ref))
    for claim in context.claims:
        alike: dict[_Failing, list[tuple[str, Place]]] = {}
        for asked in claim.asked:
            for use, failing in _of_request(context, asked):
                place = asked.place.at("selectors", use.number, "cel", "expression")
                alike.setdefault(failing, []).append((str(asked.demand.ref.name), place))
        for failing, users in alike.items():
            names = list(dict.fromkeys(name for name, _ in users))
            what = "the selector" if len(names) == 1 else f"the selector of requests {listed(names)}"
            yield _remark(failing, what, users[0][1], claim.subject)


def _of_request(context: LintContext, asked: Asked) -> Iterator[tuple[SelectorUse, _Failing]]:
    device_class = asked.demand.device_class
    if device_class is None:
        return
    own = asked.demand.selectors.selectors[len(device_class.spec.selectors or ()) :]
    yield from _along(context, own, context.matching(context.chain_of_class(device_class)))


def _along(
    context: LintContext, uses: Sequence[SelectorUse], devices: Devices
) -> Iterator[tuple[SelectorUse, _Failing]]:
    for use in uses:
        split = context.answers.split(use, devices)
        failed = [(device, fault) for device, fault in split.failed if not _is_refused(device)]
        if failed:
            yield use, _Failing(use.expression, failed[0][1], tuple(device for device, _ in failed), len(devices))
        devices = split.true


def _is_refused(device: PoolDevice) -> bool:
    """Whether the API server refuses the device for a version that is none: then that is the mistake."""
    attributes = (device.device.attributes or {}).values()
    return any(
        version(text) for each in attributes for text in (*(each.versions or ()), each.version) if text is not None
    )


def _remark(failing: _Failing, what: str, place: Place, subject: str) -> Remark:
    number, fault = len(failing.devices), failing.fault
    hints = [*spelling_hints(failing.expression, failing.devices)] if number == failing.tried else []
    where = f"{failing.devices[0].id}" + (f" and {counted(number - 1, 'other device')}" if number > 1 else "")
    return Remark(
        f"{what} ends with an error on {where}: {fault.message}; "
        "a scheduler that comes to it gives the pod up on all nodes",
        place,
        subject,
        _remedy(fault, hints),
    )


def _remedy(fault: EvaluationFault, hints: Sequence[str]) -> str:
    """A name that may be meant, else a guard; neither mends what is not about a missing name."""
    if not fault.message.startswith(_NO_SUCH_KEY):
        return ""
    return hints[0] if hints else _GUARD


RULE = Rule("DRA103", "selector-raises", Severity.ERROR, __doc__, check, needs_slices=True)
