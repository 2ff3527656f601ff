"""Who has taken a device in this attempt, and whether another request may still have it (dra.md §11.1, §11.9)."""

from dractl.api.identities import ClaimRef, DeviceId
from dractl.cluster.features import Features
from dractl.cluster.pools import PoolDevice
from dractl.cluster.usage import Usage
from dractl.problem.candidates import Candidate, is_shareable
from dractl.problem.demands import Demand


class Occupancy:
    """Devices that are held, and those that this attempt has taken; shareable ones are never marked.

    With admin access a device is refused only if the same claim has taken it already.
    """

    def __init__(self, usage: Usage, features: Features) -> None:
        self._features = features
        self._held = usage.exclusive
        self._taken: dict[DeviceId, list[ClaimRef]] = {}
        self._shares: dict[DeviceId, int] = {device: len(holders) for device, holders in usage.shared.items()}

    def is_in_use(self, demand: Demand, device: PoolDevice) -> bool:
        """Whether the demand cannot have the device because somebody has it."""
        takers = self._taken.get(device.id)
        if demand.admin_access:
            return takers is not None and demand.ref.claim in takers and not is_shareable(device, self._features)
        return bool(takers) or device.id in self._held

    def is_shared(self, candidate: Candidate) -> bool:
        """Whether a share of this shareable device is held or taken: its counters and groups are settled then."""
        return candidate.is_shareable and self._shares.get(candidate.device.id, 0) > 0

    def standing(self, device: PoolDevice) -> tuple[ClaimRef | int, ...]:
        """Who has taken the device in this attempt, and how many shares of it are out."""
        return (*self._taken.get(device.id, ()), self._shares.get(device.id, 0))

    def take(self, demand: Demand, candidate: Candidate) -> bool:
        """Mark the device as taken by the claim, or count its share."""
        device = candidate.device.id
        if candidate.is_shareable:
            self._shares[device] = self._shares.get(device, 0) + 1
        else:
            self._taken.setdefault(device, []).append(demand.ref.claim)
        return True

    def release(self, demand: Demand, candidate: Candidate) -> None:  # noqa: ARG002
        """Undo `take`."""
        device = candidate.device.id
        if candidate.is_shareable:
            self._shares[device] -= 1
        else:
            self._taken[device].pop()
