"""What is in use: devices, shares and consumed capacity of claims that hold an allocation (dra.md §3)."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct, field

from dractl.api.identities import ClaimRef, DeviceId
from dractl.api.quantity import Quantity
from dractl.api.resource import AllocationResult, ResourceClaim
from dractl.cluster.features import Features

Holders = Mapping[DeviceId, tuple[ClaimRef, ...]]


def devices_of(claim: ResourceClaim) -> tuple[DeviceId, ...]:
    """The devices that the claim has been given, in the order of its results, those with admin access too."""
    allocation = claim.status.allocation
    results = (allocation.devices.results if allocation is not None else None) or ()
    return tuple(DeviceId(each.driver, each.pool, each.device) for each in results)


class Usage(Struct, frozen=True):
    """Devices in use, by whom. Never changed: `with_allocation` gives the usage after one more claim.

    `exclusive` are devices that one claim holds alone, `shared` those of which shares are held, `consumed` the capacity
    that shares have used up, by capacity name. Admin access counts nowhere.
    """

    exclusive: Holders = field(default_factory=lambda: MappingProxyType({}))
    shared: Holders = field(default_factory=lambda: MappingProxyType({}))
    consumed: Mapping[DeviceId, Mapping[str, Quantity]] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, claims: Iterable[ResourceClaim], features: Features) -> "Usage":
        """What the claims hold that have an allocation."""
        ledger = _Ledger({}, {}, {})
        for claim in claims:
            if claim.status.allocation is not None:
                ref = ClaimRef(claim.metadata.namespace, claim.metadata.name)
                ledger.add(ref, claim.status.allocation, features)
        return Usage(ledger.exclusive, ledger.shared, ledger.consumed)

    def with_allocation(self, claim: ClaimRef, allocation: AllocationResult, features: Features) -> "Usage":
        """The usage once the claim has got this allocation."""
        ledger = _Ledger(dict(self.exclusive), dict(self.shared), dict(self.consumed))
        ledger.add(claim, allocation, features)
        return Usage(ledger.exclusive, ledger.shared, ledger.consumed)

    def with_capacity_again(self, allocations: Iterable[AllocationResult]) -> "Usage":
        """The usage where what the shares of these allocations consume is counted a second time."""
        ledger = _Ledger({}, {}, dict(self.consumed))
        for result in (each for allocation in allocations for each in allocation.devices.results or ()):
            if result.shareID is not None and not result.adminAccess:
                ledger.consume(DeviceId(result.driver, result.pool, result.device), result.consumedCapacity)
        return Usage(self.exclusive, self.shared, ledger.consumed)

    def is_allocated(self, device: DeviceId) -> bool:
        """Whether the device counts for counters and compatibility groups."""
        return device in self.exclusive or device in self.shared or device in self.consumed

    def holders(self, device: DeviceId) -> tuple[ClaimRef, ...]:
        """The claims that hold the device or a share of it."""
        return self.exclusive.get(device, ()) + self.shared.get(device, ())


class _Ledger(Struct):
    exclusive: dict[DeviceId, tuple[ClaimRef, ...]]
    shared: dict[DeviceId, tuple[ClaimRef, ...]]
    consumed: dict[DeviceId, Mapping[str, Quantity]]

    def add(self, claim: ClaimRef, allocation: AllocationResult, features: Features) -> None:
        for result in allocation.devices.results or ():
            if result.adminAccess:
                continue
            device = DeviceId(result.driver, result.pool, result.device)
            if not (features.consumable_capacity and result.shareID is not None):
                self.exclusive[device] = (*self.exclusive.get(device, ()), claim)
                continue
            self.shared[device] = (*self.shared.get(device, ()), claim)
            self.consume(device, result.consumedCapacity)

    def consume(self, device: DeviceId, capacity: Mapping[str, Quantity] | None) -> None:
        if capacity is not None:
            total = dict(self.consumed.get(device, {}))
            for name, amount in capacity.items():
                total[name] = total[name] + amount if name in total else amount
            self.consumed[device] = total
