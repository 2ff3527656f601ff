"""A constraint compares an attribute that some of its devices do not have.

No device that a request may get publishes the attribute of `matchAttribute` or `distinctAttribute`, and no derived
attribute of the request defines it.

Why: a device without the attribute can never be added to the constraint, so that the claim can never be allocated.
Two drivers often publish the same fact under two names: `gpu.example.com/pcieRoot` here,
`resource.kubernetes.io/pcieRoot` there.

Example:

    constraints:
    - requests: [gpu, nic]
      matchAttribute: resource.kubernetes.io/pcieRoot     # the GPU driver says gpu.example.com/pciRoot

Instead: an attribute that all drivers publish; with the gate DRADerivedAttributes (alpha in 1.37) a request can give
a driver's own attribute the common name:

    derivedAttributes:
    - name: resource.kubernetes.io/pcieRoot
      expression: device.attributes["gpu.example.com"].pciRoot
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from dractl.finding import Severity
from dractl.observe.lint.constraining import Bound, bound_requests
from dractl.observe.lint.context import ClaimAsked, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.spelling import alike, published, standard_meant
from dractl.phrases import listed


def check(context: LintContext) -> Iterator[Remark]:
    """For each constraint the requests of which no candidate has the attribute; those alike in one remark."""
    for claim in context.claims:
        for number, constraint in enumerate(claim.demand.constraints):
            alike_requests: dict[_Lack, list[str]] = {}
            for bound in bound_requests(context, claim, constraint):
                if bound.has_devices and not bound.has_value:
                    lack = _lack(context, constraint.attribute, bound)
                    if not _is_misspelt(constraint.attribute, lack.close):
                        alike_requests.setdefault(lack, []).append(bound.request)
            for lack, requests in alike_requests.items():
                yield _remark(claim, number, lack, requests)


class _Lack(Struct, frozen=True):
    """Whose devices lack the attribute, and which they have that is spelt nearly like it."""

    drivers: tuple[str, ...]
    close: str


def _is_misspelt(attribute: str, close: str) -> bool:
    """Whether the constraint or the driver means a standard attribute and does not write it: that is the mistake."""
    return bool(standard_meant(attribute)) or (bool(close) and standard_meant(close) == attribute)


def _lack(context: LintContext, attribute: str, bound: Bound) -> _Lack:
    close = alike(attribute, published((device for each in bound.devices for device in each), "attributes"))
    drivers = dict.fromkeys(driver for each in bound.devices for driver in context.drivers_of(each))
    return _Lack(tuple(drivers), close)


def _remark(claim: ClaimAsked, number: int, lack: _Lack, requests: Sequence[str]) -> Remark:
    constraint = claim.demand.constraints[number]
    whose = f"request {requests[0]}" if len(requests) == 1 else f"requests {listed(requests)}"
    return Remark(
        f"{whose}: no device of {listed(lack.drivers)} that {'it' if len(requests) == 1 else 'they'} may get has "
        f"{constraint.attribute}" + (f", only {lack.close}" if lack.close else ""),
        claim.place.at("constraints", number, str(constraint.kind)),
        claim.subject,
        _remedy(constraint.attribute, lack.close),
    )


def _remedy(attribute: str, close: str) -> str:
    if not close:
        return "compare an attribute that every one of the drivers publishes"
    domain, _, identifier = close.partition("/")
    if domain == attribute.partition("/")[0]:
        return f"did you mean {close}?"
    return (
        f"compare {close} if all the drivers have it; else a derivedAttribute (alpha, gate DRADerivedAttributes) named "
        f'{attribute} with the expression device.attributes["{domain}"].{identifier}'
    )


RULE = Rule(
    "DRA105",
    "constraint-attribute-missing",
    Severity.WARNING,
    __doc__,
    check,
    needs_slices=True,
    needs_all=("ResourceSlice",),
)
