"""Selectors that end with an error on devices at which they are evaluated."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from dractl.api.objects import Sourced
from dractl.api.resource import DeviceClass
from dractl.cel import EvaluationFault
from dractl.cluster.pools import PoolDevice
from dractl.observe.lint.answers import Devices
from dractl.observe.lint.context import Asked, LintContext
from dractl.problem.selectors import SelectorUse
from dractl.validation.formats import version


class Failing(Struct, frozen=True):
    """A selector, the devices at which it fails, and of how many that were tried."""

    use: SelectorUse
    failed: tuple[tuple[PoolDevice, EvaluationFault], ...]
    tried: int


def failing_of_classes(context: LintContext) -> Iterator[tuple[Sourced[DeviceClass], Failing]]:
    """The selectors of all classes; they see every device."""
    for each in context.objects.of(DeviceClass):
        for failing in _along(context, context.chain_of_class(each.object).selectors, context.devices):
            yield each, failing


def failing_of_request(context: LintContext, asked: Asked) -> Iterator[Failing]:
    """The selectors of a request; they see the devices of its class."""
    device_class = asked.demand.device_class
    if device_class is not None:
        own = asked.demand.selectors.selectors[len(device_class.spec.selectors or ()) :]
        yield from _along(context, own, context.matching(context.chain_of_class(device_class)))


def _along(context: LintContext, uses: Sequence[SelectorUse], devices: Devices) -> Iterator[Failing]:
    """Each selector on the devices at which it is evaluated: those for which the selectors before it are true."""
    for use in uses:
        split = context.answers.split(use, devices)
        failed = tuple((device, fault) for device, fault in split.failed if not _is_refused(device))
        if failed:
            yield Failing(use, failed, len(devices))
        devices = split.true


def _is_refused(device: PoolDevice) -> bool:
    """Whether the API server refuses the device for a version that is none: then that is the mistake."""
    attributes = (device.device.attributes or {}).values()
    return any(
        version(text) for each in attributes for text in (*(each.versions or ()), each.version) if text is not None
    )
