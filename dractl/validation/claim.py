"""ResourceClaim and ResourceClaimTemplate (validation.md §6)."""

from collections.abc import Iterator

from dractl.api.resource import (
    DeviceConstraint,
    DeviceRequest,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimSpec,
    ResourceClaimTemplate,
)
from dractl.validation.formats import fully_qualified_name_problem
from dractl.validation.selectors import check_selectors
from dractl.validation.violation import Violation, ViolationType

_QUALIFIED: str = "write it as DOMAIN/NAME, for example resource.kubernetes.io/pcieRoot"


def check_claim(claim: ResourceClaim) -> Iterator[Violation]:
    """What is wrong with a claim."""
    for violation in _check_spec(claim.spec):
        yield violation.below("spec")


def check_template(template: ResourceClaimTemplate) -> Iterator[Violation]:
    """What is wrong with a template."""
    for violation in _check_spec(template.spec.spec):
        yield violation.below("spec", "spec")


def _check_spec(spec: ResourceClaimSpec) -> Iterator[Violation]:
    for index, request in enumerate(spec.devices.requests or ()):
        for violation in _check_request(request):
            yield violation.below("devices", "requests", index)
    for index, constraint in enumerate(spec.devices.constraints or ()):
        for violation in _check_constraint(constraint):
            yield violation.below("devices", "constraints", index)


def _check_request(request: DeviceRequest) -> Iterator[Violation]:
    if request.exactly is not None and request.firstAvailable:
        message = "`exactly` and `firstAvailable` are both set"
        yield Violation((), ViolationType.INVALID, message, "keep one of the two")
    elif request.exactly is not None:
        for violation in _check_demand(request.exactly):
            yield violation.below("exactly")
    elif not request.firstAvailable:
        message = "neither `exactly` nor `firstAvailable` is set"
        yield Violation((), ViolationType.REQUIRED, message, "write `exactly: {deviceClassName: …}`")
    for index, alternative in enumerate(request.firstAvailable or ()):
        for violation in _check_demand(alternative):
            yield violation.below("firstAvailable", index)


def _check_demand(demand: ExactDeviceRequest | DeviceSubRequest) -> Iterator[Violation]:
    if not demand.deviceClassName:
        message = "a request names the DeviceClass that its devices are of"
        yield Violation(("deviceClassName",), ViolationType.REQUIRED, message, "write `deviceClassName: …`")
    for violation in check_selectors(demand.selectors):
        yield violation.below("selectors")


def _check_constraint(constraint: DeviceConstraint) -> Iterator[Violation]:
    named = {"matchAttribute": constraint.matchAttribute, "distinctAttribute": constraint.distinctAttribute}
    if all(name is None for name in named.values()):
        message = "neither `matchAttribute` nor `distinctAttribute` is set"
        yield Violation((), ViolationType.REQUIRED, message, f"name the attribute: {_QUALIFIED}")
    for field, name in named.items():
        problem = None if name is None else fully_qualified_name_problem(name)
        if problem:
            yield Violation((field,), ViolationType.INVALID, problem, _QUALIFIED)
