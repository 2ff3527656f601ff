"""A constraint compares an attribute that some of its devices do not have.

No device that a request may get publishes the attribute of `matchAttribute` or `distinctAttribute`, and no derived
attribute of the request defines it. Or most of a driver's devices publish it, and one writes it otherwise
(`UUID` for `uuid`) or is like the others but for it; the latter is a remark.

Why: a device without the attribute can never be added to the constraint. If none has it, the claim can never be
allocated.
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

from dractl.cluster.pools import PoolDevice
from dractl.finding import Severity
from dractl.observe.lint.constraining import Bound, bound_requests
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.fulfilling import unfulfilled
from dractl.observe.lint.odd_devices import Odd, odd_devices
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.spelling import alike, published, standard_meant
from dractl.phrases import counted, listed, verb


def check(context: LintContext) -> Iterator[Remark]:
    """Each constraint with its requests of which no candidate has the attribute, then candidates that are odd."""
    for claim in context.claims:
        for number, constraint in enumerate(claim.demand.constraints):
            lacking: dict[str, list[Bound]] = {}
            for bound in bound_requests(context, claim, constraint):
                if not bound.has_devices or bound.has_value:
                    continue
                close = _close(context, constraint.attribute, bound)
                if not _is_misspelt(constraint.attribute, close):
                    lacking.setdefault(close, []).append(bound)
            if lacking:
                yield Remark(
                    "; ".join(_sentence(context, constraint.attribute, *each) for each in lacking.items()),
                    claim.place.at("constraints", number, str(constraint.kind)),
                    claim.subject,
                    _remedy(constraint.attribute, next(filter(None, lacking), "")),
                )
    yield from _odd(context)


def _odd(context: LintContext) -> Iterator[Remark]:
    """Odd devices once for all constraints; if one is left without enough devices, that is told instead."""
    found: dict[tuple[str, str, str], tuple[Odd, str]] = {}
    for claim in context.claims:
        for constraint in claim.demand.constraints:
            every = tuple(bound_requests(context, claim, constraint))
            for odd in (odd for bound in every for odd in odd_devices(context, constraint.attribute, bound)):
                if odd.written or unfulfilled(context, constraint.kind, every) is None:
                    found.setdefault((odd.driver, odd.attribute, odd.written), (odd, claim.subject))
    for odd, subject in found.values():
        yield _of_odd(context, odd, subject)


def _of_odd(context: LintContext, odd: Odd, claim: str) -> Remark:
    first, number = odd.devices[0], len(odd.devices)
    more = f" and {counted(number - 1, 'other device')}" if number > 1 else ""
    others = f"{counted(odd.others, 'device')} of {odd.driver} {verb(odd.others, 'has', 'have')} {odd.attribute}"
    does = verb(number, "does not have it", "do not have it")
    place = context.place_of_slice(first.slice).at("spec", "devices", _number(first), "attributes")
    return Remark(
        f"{others}, which a constraint of {claim} compares; device {first.id.device}{more} "
        + (f"{verb(number, 'has', 'have')} {odd.written} instead" if odd.written else does),
        place.key_at(odd.written) if odd.written else place,
        f"ResourceSlice {first.slice.metadata.name}",
        f"did you mean {odd.attribute}?" if odd.written else "",
        None if odd.written else Severity.INFO,
    )


def _number(device: PoolDevice) -> int:
    return next(n for n, each in enumerate(device.slice.spec.devices or ()) if each is device.device)


def _is_misspelt(attribute: str, close: str) -> bool:
    """Whether the constraint or the driver means a standard attribute and does not write it: that is the mistake."""
    return bool(standard_meant(attribute)) or (bool(close) and standard_meant(close) == attribute)


def _close(context: LintContext, attribute: str, bound: Bound) -> str:
    names = (
        context.about("attributes", devices, lambda each: published(each, "attributes")) for devices in bound.devices
    )
    return alike(attribute, list(dict.fromkeys(name for each in names for name in each)))


def _sentence(context: LintContext, attribute: str, close: str, lacking: Sequence[Bound]) -> str:
    devices = [each for bound in lacking for each in bound.devices]
    drivers = dict.fromkeys(driver for each in devices for driver in context.drivers_of(each))
    names = listed(bound.request for bound in lacking)
    whose, who = (f"request {names}", "it") if len(lacking) == 1 else (f"requests {names}", "they")
    only = f", only {close}" if close else ""
    return f"{whose}: no device of {listed(drivers)} that {who} may get has {attribute}{only}"


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
