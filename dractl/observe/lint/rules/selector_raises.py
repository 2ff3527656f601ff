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

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from dractl.cel import EvaluationFault
from dractl.errors import Place, TextSpot
from dractl.finding import Severity
from dractl.observe.lint.answers import Devices
from dractl.observe.lint.attribute_types import mistyped
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.failing import Failing, failing_of_classes, failing_of_request
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.spelling import names_in, spelling_hints
from dractl.observe.lint.values import types_of
from dractl.phrases import counted, listed

_GUARD: Final = "test that the attribute is there before it is read: `in`, `has(…)` or `.?NAME.orValue(…)`"
_NO_SUCH_KEY: Final = re.compile("no such key: (.*)")
_NO_OVERLOAD: Final = "no such overload"
_NO_BOOL: Final = "the result is of type "


class _Unexplained(Struct, frozen=True):
    """A selector that fails at some of the devices that were tried, at the first of them with `fault`."""

    expression: str
    fault: EvaluationFault
    devices: Devices
    is_everywhere: bool


def check(context: LintContext) -> Iterator[Remark]:
    """Each selector once for all devices; what several requests of a claim have in common is told once.

    Devices that have an attribute in another type than all others are another rule's.
    """
    for each, failing in failing_of_classes(context):
        if (fault := _unexplained(context, failing)) is not None:
            place = each.place.at("spec", "selectors", failing.use.number, "cel", "expression")
            yield _remark(context, fault, "the selector", place, str(each.ref))
    for claim in context.claims:
        alike: dict[_Unexplained, list[tuple[str, Place]]] = {}
        for asked in claim.asked:
            for failing in failing_of_request(context, asked):
                if (fault := _unexplained(context, failing)) is not None:
                    place = asked.place.at("selectors", failing.use.number, "cel", "expression")
                    alike.setdefault(fault, []).append((str(asked.demand.ref.name), place))
        for fault, users in alike.items():
            names = list(dict.fromkeys(name for name, _ in users))
            what = "the selector" if len(names) == 1 else f"the selector of requests {listed(names)}"
            yield _remark(context, fault, what, users[0][1], claim.subject)


def _unexplained(context: LintContext, failing: Failing) -> _Unexplained | None:
    """What is left without devices that have an attribute in an odd type."""
    odd = mistyped(context)
    expression = failing.use.expression
    left = [
        (device, fault)
        for device, fault in failing.failed
        if not any(each.explains(expression, device, fault) for each in odd)
    ]
    if not left:
        return None
    return _Unexplained(expression, left[0][1], tuple(device for device, _ in left), len(left) == failing.tried)


def _remark(context: LintContext, fault: _Unexplained, what: str, place: Place, subject: str) -> Remark:
    number = len(fault.devices)
    where = f"{fault.devices[0].id}" + (f" and {counted(number - 1, 'other device')}" if number > 1 else "")
    spot, remedy = _advice(context, fault)
    return Remark(
        f"{what} ends with an error on {where}: {fault.fault.message}; "
        "a scheduler that comes to it gives the pod up on all nodes",
        place.in_text(spot),
        subject,
        remedy,
    )


def _advice(context: LintContext, fault: _Unexplained) -> tuple[TextSpot | None, str]:
    """Where the fault is, and a name that may be meant, else a guard, or the types that do not go together."""
    expression = fault.expression
    missing = _NO_SUCH_KEY.match(fault.fault.message)
    if missing is not None:
        is_nowhere = fault.is_everywhere and not context.may_lack("ResourceSlice")
        hint = next(spelling_hints(expression, fault.devices), None) if is_nowhere else None
        return (hint.at, hint.text) if hint is not None else (_only_place_of(missing[1], expression), _GUARD)
    names = names_in(expression)
    spot = next(iter(names.values())) if len(names) == 1 else None
    if fault.fault.message.startswith(_NO_BOOL):
        return spot, "compare it with a value"
    types = dict(types_of(fault.devices[0], names)) if fault.fault.message == _NO_OVERLOAD else {}
    there = listed(f"{name} is of type {kind}" for name, kind in types.items())
    how = '`.compareTo(semver("…")) == 0`' if "version" in types.values() else "values of that type"
    return spot, f"{there} there: compare with {how}" if types else ""


def _only_place_of(key: str, expression: str) -> TextSpot | None:
    found = [TextSpot.of(expression, each.start()) for each in re.finditer(rf"\b{re.escape(key)}\b", expression)]
    return found[0] if len({spot.line for spot in found}) == 1 else None


RULE = Rule("DRA103", "selector-raises", Severity.ERROR, __doc__, check, needs_slices=True)
