"""An attribute has different types on devices of one driver.

Why: an expression that compares it with a number is an error on the devices where it is a text, and an error makes
the scheduler give the pod up. In constraints values of different types are never equal.

Example: `memory: {int: 40}` on one device, `memory: {string: "40"}` on another.

Instead: one type for one name, in all slices of the driver.
"""

from collections.abc import Iterator

from dractl.api.resource import DeviceAttribute
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.partitions import devices_of
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.spelling import qualified
from dractl.problem.attributes import attribute_value


def check(context: LintContext) -> Iterator[Remark]:
    """The first device of each driver that has a name in another type than the devices before it; lists count alike."""
    known: dict[tuple[str, str], tuple[str, str]] = {}
    told: set[tuple[str, str]] = set()
    for pool in context.pools.values():
        for device, place, slice_ in devices_of(pool):
            for name, attribute in (device.attributes or {}).items():
                key = (pool.id.driver, qualified(name, pool.id.driver))
                kind = _type(attribute)
                other, first = known.setdefault(key, (kind, f"{pool.id}/{device.name}"))
                if kind and other and kind != other and key not in told:
                    told.add(key)
                    yield Remark(
                        f"attribute {name} is of type {kind} here, and of type {other} on {first}",
                        place.at("attributes", name),
                        str(slice_.ref),
                        "publish one type under one name",
                    )


def _type(attribute: DeviceAttribute) -> str:
    return attribute_value(attribute).type


RULE = Rule("DRA315", "attribute-type-differs", Severity.WARNING, __doc__, check)
