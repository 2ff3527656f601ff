"""Consumable capacity that this attempt has taken, on top of what is held (dra.md §8)."""

from dractl.api.identities import DeviceId
from dractl.cluster.pools import PoolDevice
from dractl.cluster.usage import Usage
from dractl.problem.candidates import Candidate
from dractl.problem.capacity import CapacityShare
from dractl.problem.demands import Demand


class CapacityLedger:
    """Consumed amounts in nano-units by device and capacity; only shares of shareable devices are remembered."""

    def __init__(self, usage: Usage) -> None:
        self._consumed: dict[tuple[DeviceId, str], int] = {
            (device, name): amount.nano
            for device, amounts in usage.consumed.items()
            for name, amount in amounts.items()
        }

    def suffices(self, candidate: Candidate) -> bool:
        """Whether every capacity of the device has room for what the demand would consume."""
        share = candidate.share
        if not isinstance(share, CapacityShare):
            return False
        device = candidate.device
        offered = device.device.capacity or {}
        return all(
            self._consumed.get((device.id, name), 0) + amount.nano <= offered[name].value.nano
            for name, amount in share.amounts.items()
        )

    def standing(self, device: PoolDevice) -> tuple[int, ...]:
        """What is consumed of each of the device's capacities."""
        return tuple(self._consumed.get((device.id, name), 0) for name in device.device.capacity or ())

    def take(self, demand: Demand, candidate: Candidate) -> bool:  # noqa: ARG002
        """Reserve the amounts if there is room."""
        if not self.suffices(candidate):
            return False
        self._add(candidate, 1)
        return True

    def release(self, demand: Demand, candidate: Candidate) -> None:  # noqa: ARG002
        """Undo `take`."""
        self._add(candidate, -1)

    def _add(self, candidate: Candidate, sign: int) -> None:
        if not candidate.is_shareable or not isinstance(candidate.share, CapacityShare):
            return
        for name, amount in candidate.share.amounts.items():
            key = (candidate.device.id, name)
            self._consumed[key] = self._consumed.get(key, 0) + sign * amount.nano
