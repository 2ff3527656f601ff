"""ResourceClaim and ResourceClaimTemplate (validation.md §6)."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from dractl.api.base import ObjectMeta
from dractl.api.resource import (
    DeviceClaim,
    DeviceClaimConfiguration,
    DeviceConstraint,
    ResourceClaim,
    ResourceClaimTemplate,
)
from dractl.validation.derived import check_total_cost
from dractl.validation.formats import QUALIFIED_FORM, fully_qualified_name, label, missing
from dractl.validation.lists import repeated, too_many
from dractl.validation.metadata import check_annotations, check_labels
from dractl.validation.opaque import check_opaque
from dractl.validation.request import check_request
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below, declared, echoes

Name: TypeAlias = tuple[str, ...]
"""How a request may be named: itself alone, or followed by one of its alternatives."""

_MOST_REQUESTS: Final = 32
_MOST_CONSTRAINTS: Final = 32
_MOST_CONFIGS: Final = 32


class _Names(Struct, frozen=True):
    """The requests and alternatives of a claim; where a name is refused, whoever misses one may mean that request."""

    known: frozenset[Name]
    are_sound: bool


def check_claim(claim: ResourceClaim, rulebook: Rulebook) -> Iterator[Violation]:
    """What is wrong with the spec of a claim."""
    yield from below(_check_devices(claim.spec.devices, rulebook), "spec", "devices")


def check_template(template: ResourceClaimTemplate, rulebook: Rulebook) -> Iterator[Violation]:
    """What is wrong with the spec of a template."""
    yield from below(_check_template_metadata(template.spec.metadata), "spec", "metadata")
    yield from below(_check_devices(template.spec.spec.devices, rulebook), "spec", "spec", "devices")


def _check_template_metadata(metadata: ObjectMeta) -> Iterator[Violation]:
    """Only labels and annotations are copied to claims."""
    yield from check_labels(metadata.labels)
    yield from check_annotations(metadata.annotations)
    for field in metadata.__struct_fields__:
        if field not in ("labels", "annotations") and getattr(metadata, field):
            message = "claims get labels and annotations from here, nothing else"
            yield Violation((field,), ViolationType.FORBIDDEN, message, "take it out")


def _check_devices(devices: DeviceClaim, rulebook: Rulebook) -> Iterator[Violation]:
    yield from _check_requests(devices, rulebook)
    yield from _check_constraints(devices, rulebook)
    yield from _check_configs(devices)
    yield from check_total_cost(devices, rulebook)


def _check_requests(devices: DeviceClaim, rulebook: Rulebook) -> Iterator[Violation]:
    requests = devices.requests or ()
    excess = list(too_many(requests, _MOST_REQUESTS))
    yield from below(declared(excess), "requests")
    if excess:
        return
    yield from below(declared(repeated((request.name for request in requests), "name")), "requests")
    for index, request in enumerate(requests):
        yield from below(check_request(request, devices.constraints or (), rulebook), "requests", index)


# --- constraints and configuration -----------------------------------------------------------------------------------


def _check_constraints(devices: DeviceClaim, rulebook: Rulebook) -> Iterator[Violation]:
    constraints = devices.constraints or ()
    excess = list(too_many(constraints, _MOST_CONSTRAINTS))
    yield from below(declared(excess), "constraints")
    names = _request_names(devices)
    for index, constraint in enumerate(constraints) if not excess else ():
        yield from below(_check_references(constraint, names), "constraints", index)
        yield from below(_check_constraint(constraint, rulebook), "constraints", index)


def _check_constraint(constraint: DeviceConstraint, rulebook: Rulebook) -> Iterator[Violation]:
    """One attribute at least; with both, the server takes the constraint and looks at `matchAttribute`."""
    named = {"matchAttribute": constraint.matchAttribute, "distinctAttribute": constraint.distinctAttribute}
    if constraint.matchAttribute is None and not rulebook.has_distinct_attributes:
        yield missing("the attribute", QUALIFIED_FORM).below("matchAttribute")
    elif all(name is None for name in named.values()):
        message = "neither `matchAttribute` nor `distinctAttribute` is set"
        remedy = f"name the attribute: {QUALIFIED_FORM}"
        yield Violation((), ViolationType.REQUIRED, message, remedy, wants=tuple(named))
    for field, name in named.items():
        if name is not None:
            yield from below(declared(fully_qualified_name(name)), field)


def _check_configs(devices: DeviceClaim) -> Iterator[Violation]:
    configs = devices.config or ()
    excess = list(too_many(configs, _MOST_CONFIGS))
    yield from below(declared(excess), "config")
    names = _request_names(devices)
    for index, config in enumerate(configs) if not excess else ():
        yield from below(_check_references(config, names), "config", index)
        yield from below(check_opaque(config.opaque), "config", index)


def _request_names(devices: DeviceClaim) -> _Names:
    requests = devices.requests or ()
    alternatives = (
        (request.name, alternative.name) for request in requests for alternative in request.firstAvailable or ()
    )
    names = (*((request.name,) for request in requests), *alternatives)
    are_sound = len(set(names)) == len(names) and not any(label(part) for name in names for part in name)
    return _Names(frozenset(names), are_sound)


def _check_references(part: DeviceConstraint | DeviceClaimConfiguration, names: _Names) -> Iterator[Violation]:
    """The requests that a constraint or a configuration is for."""
    requests = part.requests or ()
    excess = list(too_many(requests, _MOST_REQUESTS))
    yield from below(declared(excess), "requests")
    if excess:
        return
    yield from below(declared(repeated(requests, "name")), "requests")
    for index, request in enumerate(requests):
        yield from below(_check_reference(request, names), "requests", index)


def _check_reference(request: str, names: _Names) -> Iterator[Violation]:
    there = ", ".join(sorted(map("/".join, names.known)))
    known = f"the claim has {there}" if there else "the claim has no request"
    if request.count("/") > 1:
        message = f'"{request}" is neither a request nor REQUEST/SUBREQUEST'
        yield Violation((), ViolationType.INVALID, message, known)
        return
    parts = tuple(request.split("/"))
    flaws = [flaw for part in parts for flaw in label(part)]
    yield from flaws
    if parts not in names.known:
        message = f'the claim has no request "{request}"'
        unknown = [Violation((), ViolationType.INVALID, message, known, wants=("requests",))]
        yield from unknown if names.are_sound and not flaws else echoes(unknown)
