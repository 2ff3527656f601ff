"""The allocator's search: depth first, in the order of claims, requests, alternatives and devices (dra.md §12).

One worked example. A claim asks for two devices that match in `numaNode`; the node has gpu-0 (node 0), gpu-1 (node 1)
and gpu-2 (node 1). Taken first: gpu-0; then gpu-1 and gpu-2 are refused by the constraint, so the request has failed
with gpu-0, which is released. Taken next: gpu-1; devices behind it are tried, gpu-2 is accepted, and the request is
satisfied. The first complete assignment wins; it is the first one in the order of the devices.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Final

from dractl.cluster.pools import PoolDevice
from dractl.problem.candidates import Candidate
from dractl.problem.demands import DEVICES_PER_CLAIM, ClaimDemand, Demand
from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem
from dractl.search.taking import Attempt, Taking
from dractl.solution.picks import ClaimPicks, Decision, Fitting, GaveUp, NoFit, Pick

DEFAULT_STEPS: Final = 400_000
"""Devices tried before the search gives up: about as many as fit into the scheduler's own ten seconds per node."""


def first_fit(problem: Problem, steps: int = DEFAULT_STEPS) -> Decision:
    """Which devices the scheduler's allocator would pick, why it would fail, or `GaveUp` after so many steps."""
    if problem.refusal is not None:
        return problem.refusal
    search = _Search(problem, steps)
    try:
        with _room_for_recursion(problem):
            found = search.claim(0)
    except _FaultReached as reached:
        return reached.fault
    except _StepsUsedUp:
        return GaveUp(steps)
    if found is _Result.FOUND:
        return Fitting(tuple(search.picks()))
    if problem.invalid_pools:
        return AllocationFault("invalid resource pools were encountered", fatal=False)
    return NoFit()


class _Result(Enum):
    FOUND = "found"
    FAILED = "failed"
    TOO_MANY = "too many"
    """The claim cannot get so many devices: other devices are not tried, other alternatives are."""


class _FaultReached(Exception):
    def __init__(self, fault: AllocationFault) -> None:
        super().__init__(fault.text)
        self.fault: Final = fault


class _StepsUsedUp(Exception):
    pass


class _Search:
    """The position is claim, request, demand, devices found so far; what was picked is on a stack."""

    def __init__(self, problem: Problem, steps: int) -> None:
        self._problem = problem
        self._attempt = Attempt(problem)
        self._picks: list[tuple[int, Pick]] = []
        self._steps_left = steps

    def picks(self) -> Iterator[ClaimPicks]:
        for number, claim in enumerate(self._problem.claims):
            yield ClaimPicks(claim, tuple(pick for owner, pick in self._picks if owner == number))

    def claim(self, number: int) -> _Result:
        """Satisfy this claim and all behind it; at the border between claims "too many" is a plain failure."""
        if number == len(self._problem.claims):
            return _Result.FOUND
        result = self._request(number, 0, len(self._picks))
        return _Result.FAILED if result is _Result.TOO_MANY else result

    def _request(self, claim_number: int, number: int, claim_start: int) -> _Result:
        claim = self._problem.claims[claim_number]
        if number == len(claim.requests):
            return self.claim(claim_number + 1)
        results: set[_Result] = set()
        for demand in claim.requests[number].alternatives:
            result = self._demand(_Position(claim_number, number, claim_start, demand), 0, 0)
            if result is _Result.FOUND:
                return result
            results.add(result)
        return _Result.TOO_MANY if results == {_Result.TOO_MANY} else _Result.FAILED

    def _demand(self, at: "_Position", found: int, start: int) -> _Result:
        """Find the remaining devices of a demand, then go on; `start` is where in the device order to look on."""
        needed = self._problem.needed(at.demand)
        if at.demand.wants_all and needed == 0:
            return _Result.FAILED
        if found == needed:
            return self._request(at.claim, at.request + 1, at.claim_start)
        if needed - found > DEVICES_PER_CLAIM - (len(self._picks) - at.claim_start):
            return _Result.TOO_MANY
        if at.demand.wants_all:
            return self._take_all(at, found)
        return self._take_some(at, found, start)

    def _take_all(self, at: "_Position", found: int) -> _Result:
        """The next of all devices, without choice; if a constraint refuses it, alternatives do not help any more."""
        claim = self._problem.claims[at.claim]
        candidate = self._problem.all_of[at.demand][found]
        taking = self._take(claim, at.demand, candidate)
        if taking is Taking.REFUSED_BY_CONSTRAINT:
            raise _FaultReached(_constraint_fault(at.demand, candidate))
        return self._go_on(at, candidate, found + 1, 0) if taking is Taking.ACCEPTED else _Result.FAILED

    def _take_some(self, at: "_Position", found: int, start: int) -> _Result:
        claim = self._problem.claims[at.claim]
        devices = self._problem.devices
        for index in range(start, len(devices)):
            candidate = self._usable(at.demand, devices[index])
            if candidate is None or self._take(claim, at.demand, candidate) is not Taking.ACCEPTED:
                continue
            result = self._go_on(at, candidate, found + 1, index + 1)
            if result is not _Result.FAILED:
                return result
        return _Result.FAILED

    def _go_on(self, at: "_Position", candidate: Candidate, found: int, start: int) -> _Result:
        self._picks.append((at.claim, Pick(at.demand, candidate)))
        result = self._demand(at, found, start)
        if result is not _Result.FOUND:
            self._picks.pop()
            self._attempt.release(at.demand, candidate)
        return result

    def _usable(self, demand: Demand, device: PoolDevice) -> Candidate | None:
        """The device, unless it is in use, not selectable, or has no capacity left; looking may reach a fault."""
        if self._attempt.is_in_use(demand, device):
            return None
        candidate = self._problem.candidates.look(demand, device)
        if candidate.fault is not None:
            raise _FaultReached(candidate.fault)
        if candidate.selectable is not None or not self._attempt.has_capacity(candidate):
            return None
        return candidate

    def _take(self, claim: ClaimDemand, demand: Demand, candidate: Candidate) -> Taking:
        self._steps_left -= 1
        if self._steps_left < 0:
            raise _StepsUsedUp
        taking = self._attempt.take(claim, demand, candidate)
        if isinstance(taking, AllocationFault):
            raise _FaultReached(taking)
        return taking


@dataclass(frozen=True, slots=True)
class _Position:
    """Numbers of claim and request, how many picks there were before the claim, and the demand in hand."""

    claim: int
    request: int
    claim_start: int
    demand: Demand


def _constraint_fault(demand: Demand, candidate: Candidate) -> AllocationFault:
    device = candidate.device.id
    text = (
        f"claim {demand.ref.claim}, request {demand.spoken_name}: "
        f"cannot add device {device} because a claim constraint would not be satisfied"
    )
    return AllocationFault(text, request=demand.ref, device=device)


@contextmanager
def _room_for_recursion(problem: Problem) -> Iterator[None]:
    """The search is as deep as there are devices to pick; each takes at most three calls."""
    levels = sum(len(claim.requests) + DEVICES_PER_CLAIM + 1 for claim in problem.claims)
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 1000 + 6 * levels))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
