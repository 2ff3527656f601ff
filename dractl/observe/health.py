"""What drivers and kubelets say about allocated devices: `status.devices`, and the health in the status of pods.

The kubelet reports health under `claim:NAME` or `claim:NAME/REQUEST`, NAME being the pod's entry (kubelet.md §14.3).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from dractl.api.core import Pod, ResourceHealth
from dractl.api.identities import ClaimRef, DeviceId, PodRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pods import claims_by_entry, is_terminal
from dractl.api.resource import AllocatedDeviceStatus, DeviceRequestAllocationResult, ResourceClaim
from dractl.errors import FieldPath
from dractl.finding import Finding, Severity

_CLAIM: Final = "claim:"
_UNHEALTHY: Final = "Unhealthy"
_KNOWN: Final = ("Healthy", _UNHEALTHY, "Unknown")


class HealthReport(Struct, frozen=True):
    """What a container's status says about one resource of one claim; `devices` are those that may be meant.

    That is one device if the kubelet used its name or an id that names it, or if the item has only one: drivers choose
    their ids freely. `path` leads to the resource from the pod's root.
    """

    pod: PodRef
    container: str
    claim: ClaimRef
    devices: tuple[DeviceId, ...]
    resource_id: str
    health: str
    message: str
    path: FieldPath


class DeviceState(Struct, frozen=True):
    """An allocated device and everything that is reported about it."""

    claim: ClaimRef
    result: DeviceRequestAllocationResult
    status: AllocatedDeviceStatus | None
    health: tuple[HealthReport, ...]

    @property
    def device(self) -> DeviceId:
        """The device."""
        return DeviceId(self.result.driver, self.result.pool, self.result.device)


def device_states(
    claims: Mapping[ClaimRef, ResourceClaim], pods: Mapping[PodRef, Pod]
) -> Mapping[ClaimRef, tuple[DeviceState, ...]]:
    """The allocated devices about which something is reported, by claim, in the order of the allocations."""
    reports: dict[ClaimRef, list[HealthReport]] = {}
    for pod in pods.values():
        for report in health_reports(pod, claims):
            reports.setdefault(report.claim, []).append(report)
    states = {ref: tuple(_states(ref, claim, reports.get(ref, ()))) for ref, claim in claims.items()}
    return {ref: found for ref, found in states.items() if found}


def _states(ref: ClaimRef, claim: ResourceClaim, reports: Sequence[HealthReport]) -> Iterator[DeviceState]:
    statuses = {_key(status): status for status in claim.status.devices or ()}
    for result in _results(claim):
        device = DeviceId(result.driver, result.pool, result.device)
        health = tuple(report for report in reports if device in report.devices)
        status = statuses.get(_key(result))
        if status is not None or health:
            yield DeviceState(ref, result, status, health)


def _key(of: AllocatedDeviceStatus | DeviceRequestAllocationResult) -> tuple[DeviceId, str]:
    return DeviceId(of.driver, of.pool, of.device), of.shareID or ""


def _results(claim: ResourceClaim) -> Sequence[DeviceRequestAllocationResult]:
    allocation = claim.status.allocation
    return (allocation.devices.results if allocation is not None else None) or ()


# --- health ----------------------------------------------------------------------------------------------------------


def health_reports(pod: Pod, claims: Mapping[ClaimRef, ResourceClaim]) -> Iterator[HealthReport]:
    """What the status of a pod that has not finished says about devices of its claims, in order."""
    if is_terminal(pod):
        return
    ref = PodRef(pod.metadata.namespace, pod.metadata.name)
    entries = claims_by_entry(pod)
    for number, container in enumerate(pod.status.containerStatuses or ()):
        for index, item in enumerate(container.allocatedResourcesStatus or ()):
            entry, _, request = item.name.removeprefix(_CLAIM).partition("/")
            name = entries.get(entry) if item.name.startswith(_CLAIM) else None
            if name is None:
                continue
            claim = ClaimRef(ref.namespace, name)
            devices = _devices(claims.get(claim), request)
            path = ("status", "containerStatuses", number, "allocatedResourcesStatus", index, "resources")
            resources = item.resources or ()
            for position, resource in enumerate(resources):
                meant = _meant(resource, devices, is_only=len(resources) == len(devices) == 1)
                yield HealthReport(
                    ref,
                    container.name,
                    claim,
                    meant,
                    resource.resourceID,
                    resource.health or "Unknown",
                    resource.message or "",
                    (*path, position),
                )


def _devices(claim: ResourceClaim | None, request: str) -> tuple[DeviceId, ...]:
    """The devices that an item is about: those of the request, alternatives under their request's name, or all."""
    if claim is None:
        return ()
    mine = [result for result in _results(claim) if request in ("", result.request.partition("/")[0])]
    return tuple(dict.fromkeys(DeviceId(result.driver, result.pool, result.device) for result in mine))


