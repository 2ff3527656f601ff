"""Which devices reach which container (metadata.md §6)."""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from dractl.api.core import Container, Pod
from dractl.api.identities import ClaimRef, DeviceId
from dractl.api.objects import ObjectSet, Sourced, written
from dractl.api.pods import claims_by_entry, is_terminal
from dractl.api.resource import DeviceRequestAllocationResult, ResourceClaim
from dractl.errors import Place
from dractl.finding import Finding, Severity
from dractl.near_misses import did_you_mean
from dractl.observe.node_calls import PREPARE, skipped_calls
from dractl.phrases import listed


class ContainerKind(StrEnum):
    """The kinds of containers that can ask for devices; ephemeral ones cannot."""

    INIT = "init"
    SIDECAR = "sidecar"
    APP = "app"


class ContainerDevice(Struct, frozen=True):
    """A device that a container gets: `entry` is the claim in the pod's spec, empty for an extended resource.

    `is_prepared` is false where the kubelet does not call the driver: then nothing of the device is injected.
    """

    entry: str
    request: str
    device: DeviceId
    is_prepared: bool = True


class ContainerUse(Struct, frozen=True):
    """A container and all devices that it gets, in the order of its `resources.claims`."""

    name: str
    kind: ContainerKind
    devices: tuple[ContainerDevice, ...]


def container_devices(pod: Pod, claims: Mapping[ClaimRef, ResourceClaim]) -> tuple[ContainerUse, ...]:
    """What each container of the pod gets from the allocations of the claims, init containers first.

    Devices come once, however often the container asks for them.
    """
    namespace = pod.metadata.namespace
    entries = {
        entry: claims[ref]
        for entry, name in claims_by_entry(pod).items()
        if name is not None and (ref := ClaimRef(namespace, name)) in claims
    }
    status = pod.status.extendedResourceClaimStatus
    special = claims.get(ClaimRef(namespace, status.resourceClaimName)) if status is not None else None
    uses = []
    for container, kind, _ in _containers(pod):
        devices = list(_claimed(container, entries))
        if special is not None:
            devices += _extended(pod, container, special)
        uses.append(ContainerUse(container.name, kind, tuple(dict.fromkeys(devices))))
    return tuple(uses)


def _containers(pod: Pod) -> Iterator[tuple[Container, ContainerKind, tuple[str | int, ...]]]:
    """Every container that can ask for devices, with its path."""
    for number, container in enumerate(pod.spec.initContainers or ()):
        kind = ContainerKind.SIDECAR if container.restartPolicy == "Always" else ContainerKind.INIT
        yield container, kind, ("spec", "initContainers", number)
    for number, container in enumerate(pod.spec.containers or ()):
        yield container, ContainerKind.APP, ("spec", "containers", number)


def _claimed(container: Container, entries: Mapping[str, ResourceClaim]) -> Iterator[ContainerDevice]:
    for asked in container.resources.claims or ():
        claim = entries.get(asked.name)
        if claim is not None:
            yield from _devices(claim, asked.name, {asked.request} if asked.request else None)


def _extended(pod: Pod, container: Container, claim: ResourceClaim) -> Iterator[ContainerDevice]:
    """From the claim for extended resources, what the pod's status maps to the container."""
    status = pod.status.extendedResourceClaimStatus
    wanted = {**(container.resources.limits or {}), **(container.resources.requests or {})}
    requests = {
        mapping.requestName
        for mapping in (status.requestMappings if status is not None else None) or ()
        if mapping.containerName == container.name
        and (amount := wanted.get(mapping.resourceName)) is not None
        and amount.nano
    }
    yield from _devices(claim, "", requests)


def _devices(claim: ResourceClaim, entry: str, requests: set[str] | None) -> Iterator[ContainerDevice]:
    """The allocated devices of these requests, None meaning all; alternatives count under their request's name."""
    allocation = claim.status.allocation
    if allocation is None:
        return
    skipped = skipped_calls(allocation)
    for result in allocation.devices.results or ():
        if requests is None or _base(result) in requests:
            device = DeviceId(result.driver, result.pool, result.device)
            yield ContainerDevice(entry, result.request, device, PREPARE not in skipped.get(result.driver, ()))


def _base(result: DeviceRequestAllocationResult) -> str:
    return result.request.partition("/")[0]


# --- findings --------------------------------------------------------------------------------------------------------


def container_findings(objects: ObjectSet) -> Iterator[Finding]:
    """Claims that no container uses, and requests that do not exist; once for all pods of one template."""
    claims = {ClaimRef(each.ref.namespace, each.ref.name): each.object for each in objects.of(ResourceClaim)}
    by_ref = {each.ref: each for each in objects}
    seen: set[Place] = set()
    for pod in objects.of(Pod):
        if not pod.object.spec.resourceClaims or is_terminal(pod.object) or pod.place in seen:
            continue
        seen.add(pod.place)
        subject = str(written(pod, by_ref).ref)
        yield from _unused_claims(pod, subject)
        yield from _unknown_requests(pod, subject, claims)


def _unused_claims(pod: Sourced[Pod], subject: str) -> Iterator[Finding]:
    used = {asked.name for container, _, _ in _containers(pod.object) for asked in container.resources.claims or ()}
    if used - {entry.name for entry in pod.object.spec.resourceClaims or ()}:
        return  # a name that is misspelt, which is refused
    for number, entry in enumerate(pod.object.spec.resourceClaims or ()):
        if entry.name not in used:
            yield Finding(
                "containers/unused-claim",
                Severity.INFO,
                f"no container uses claim {entry.name}: it is allocated, reserved and prepared, but injected nowhere, "
                "which suits only drivers that set up the pod as a whole",
                pod.place.at("spec", "resourceClaims", number),
                subject,
                f"write `claims: [{{name: {entry.name}}}]` into the resources of the container that needs it",
            )


def _unknown_requests(pod: Sourced[Pod], subject: str, claims: Mapping[ClaimRef, ResourceClaim]) -> Iterator[Finding]:
    entries = claims_by_entry(pod.object)
    for container, _, path in _containers(pod.object):
        for number, asked in enumerate(container.resources.claims or ()):
            name = entries.get(asked.name)
            claim = claims.get(ClaimRef(pod.ref.namespace, name)) if name is not None else None
            if claim is None or not asked.request:
                continue
            known = [request.name for request in claim.spec.devices.requests or ()]
            if known and asked.request not in known:
                yield Finding(
                    "containers/unknown-request",
                    Severity.WARNING,
                    f"container {container.name} asks for request {asked.request} of claim {asked.name}, "
                    "which has no such request: it gets none of the claim's devices, and no error says so",
                    pod.place.at(*path, "resources", "claims", number, "request"),
                    subject,
                    did_you_mean(asked.request, known)
                    or f"the claim has {listed(known)}; without `request` the container gets all devices",
                )
