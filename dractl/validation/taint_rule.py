"""DeviceTaintRule (validation.md §12)."""

from collections.abc import Iterator

from dractl.api.resource import DeviceTaintRule, DeviceTaintSelector
from dractl.validation.formats import driver, label, pool
from dractl.validation.rulebook import Rulebook
from dractl.validation.taints import check_taint
from dractl.validation.violation import Violation, below


def check_taint_rule(rule: DeviceTaintRule, _: Rulebook) -> Iterator[Violation]:
    """What is wrong with the spec of a rule."""
    if rule.spec.deviceSelector is not None:
        yield from below(_check_selector(rule.spec.deviceSelector), "spec", "deviceSelector")
    yield from below(check_taint(rule.spec.taint), "spec", "taint")


def _check_selector(selector: DeviceTaintSelector) -> Iterator[Violation]:
    """Each field that is set has to be a name; an empty selector selects everything."""
    if selector.driver is not None:
        yield from below(driver(selector.driver), "driver")
    if selector.pool is not None:
        yield from below(pool(selector.pool), "pool")
    if selector.device is not None:
        yield from below(label(selector.device), "device")
