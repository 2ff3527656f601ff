"""Resource claims in pods and in groups of pods (validation.md §14)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dractl.api.core import Container, ContainerClaim, PodResourceClaim, PodSpec
from dractl.near_misses import did_you_mean
from dractl.validation.choices import exactly_one
from dractl.validation.formats import label, missing, subdomain
from dractl.validation.lists import repeated, too_many
from dractl.validation.violation import Violation, ViolationType, below, echoes

_MIRROR: Final = "kubernetes.io/config.mirror"
_MOST_GROUP_CLAIMS: Final = 4


def check_mirror(annotations: Mapping[str, str] | None, spec: PodSpec) -> Iterator[Violation]:
    """Static pods of a kubelet, mirrored, cannot have claims; paths begin at the pod."""
    if spec.resourceClaims and _MIRROR in (annotations or {}):
        message = "a mirror pod cannot have resource claims"
        yield Violation(("metadata", "annotations"), ViolationType.FORBIDDEN, message, f"take out {_MIRROR}")


def check_pod_claims(spec: PodSpec) -> Iterator[Violation]:
    """The claims of a pod and their use in its containers; paths begin at the pod's spec."""
    claims = spec.resourceClaims or ()
    names: set[str] = set()
    for index, claim in enumerate(claims):
        if claim.name and claim.name in names:
            message = f'the pod has a claim "{claim.name}" already'
            yield Violation(("resourceClaims", index, "name"), ViolationType.DUPLICATE, message, "choose another name")
        else:
            yield from below(_check_name(claim), "resourceClaims", index)
        names.add(claim.name)
        yield from below(_check_source(claim), "resourceClaims", index)
    if spec.resources is not None:
        # That a pod's own resources name claims at all is forbidden besides.
        yield from echoes(below(_check_used(spec.resources.claims or (), names), "resources", "claims"))
    for field in ("initContainers", "containers"):
        containers: Sequence[Container] = getattr(spec, field) or ()
        for index, container in enumerate(containers):
            used = container.resources.claims or ()
            yield from below(_check_used(used, names), field, index, "resources", "claims")


def _check_name(claim: PodResourceClaim) -> Iterator[Violation]:
    flaws = label(claim.name) if claim.name else (missing("the claim's name in the pod", "write `name: …`"),)
    yield from below(flaws, "name")


def _check_source(claim: PodResourceClaim) -> Iterator[Violation]:
    """Where the claim comes from: one of the two names."""
    sources = {
        "resourceClaimName": claim.resourceClaimName,
        "resourceClaimTemplateName": claim.resourceClaimTemplateName,
    }
    yield from exactly_one({field: name is not None for field, name in sources.items()})
    for field, name in sources.items():
        if name is not None:
            yield from below(subdomain(name), field)


# --- use in containers -----------------------------------------------------------------------------------------------


def _check_used(used: Sequence[ContainerClaim], names: set[str]) -> Iterator[Violation]:
    """Paths begin at the container's list.

    How a request is called is not looked at if the container uses the whole claim already.
    """
    whole: set[str] = set()
    parts: set[tuple[str, str]] = set()
    for index, claim in enumerate(used):
        if not claim.name:
            yield missing("the claim's name", "name one of the pod's claims").below(index)
            continue
        if claim.request and claim.name not in whole:
            yield from below(label(claim.request), index, "request")
        if _is_taken(claim, whole, parts):
            shown = f"{claim.name}/{claim.request}" if claim.request else claim.name
            message = f'the container has "{shown}" already, in whole or in part'
            yield Violation((index,), ViolationType.DUPLICATE, message, "take one of the two out")
        if claim.request:
            parts.add((claim.name, claim.request))
        else:
            whole.add(claim.name)
        if claim.name not in names:
            known = sorted(names)
            message = f'the pod has no claim "{claim.name}"'
            listed = f"its claims are {', '.join(known)}" if known else "add it to the pod's `resourceClaims`"
            remedy = did_you_mean(claim.name, known) or listed
            yield Violation((index,), ViolationType.NOT_FOUND, message, remedy, wants=("resourceClaims",))


def _is_taken(claim: ContainerClaim, whole: set[str], parts: set[tuple[str, str]]) -> bool:
    if claim.name in whole:
        return True
    return (claim.name, claim.request) in parts if claim.request else any(name == claim.name for name, _ in parts)


# --- groups ----------------------------------------------------------------------------------------------------------


def check_group_claims(claims: Sequence[PodResourceClaim] | None) -> Iterator[Violation]:
    """The claims of a group of pods; paths begin at the list."""
    excess = list(too_many(claims, _MOST_GROUP_CLAIMS))
    yield from excess
    if excess or not claims:
        return
    yield from repeated((claim.name for claim in claims), "name")
    for index, claim in enumerate(claims):
        yield from below(_check_name(claim), index)
        yield from below(_check_source(claim), index)
