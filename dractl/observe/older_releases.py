"""Faults that v1.37.2 has no more, and that an input may meet in an older release (dra.md §18).

The plan does not emulate them. What counts as meeting one is wide: the fault may show, it need not.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Final

from msgspec import Struct

from dractl.api.identities import ClaimRef, DeviceId, PodRef
from dractl.api.pods import claims_by_entry
from dractl.api.resource import DeviceRequestAllocationResult, ResourceSlice
from dractl.cluster.cluster import Cluster
from dractl.cluster.pools import PoolDevice, newest, pool_of
from dractl.errors import Place
from dractl.finding import Finding, Severity
from dractl.problem.attributes import AttributeReader, AttributeValue
from dractl.problem.constraints import Constraint, ConstraintKind
from dractl.problem.demands import ClaimDemand, Demand, alternatives_of, demands_of

_FIXED_IN: Final = (1, 37)


class Met(Struct, frozen=True):
    """An object with which the input meets a fault, and where it stands."""

    subject: str
    place: Place


class OldFault(Struct, frozen=True):
    """A fault by its number in kubernetes/kubernetes; `does` completes "a release without the fix …"."""

    issue: int
    does: str
    met_by: Callable[["Surveyed"], Iterator[Met]]


class Surveyed(Struct, frozen=True, dict=True):
    """A cluster with what several questions ask of it."""

    cluster: Cluster

    @cached_property
    def demands(self) -> dict[ClaimRef, ClaimDemand]:
        """The claims that have no devices yet."""
        cluster = self.cluster
        return {
            ref: demands_of(claim, cluster.classes, cluster.features)
            for ref, claim in cluster.claims.items()
            if claim.status.allocation is None
        }

    @cached_property
    def slices(self) -> tuple[ResourceSlice, ...]:
        """The slices of each pool's newest generation."""
        return tuple(newest(self.cluster.slices))

    @cached_property
    def devices(self) -> dict[DeviceId, PoolDevice]:
        """What these slices publish."""
        found = (
            PoolDevice(DeviceId(*_pool(slice_), device.name), device, slice_)
            for slice_ in self.slices
            for device in slice_.spec.devices or ()
        )
        return {device.id: device for device in found}

    @property
    def consuming(self) -> Iterator[PoolDevice]:
        """The devices that consume counters; none while their gate is off."""
        if self.cluster.features.partitionable_devices:
            yield from (device for device in self.devices.values() if device.device.consumesCounters)

    @property
    def constraints(self) -> Iterator[tuple[ClaimDemand, Constraint, list[Demand]]]:
        """The constraints of claims to be allocated, each with the demands that it binds."""
        for claim in self.demands.values():
            for constraint in claim.constraints:
                demands = alternatives_of(claim.requests)
                yield claim, constraint, [each for each in demands if constraint.applies_to(each.ref)]

    @property
    def shares(self) -> Iterator[tuple[ClaimRef, DeviceRequestAllocationResult, PoolDevice]]:
        """Shares that are held of devices that consume counters."""
        consuming = {device.id: device for device in self.consuming}
        for ref, claim in self.cluster.claims.items() if self.cluster.features.consumable_capacity else ():
            allocation = claim.status.allocation
            for result in (allocation.devices.results if allocation is not None else None) or ():
                device = consuming.get(DeviceId(result.driver, result.pool, result.device))
                if device is not None and result.shareID is not None and not result.adminAccess:
                    yield ref, result, device

    def claim(self, ref: ClaimRef) -> Met:
        """The claim as what meets a fault."""
        return Met(f"ResourceClaim {ref}", self.cluster.place_of_claim(ref))

    def pod(self, ref: PodRef) -> Met:
        """The pod as what meets a fault."""
        return Met(f"Pod {ref}", self.cluster.place_of_pod(ref))

    def slice(self, slice_: ResourceSlice) -> Met:
        """The slice as what meets a fault."""
        name = slice_.metadata.name
        place = next(place for ref, place in self.cluster.places.items() if (ref.kind, ref.name) == (_SLICE, name))
        return Met(f"{_SLICE} {name}", place)


_SLICE: Final = "ResourceSlice"


def older_release_findings(cluster: Cluster, release: str) -> Iterator[Finding]:
    """One for each fault that the input meets, at the first place, if the release is one that may have it."""
    if tuple(int(part) for part in release.split(".")) >= _FIXED_IN:
        return
    surveyed = Surveyed(cluster)
    for fault in _FAULTS:
        met = list(dict.fromkeys(fault.met_by(surveyed)))
        if met:
            more = f" (and {len(met) - 1} more)" if len(met) > 1 else ""
            yield Finding(
                rule=f"upstream/{fault.issue}",
                severity=Severity.WARNING,
                message=(
                    f"a {release} without the fix of kubernetes#{fault.issue} {fault.does}{more}; "
                    "the plan follows v1.37.2, which has the fix"
                ),
                place=met[0].place,
                subject=met[0].subject,
            )


def _pool(slice_: ResourceSlice) -> tuple[str, str]:
    pool = pool_of(slice_)
    return pool.driver, pool.pool


# --- one question for each fault -------------------------------------------------------------------------------------


