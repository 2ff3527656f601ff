"""A configuration is for a driver that gives no device to its requests.

`config[].opaque.driver` of a claim names a driver of which no device matches the requests that the configuration is
for.

Why: a driver reads only configurations that bear its own name. This one is copied into the allocation and then
ignored: the devices run with the driver's defaults, and nothing says so.

Example:

    config:
    - requests: [gpu]
      opaque: {driver: gpu.exmaple.com, parameters: {…}}

Instead: the driver's name as in `spec.driver` of its slices.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.context import ClaimAsked, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import did_you_mean, listed


def check(context: LintContext) -> Iterator[Remark]:
    """Configurations whose requests have candidates, all of other drivers."""
    for claim in context.claims:
        for number, config in enumerate(claim.spec.devices.config or ()):
            if config.opaque is None:
                continue
            drivers = _drivers(context, claim, config.requests or ())
            if drivers and config.opaque.driver not in drivers:
                named = f"request {listed(config.requests)}" if config.requests else "the claim"
                yield Remark(
                    f"driver {config.opaque.driver} has no device that {named} could get, only {listed(drivers)}: "
                    "the configuration is ignored",
                    claim.place.at("config", number, "opaque", "driver"),
                    claim.subject,
                    did_you_mean(config.opaque.driver, drivers),
                )


def _drivers(context: LintContext, claim: ClaimAsked, requests: list[str] | tuple[str, ...]) -> list[str]:
    """The drivers of the devices that the named requests can get; none if one request can get nothing here."""
    found: dict[str, None] = {}
    for asked in claim.asked:
        ref = asked.demand.ref
        if requests and ref.request not in requests and ref.name not in requests:
            continue
        matching = context.matching(asked.demand.selectors) if asked.demand.device_class is not None else ()
        if not matching:
            return []
        found.update(dict.fromkeys(context.drivers_of(matching)))
    return list(found)


RULE = Rule(
    "DRA109", "config-for-no-driver", Severity.WARNING, __doc__, check, needs_slices=True, needs_all=("ResourceSlice",)
)
