"""Every object against the rules of its kind: errors in manifests, findings in dumps (validation.md)."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from dractl.api.objects import ObjectSet, Sourced
from dractl.api.resource import DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from dractl.errors import Fault, path_text
from dractl.finding import Finding, Severity
from dractl.validation.claim import check_claim, check_template
from dractl.validation.device_class import check_device_class
from dractl.validation.resource_slice import check_slice
from dractl.validation.violation import Violation

_RULES: Final[dict[type, Callable[[Any], Iterable[Violation]]]] = {
    DeviceClass: check_device_class,
    ResourceClaim: check_claim,
    ResourceClaimTemplate: check_template,
    ResourceSlice: check_slice,
}


def check(objects: ObjectSet) -> tuple[list[Fault], list[Finding]]:
    """What the API server would refuse, in the order of the input.

    In a manifest that is a fault. What comes from a cluster (`metadata.is_dump`) was let in once: there it is a
    finding, and the object is planned as it stands. Objects that dractl made itself are not looked at.
    """
    faults: list[Fault] = []
    findings: list[Finding] = []
    for sourced in objects:
        rule = _RULES.get(type(sourced.object))
        if rule is None or sourced.made_by is not None:
            continue
        for violation in rule(sourced.object):
            if sourced.metadata.is_dump:
                findings.append(_finding(sourced, violation))
            else:
                faults.append(_fault(sourced, violation))
    return faults, findings


def _fault(sourced: Sourced[Any], violation: Violation) -> Fault:
    place = sourced.place.at(*violation.path)
    return Fault(
        violation.message,
        violation.remedy,
        file=place.origin.file,
        place=place,
        subject=str(sourced.ref),
        field=path_text(violation.path),
    )


def _finding(sourced: Sourced[Any], violation: Violation) -> Finding:
    return Finding(
        "validation/refused",
        Severity.ERROR,
        f"{path_text(violation.path)}: {violation.message}",
        sourced.place.at(*violation.path),
        str(sourced.ref),
        violation.remedy,
    )
