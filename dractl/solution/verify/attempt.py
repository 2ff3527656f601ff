"""An answer read back: the allocations of one attempt, each result with the request and the device that it names."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from dractl.api.identities import ClaimRef, DeviceId
from dractl.api.resource import AllocationResult, DeviceRequestAllocationResult
from dractl.cluster.pools import PoolDevice
from dractl.cluster.upstream import UpstreamFault
from dractl.problem.candidates import is_shareable
from dractl.problem.demands import ClaimDemand, Demand
from dractl.problem.problem import Problem


class Take(Struct, frozen=True):
    """One device that one request got. `is_share` tells whether others may have the device as well (dra.md §8)."""

    claim: ClaimRef
    demand: Demand
    device: PoolDevice
    result: DeviceRequestAllocationResult
    is_share: bool

    @property
    def id(self) -> DeviceId:
        """The device's identity."""
        return self.device.id


class AllocatedClaim(Struct, frozen=True):
    """A claim and what it got. `takes` leaves out results that name a request or a device that is not there."""

    demand: ClaimDemand
    allocation: AllocationResult
    takes: tuple[Take, ...]

    @property
    def ref(self) -> ClaimRef:
        """The claim's identity."""
        return self.demand.ref

    @property
    def results(self) -> Sequence[DeviceRequestAllocationResult]:
        """All results as they stand in the allocation."""
        return self.allocation.devices.results or ()

    def takes_of(self, request: str) -> tuple[Take, ...]:
        """What a request got, whichever of its alternatives it was."""
        return tuple(take for take in self.takes if take.demand.ref.request == request)

    def chosen(self) -> Mapping[str, Demand]:
        """The demand behind the first device of each request."""
        return {take.demand.ref.request: take.demand for take in reversed(self.takes)}


class Attempt(Struct, frozen=True):
    """The allocations that one pod's claims got on one node, in the order of the claims."""

    problem: Problem
    allocations: tuple[AllocationResult, ...]
    claims: tuple[AllocatedClaim, ...]

    def takes(self) -> Iterator[Take]:
        """Every device taken, in the order in which the allocator took them."""
        for claim in self.claims:
            yield from claim.takes

    def payers(self) -> Iterator[Take]:
        """The takes that pay for counters and groups: all but further shares of a device (dra.md §11.4).

        By the documented rules those with admin access do not pay either, not even for later shares (dra.md §18).
        """
        admin_pays = UpstreamFault.ADMIN_PAYS_COUNTERS in self.problem.features.faults
        paid = set(self.problem.usage.shared)
        for take in self.takes():
            if take.demand.admin_access and not admin_pays:
                continue
            if not (take.is_share and take.id in paid):
                yield take
            if take.is_share:
                paid.add(take.id)


def read_back(problem: Problem, allocations: Sequence[AllocationResult]) -> Attempt:
    """Find the requests and devices that the results name; whatever is not there is left to the rules."""
    devices = {device.id: device for device in problem.devices}
    claims = tuple(
        AllocatedClaim(demand, allocation, tuple(_takes(problem, demand, allocation, devices)))
        for demand, allocation in zip(problem.claims, allocations, strict=False)
    )
    return Attempt(problem, tuple(allocations), claims)


def device_of(result: DeviceRequestAllocationResult) -> DeviceId:
    """The device that a result names."""
    return DeviceId(result.driver, result.pool, result.device)


def demands_by_name(claim: ClaimDemand) -> Mapping[str, Demand]:
    """The demands of a claim by the name that results have for them: `request`, or `request/alternative`."""
    return {demand.ref.name: demand for request in claim.requests for demand in request.alternatives}


def _takes(
    problem: Problem, claim: ClaimDemand, allocation: AllocationResult, devices: Mapping[DeviceId, PoolDevice]
) -> Iterator[Take]:
    demands = demands_by_name(claim)
    for result in allocation.devices.results or ():
        demand, device = demands.get(result.request), devices.get(device_of(result))
        if demand is not None and device is not None:
            yield Take(claim.ref, demand, device, result, is_shareable(device, problem.features))
