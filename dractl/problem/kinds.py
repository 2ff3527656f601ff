"""Devices that agree on everything that the demands and rules of a problem can see (DESIGN, decision 3).

Of two such devices the search need not try the second where the first has failed: exchanging them in any answer gives
another answer. Expressions cannot see names, so names do not count.
"""

from collections.abc import Hashable, Iterator
from typing import Final

from dractl.cluster.pools import PoolDevice
from dractl.problem.capacity import CapacityShare
from dractl.problem.compatibility import groups_of
from dractl.problem.counters import consumption
from dractl.problem.demands import ClaimDemand, Demand, alternatives_of
from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem


class DeviceKinds:
    """Numbers the kinds of a problem's devices, each when it is first asked for.

    A device at which looking raises a fault is a kind of its own: the fault's text names it.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem: Final = problem
        self._numbers: Final[dict[Hashable, int]] = {}
        self._known: Final[dict[PoolDevice, int]] = {}

    def number(self, device: PoolDevice) -> int:
        """The number of the device's kind."""
        number = self._known.get(device)
        if number is None:
            number = self._numbers.setdefault(tuple(self._traits(device)), len(self._numbers))
            self._known[device] = number
        return number

    def _traits(self, device: PoolDevice) -> Iterator[Hashable]:
        problem = self._problem
        usage = problem.usage
        yield device.id.pool_id
        yield frozenset(consumption(device).items())
        yield frozenset(groups_of(device).items())
        yield bool(device.device.allowMultipleAllocations)
        yield tuple((name, capacity.value) for name, capacity in (device.device.capacity or {}).items())
        yield device.id in usage.exclusive, len(usage.shared.get(device.id, ()))
        yield frozenset(usage.consumed.get(device.id, {}).items())
        for claim in problem.claims:
            for demand in alternatives_of(claim.requests):
                yield self._candidate(demand, device)
                yield from self._attributes(claim, demand, device)

    def _candidate(self, demand: Demand, device: PoolDevice) -> Hashable:
        candidate = self._problem.candidates.look(demand, device)
        if candidate.fault is not None:
            return device.id
        if not candidate.is_usable or not isinstance(candidate.share, CapacityShare):
            return None
        return frozenset(candidate.share.amounts.items())

    def _attributes(self, claim: ClaimDemand, demand: Demand, device: PoolDevice) -> Iterator[Hashable]:
        for constraint in claim.constraints:
            if constraint.applies_to(demand.ref):
                value = self._problem.attributes.read(demand, device, constraint.attribute)
                yield device.id if isinstance(value, AllocationFault) else value
