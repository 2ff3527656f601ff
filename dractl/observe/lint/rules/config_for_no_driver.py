"""A configuration is for a driver that gives no device to its requests.

`config[].opaque.driver` of a claim names a driver of which no device matches the requests that the configuration is
for, or that of a DeviceClass a driver of which the class has no device.

Why: a driver reads only configurations that bear its own name. This one is copied into the allocation and then
ignored: the devices run with the driver's defaults, and nothing says so.

Example:

    config:
    - requests: [gpu]
      opaque: {driver: gpu.exmaple.com, parameters: {…}}

Instead: the driver's name as in `spec.driver` of its slices. Classes and claims may be for drivers that are not in the
input: for one that their selectors do not exclude, and that is not nearly the name of another, the rule is silent,
unless the slices were read from a cluster.
"""

from collections.abc import Iterator, Sequence

from dractl.api.resource import DeviceClass, ResourceSlice
from dractl.finding import Severity
from dractl.near_misses import did_you_mean
from dractl.observe.lint.context import Asked, ClaimAsked, LintContext
from dractl.observe.lint.contradicting import excludes_driver
from dractl.observe.lint.dumped import is_dumped
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed


def check(context: LintContext) -> Iterator[Remark]:
    """Configurations of classes and claims that have candidates, all of other drivers."""
    published = context.drivers_of(context.devices)
    yield from _of_classes(context, published)
    for claim in context.claims:
        for number, config in enumerate(claim.spec.devices.config or ()):
            if config.opaque is None:
                continue
            driver, asked = config.opaque.driver, _asked(claim, config.requests or ())
            drivers = _drivers(context, asked)
            if not drivers or driver in drivers:
                continue
            remedy = _meant(driver, drivers, published)
            is_excluded = all(excludes_driver(each.demand.selectors.selectors, driver) for each in asked)
            if remedy or driver in published or is_excluded or is_dumped(context, ResourceSlice):
                named = f"request {listed(config.requests)}" if config.requests else "the claim"
                yield Remark(
                    f"driver {driver} has no device that {named} could get, only {listed(drivers)}: "
                    "the configuration is ignored",
                    claim.place.at("config", number, "opaque", "driver"),
                    claim.subject,
                    remedy,
                )


def _of_classes(context: LintContext, published: Sequence[str]) -> Iterator[Remark]:
    for each in context.objects.of(DeviceClass):
        chain = context.chain_of_class(each.object)
        drivers = context.drivers_of(context.matching(chain))
        for number, config in enumerate(each.object.spec.config or ()):
            driver = config.opaque.driver if config.opaque is not None else ""
            if not driver or not drivers or driver in drivers:
                continue
            remedy = _meant(driver, drivers, published)
            is_excluded = excludes_driver(chain.selectors, driver)
            if remedy or driver in published or is_excluded or is_dumped(context, ResourceSlice):
                yield Remark(
                    f"driver {driver} has no device of the class, only {listed(drivers)}: the configuration is ignored",
                    each.place.at("spec", "config", number, "opaque", "driver"),
                    str(each.ref),
                    remedy,
                )


def _meant(driver: str, drivers: Sequence[str], published: Sequence[str]) -> str:
    """A driver that publishes devices is not a misspelling of another one."""
    return "" if driver in published else did_you_mean(driver, drivers)


def _asked(claim: ClaimAsked, requests: Sequence[str]) -> list[Asked]:
    """The named requests and alternatives; all where none is named."""
    refs = [(each, each.demand.ref) for each in claim.asked]
    return [each for each, ref in refs if not requests or ref.request in requests or ref.name in requests]


def _drivers(context: LintContext, asked: Sequence[Asked]) -> list[str]:
    """The drivers of the devices that requests can get; none if one request can get nothing here."""
    found: dict[str, None] = {}
    for each in asked:
        matching = context.matching(each.demand.selectors) if each.demand.device_class is not None else ()
        if not matching:
            return []
        found.update(dict.fromkeys(context.drivers_of(matching)))
    return list(found)


RULE = Rule(
    "DRA109", "config-for-no-driver", Severity.WARNING, __doc__, check, needs_slices=True, needs_all=("ResourceSlice",)
)
