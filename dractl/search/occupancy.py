"""Who has taken a device in this attempt, and whether another request may still have it (dra.md §11.1, §11.9)."""

from collections.abc import Hashable, Sequence

from msgspec import Struct

from dractl.api.identities import ClaimRef, DeviceId
from dractl.cluster.features import Features
from dractl.cluster.pools import PoolDevice
from dractl.cluster.upstream import UpstreamFault
from dractl.cluster.usage import Usage
from dractl.problem.candidates import Candidate, is_shareable
from dractl.problem.demands import Demand


class Occupancy:
    """Devices that are held, and those that this attempt has taken; shareable ones are never marked.

    With admin access a device is refused only if the same claim has taken it already. What was taken with admin access
    is refused to normal requests; by the documented rules only to those of the same claim (dra.md §18).
    """

    def __init__(self, usage: Usage, features: Features) -> None:
        self._features = features
        self._held = usage.exclusive
        self._admin_blocks = UpstreamFault.ADMIN_BLOCKS_LATER in features.faults
        self._admin_pays = UpstreamFault.ADMIN_PAYS_COUNTERS in features.faults
        self._taken: dict[PoolDevice, list[_Taker]] = {}
        self._shares: dict[DeviceId, int] = {device: len(holders) for device, holders in usage.shared.items()}

    def is_in_use(self, demand: Demand, device: PoolDevice) -> bool:
        """Whether the demand cannot have the device because somebody has it."""
        takers = self._taken.get(device)
        if not takers:
            return not demand.admin_access and device.id in self._held
        if demand.admin_access:
            return _is_taken_by(takers, demand.ref.claim) and not is_shareable(device, self._features)
        if device.id in self._held or _is_taken_by(takers, demand.ref.claim):
            return True
        return any(self._admin_blocks or not taker.is_admin for taker in takers)

    def is_shared(self, candidate: Candidate) -> bool:
        """Whether a share of this shareable device has paid its counters and settled its groups."""
        return candidate.is_shareable and self._shares.get(candidate.device.id, 0) > 0

    def standing(self, device: PoolDevice) -> tuple[Hashable, ...]:
        """Who has taken the device in this attempt, and how many shares of it have been paid."""
        return (*self._taken.get(device, ()), self._shares.get(device.id, 0))

    def take(self, demand: Demand, candidate: Candidate) -> bool:
        """Mark the device as taken by the claim, or count its share."""
        device = candidate.device
        if candidate.is_shareable:
            self._shares[device.id] = self._shares.get(device.id, 0) + self._pays(demand)
        else:
            self._taken.setdefault(device, []).append(_Taker(demand.ref.claim, demand.admin_access))
        return True

    def release(self, demand: Demand, candidate: Candidate) -> None:
        """Undo `take`."""
        if candidate.is_shareable:
            self._shares[candidate.device.id] -= self._pays(demand)
        else:
            self._taken[candidate.device].pop()

    def _pays(self, demand: Demand) -> bool:
        return self._admin_pays or not demand.admin_access


class _Taker(Struct, frozen=True):
    """A claim that has taken a device in this attempt, and whether for admin access."""

    claim: ClaimRef
    is_admin: bool


def _is_taken_by(takers: Sequence[_Taker], claim: ClaimRef) -> bool:
    return any(taker.claim == claim for taker in takers)