def _meant(resource: ResourceHealth, devices: tuple[DeviceId, ...], *, is_only: bool) -> tuple[DeviceId, ...]:
    """The device with this id: `DRIVER/POOL/DEVICE`, or the CDI id, which often ends with the device's name."""
    if is_only:
        return devices
    exact = tuple(device for device in devices if str(device) == resource.resourceID)
    _, equals, cdi_name = resource.resourceID.partition("=")
    if exact or not equals:
        return exact
    same = tuple(device for device in devices if device.device == cdi_name)
    ending = tuple(device for device in devices if cdi_name.endswith(f"-{device.device}"))
    return same if len(same) == 1 else ending if len(ending) == 1 else devices


# --- findings --------------------------------------------------------------------------------------------------------


def health_findings(objects: ObjectSet) -> Iterator[Finding]:
    """Devices that are reported unhealthy, and status of devices that the claim does not hold."""
    claims = {ClaimRef(each.ref.namespace, each.ref.name): each.object for each in objects.of(ResourceClaim)}
    for claim in objects.of(ResourceClaim):
        yield from _unallocated(claim)
    for pod in objects.of(Pod):
        yield from _unhealthy(pod, claims)


def _unallocated(claim: Sourced[ResourceClaim]) -> Iterator[Finding]:
    held = {_key(result) for result in _results(claim.object)}
    devices = {device for device, _ in held}
    for number, status in enumerate(claim.object.status.devices or ()):
        device, share = _key(status)
        if (device, share) in held:
            continue
        as_share = f" as share {share}" if share and device in devices else ""
        without = " without a shareID" if not share and device in devices else ""
        yield Finding(
            "device-status/unallocated",
            Severity.WARNING,
            f"the status speaks of {device}, which the claim does not hold{as_share}{without}",
            claim.place.at("status", "devices", number),
            str(claim.ref),
            "the API server refuses such a status and drops it with the allocation: take the entry out",
        )


def _unhealthy(pod: Sourced[Pod], claims: Mapping[ClaimRef, ResourceClaim]) -> Iterator[Finding]:
    for report in health_reports(pod.object, claims):
        place = pod.place.at(*report.path)
        devices = " or ".join(map(str, report.devices)) or report.resource_id
        if report.health not in _KNOWN:
            message = f'"{report.health}" is none of {", ".join(_KNOWN)}'
            yield Finding("device-health/unknown-word", Severity.WARNING, message, place, str(pod.ref))
        elif not report.devices:
            message = f"health is reported for {report.resource_id}, which claim {report.claim} does not hold"
            yield Finding("device-health/unallocated", Severity.WARNING, message, place, str(pod.ref))
        elif report.health == _UNHEALTHY:
            said = f": {report.message}" if report.message else ""
            yield Finding(
                "device-health/unhealthy",
                Severity.WARNING,
                f"container {report.container} has {devices} of claim {report.claim}, which is unhealthy{said}",
                place,
                str(pod.ref),
                "the scheduler does not look at health and may allocate it again: a DeviceTaintRule keeps pods away",
            )
