"""An attribute that is nearly a standard one.

A driver publishes, or a constraint compares, an attribute of the domain `resource.kubernetes.io` that is almost one
of the standard names.

Why: the domain is Kubernetes' own, and its names are what different drivers agree on. A misspelt one matches nobody
else's.

Example: `resource.kubernetes.io/pcieroot`.

Instead: `resource.kubernetes.io/pcieRoot`, `resource.kubernetes.io/pciBusID`, `resource.kubernetes.io/numaNode`.
"""

from collections.abc import Iterator

from dractl.errors import Place
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.partitions import devices_of
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.spelling import standard_meant


def check(context: LintContext) -> Iterator[Remark]:
    """The first device of each pool that has the name, and every constraint."""
    for pool in context.pools.values():
        told: set[str] = set()
        for device, place, slice_ in devices_of(pool):
            for name in device.attributes or ():
                if name not in told:
                    told.add(name)
                    yield from _of(name, place.at("attributes").key_at(name), str(slice_.ref))
    for claim in context.claims:
        for number, constraint in enumerate(claim.demand.constraints):
            place = claim.place.at("constraints", number, str(constraint.kind))
            yield from _of(constraint.attribute, place, claim.subject)


def _of(name: str, place: Place, subject: str) -> Iterator[Remark]:
    meant = standard_meant(name)
    if meant:
        yield Remark(f"{name} is not a standard attribute", place, subject, f"did you mean {meant}?")


RULE = Rule("DRA314", "standard-attribute-misspelt", Severity.WARNING, __doc__, check)