def _lists_that_match(of: Surveyed) -> Iterator[Met]:
    """Several devices are to match in an attribute that more than one of them publishes as a list."""
    if not of.cluster.features.list_type_attributes:
        return
    for claim, constraint, demands in of.constraints:
        if constraint.kind is ConstraintKind.MATCH and _want_several(demands) and _lists(of, demands, constraint) > 1:
            yield of.claim(claim.ref)


def _distinct_inside_a_request(of: Surveyed) -> Iterator[Met]:
    """One request wants several devices that differ."""
    for claim, constraint, demands in of.constraints:
        is_distinct = constraint.kind is ConstraintKind.DISTINCT and constraint.fault is None
        if is_distinct and any(_want_several([demand]) for demand in demands):
            yield of.claim(claim.ref)


def _devices_that_are_given_back(of: Surveyed) -> Iterator[Met]:
    """What a device needs is reserved before something else refuses it: a taint, a constraint, a later request."""
    consuming = list(of.consuming)
    can_be_shared = of.cluster.features.consumable_capacity and _any_shareable(consuming)
    for claim in of.demands.values():
        several = len(claim.constraints) > 1 or (can_be_shared and len(claim.requests) > 1)
        if several or (consuming and claim.constraints):
            yield of.claim(claim.ref)
    for device in consuming if of.demands and of.cluster.features.device_taints else ():
        if any(taint.effect in ("NoSchedule", "NoExecute") for taint in device.device.taints or ()):
            yield of.slice(device.slice)


def _all_beside_used_up_capacity(of: Surveyed) -> Iterator[Met]:
    """All devices are wanted, and shares of some are held."""
    if not any(_is_partly_used(of, claim) for claim in of.cluster.claims):
        return
    for claim in of.demands.values():
        if any(demand.wants_all for demand in alternatives_of(claim.requests)):
            yield of.claim(claim.ref)


def _held_shares_with_counters(of: Surveyed) -> Iterator[Met]:
    """Shares are held of a device that consumes counters."""
    yield from (of.claim(ref) for ref, _, _ in of.shares)


def _held_shares_without_capacity(of: Surveyed) -> Iterator[Met]:
    """Such a share has no consumedCapacity."""
    yield from (of.claim(ref) for ref, result, _ in of.shares if result.consumedCapacity is None)


def _second_shares_with_counters(of: Surveyed) -> Iterator[Met]:
    """A pod has several requests, and there is a device that it can share and that consumes counters."""
    if not (of.cluster.features.consumable_capacity and _any_shareable(of.consuming)):
        return
    for pod in of.cluster.pods_to_plan():
        names = dict.fromkeys(claims_by_entry(of.cluster.pods[pod]).values())
        claims = (of.demands.get(ClaimRef(pod.namespace, name)) for name in names if name is not None)
        if sum(len(claim.requests) for claim in claims if claim is not None) > 1:
            yield of.pod(pod)


def _one_pool_name_of_two_drivers(of: Surveyed) -> Iterator[Met]:
    """Pools of two drivers have one name, and counters."""
    if not of.cluster.features.partitionable_devices:
        return
    owners: dict[str, set[str]] = {}
    for slice_ in of.slices:
        if slice_.spec.sharedCounters:
            owners.setdefault(slice_.spec.pool.name, set()).add(slice_.spec.driver)
    for slice_ in of.slices:
        if slice_.spec.sharedCounters and len(owners[slice_.spec.pool.name]) > 1:
            yield of.slice(slice_)


_FAULTS: Final = (
    OldFault(140300, "may refuse devices whose lists do match, once it has tried others", _lists_that_match),
    OldFault(140438, "compares only one device of each request with the others", _distinct_inside_a_request),
    OldFault(140436, "may count devices that it has refused or given back", _devices_that_are_given_back),
    OldFault(140769, "leaves devices out of All whose capacity is used up", _all_beside_used_up_capacity),
    OldFault(139034, "does not count the counters of devices of which shares are held", _held_shares_with_counters),
    OldFault(140433, "charges the counters of a shared device once more", _held_shares_without_capacity),
    OldFault(134100, "charges counters again for a second share in one pod", _second_shares_with_counters),
    OldFault(140435, "mixes the counters of pools of the same name", _one_pool_name_of_two_drivers),
)


def _any_shareable(devices: Iterable[PoolDevice]) -> bool:
    return any(device.device.allowMultipleAllocations for device in devices)


def _want_several(demands: list[Demand]) -> bool:
    """Whether the demands may get more than one device together."""
    requests = {demand.ref.request for demand in demands}
    return len(requests) > 1 or any(demand.count is None or demand.count > 1 for demand in demands)


def _lists(of: Surveyed, demands: list[Demand], constraint: Constraint) -> int:
    """How many devices publish the attribute as a list."""
    reader = AttributeReader()
    values = (reader.read(demands[0], device, constraint.attribute) for device in of.devices.values())
    return sum(isinstance(value, AttributeValue) and value.is_list for value in values)


def _is_partly_used(of: Surveyed, ref: ClaimRef) -> bool:
    allocation = of.cluster.claims[ref].status.allocation
    results = (allocation.devices.results if allocation is not None else None) or ()
    shares = of.cluster.features.consumable_capacity
    return shares and any(result.shareID is not None and bool(result.consumedCapacity) for result in results)
