"""The requests of claims and their alternatives (validation.md §6)."""

from collections.abc import Iterator, Sequence
from typing import Final

from dractl.api.resource import DeviceConstraint, DeviceRequest, DeviceSubRequest, ExactDeviceRequest
from dractl.validation.choices import one_of
from dractl.validation.derived import check_derived_attributes
from dractl.validation.expressions import check_selectors
from dractl.validation.formats import label, missing, subdomain
from dractl.validation.lists import repeated, too_many
from dractl.validation.rulebook import Rulebook
from dractl.validation.taints import check_toleration
from dractl.validation.violation import Violation, ViolationType, below, declared, only_declared, set_together

_MOST_ALTERNATIVES: Final = 8
_EXACT: Final = "ExactCount"
_ALL: Final = "All"
_FORMS: Final = ("exactly", "firstAvailable")


def check_request(
    request: DeviceRequest, constraints: Sequence[DeviceConstraint], rulebook: Rulebook
) -> Iterator[Violation]:
    """A request of a claim with these constraints; paths begin at it.

    With both forms, or none, the written rules look no further, while the declared ones do.
    """
    yield from below(label(request.name), "name")
    is_one_form = (request.exactly is not None) != bool(request.firstAvailable)
    if not is_one_form:
        yield _forms(request)
    inner = _check_forms(request, constraints, rulebook)
    yield from inner if is_one_form else only_declared(inner)


def _forms(request: DeviceRequest) -> Violation:
    if request.exactly is None:
        message = "neither `exactly` nor `firstAvailable` is set"
        remedy = "write `exactly: {deviceClassName: …}`"
        return Violation((), ViolationType.REQUIRED, message, remedy, wants=_FORMS)
    return set_together(_FORMS, "keep one of the two")


def _check_forms(
    request: DeviceRequest, constraints: Sequence[DeviceConstraint], rulebook: Rulebook
) -> Iterator[Violation]:
    exactly = request.exactly
    if exactly is not None:
        yield from below(_check_class_name(exactly.deviceClassName), "exactly", "deviceClassName")
        yield from below(_check_demand(exactly, rulebook), "exactly")
        derived = check_derived_attributes(exactly.derivedAttributes, request.name, constraints, rulebook)
        yield from below(derived, "exactly", "derivedAttributes")
    alternatives = request.firstAvailable or ()
    excess = list(too_many(alternatives, _MOST_ALTERNATIVES))
    yield from below(declared(excess), "firstAvailable")
    if excess:
        return
    yield from below(declared(repeated((each.name for each in alternatives), "name")), "firstAvailable")
    for index, alternative in enumerate(alternatives):
        yield from below(_check_alternative(alternative, rulebook), "firstAvailable", index)
        reference = f"{request.name}/{alternative.name}"
        derived = check_derived_attributes(alternative.derivedAttributes, reference, constraints, rulebook)
        yield from below(derived, "firstAvailable", index, "derivedAttributes")


def _check_alternative(alternative: DeviceSubRequest, rulebook: Rulebook) -> Iterator[Violation]:
    yield from below(label(alternative.name), "name")
    yield from below(declared(_check_class_name(alternative.deviceClassName)), "deviceClassName")
    yield from _check_demand(alternative, rulebook)


def _check_class_name(name: str) -> Iterator[Violation]:
    if name:
        yield from subdomain(name)
    else:
        yield missing("the DeviceClass that the devices are of", "write `deviceClassName: …`")


def _check_demand(demand: ExactDeviceRequest | DeviceSubRequest, rulebook: Rulebook) -> Iterator[Violation]:
    """What `exactly` and an alternative have in common; capacity requests and the number of tolerations are free."""
    yield from below(check_selectors(demand.selectors, rulebook), "selectors")
    yield from _check_count(demand)
    for index, toleration in enumerate(demand.tolerations or ()):
        yield from below(check_toleration(toleration), "tolerations", index)


def _check_count(demand: ExactDeviceRequest | DeviceSubRequest) -> Iterator[Violation]:
    if demand.allocationMode == _EXACT and demand.count <= 0:
        yield Violation(("count",), ViolationType.INVALID, f"{demand.count} devices cannot be allocated", "write 1")
    elif demand.allocationMode == _ALL and demand.count != 0:
        message = "`allocationMode: All` takes every device that matches"
        remedy = f"take `count` out, or write `allocationMode: {_EXACT}`"
        yield Violation(("count",), ViolationType.INVALID, message, remedy)
    words = (_EXACT, _ALL)
    if demand.allocationMode:
        yield from below(declared(one_of(demand.allocationMode, words)), "allocationMode")
    else:
        # Only in v1beta1: without a class no mode is filled in.
        yield from below(one_of(demand.allocationMode, words), "allocationMode")
