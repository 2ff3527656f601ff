"""The allocator's search: depth first, in the order of claims, requests, alternatives and devices (dra.md §12).

One worked example. A claim asks for two devices that match in `numaNode`; the node has gpu-0 (node 0), gpu-1 (node 1)
and gpu-2 (node 1). Taken first: gpu-0; then gpu-1 and gpu-2 are refused by the constraint, so the request has failed
with gpu-0, which is released. Taken next: gpu-1; devices behind it are tried, gpu-2 is accepted, and the request is
satisfied. The first complete assignment wins; it is the first one in the order of the devices.
"""

import sys
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Final

from msgspec import Struct

from dractl.cluster.pools import PoolDevice
from dractl.cluster.upstream import UpstreamFault
from dractl.problem.candidates import Candidate
from dractl.problem.demands import DEVICES_PER_CLAIM, ClaimDemand, Demand, alternatives_of
from dractl.problem.faults import AllocationFault
from dractl.problem.kinds import DeviceKinds
from dractl.problem.problem import Problem
from dractl.search.effort import Effort, StepsUsedUp
from dractl.search.taking import Attempt, Taking
from dractl.solution.picks import ClaimPicks, Decision, Fitting, GaveUp, NoFit, Pick, Tries

DEFAULT_STEPS: Final = 20_000
"""Devices tried before the search gives up; equal devices are tried once."""

PRUNES_AFTER: Final = 100
"""Most searches end sooner, and telling devices apart costs more than trying them."""


def first_fit(problem: Problem, steps: int = DEFAULT_STEPS, prunes_after: int = PRUNES_AFTER) -> Decision:
    """Which devices the scheduler's allocator would pick, why it would fail, or `GaveUp` after so many steps or more.

    What equals something that has failed is skipped once so many devices were tried.
    """
    if problem.refusal is not None:
        return problem.refusal
    effort = Effort(steps)
    search = _Search(problem, effort, prunes_after if _may_prune(problem) else sys.maxsize)
    try:
        with _room_for_recursion(problem):
            found = search.claim(0)
    except _FaultReached as reached:
        return reached.fault
    except StepsUsedUp:
        return GaveUp(effort.total)
    if found is _Result.FOUND:
        return Fitting(tuple(search.picks()), Tries(effort.total))
    return nothing_fits(problem, Tries(effort.total))


def nothing_fits(problem: Problem, tries: Tries) -> NoFit | AllocationFault:
    """What a failed search says: with an invalid pool it is an error of this node."""
    if problem.invalid_pools:
        invalid = tuple(pool.id for pool in problem.invalid_pools)
        return AllocationFault("invalid resource pools were encountered", fatal=False, pools=invalid)
    return NoFit(tries)


def _may_prune(problem: Problem) -> bool:
    """Where constraints bind "All" devices, the order of equal ones decides between failure and fault."""
    return UpstreamFault.CONSTRAINT_ENDS_ALL not in problem.features.faults or not any(
        demand.wants_all and constraint.applies_to(demand.ref)
        for claim in problem.claims
        for demand in alternatives_of(claim.requests)
        for constraint in claim.constraints
    )


class _Result(Enum):
    FOUND = "found"
    FAILED = "failed"
    TOO_MANY = "too many"
    """The claim cannot get so many devices: other devices are not tried, other alternatives are."""


class _FaultReached(Exception):
    def __init__(self, fault: AllocationFault) -> None:
        super().__init__(fault.text)
        self.fault: Final = fault


class _Search:
    """The position is claim, request, demand, devices found so far; what was picked is on a stack."""

    def __init__(self, problem: Problem, effort: Effort, prunes_after: int) -> None:
        self._problem = problem
        self._effort = effort
        self._prunes_after = prunes_after
        self._attempt = Attempt(problem)
        self._constraint_ends_all = UpstreamFault.CONSTRAINT_ENDS_ALL in problem.features.faults
        self._kinds = DeviceKinds(problem)
        self._picks: list[tuple[int, Pick]] = []
        self._failed: dict[Hashable, tuple[_Result, int]] = {}

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
        """Satisfy this request and all behind it, unless that has failed before in an equal state."""
        if number == len(self._problem.claims[claim_number].requests):
            return self.claim(claim_number + 1)
        state = self._state(claim_number, number, claim_start)
        if state in self._failed:
            result, cost = self._failed[state]
            self._effort.spared += cost
            return result
        before = self._effort.total
        result = self._alternatives(claim_number, number, claim_start)
        if result is not _Result.FOUND and state is not None:
            self._failed[state] = result, self._effort.total - before
        return result

    def _alternatives(self, claim_number: int, number: int, claim_start: int) -> _Result:
        results: set[_Result] = set()
        for demand in self._problem.claims[claim_number].requests[number].alternatives:
            result = self._demand(_Position(claim_number, number, claim_start, demand), 0, 0)
            if result is _Result.FOUND:
                return result
            results.add(result)
        return _Result.TOO_MANY if results == {_Result.TOO_MANY} else _Result.FAILED

    def _state(self, claim_number: int, number: int, claim_start: int) -> Hashable | None:
        """All that decides what can follow: where the search is, and what it has done to devices of which kind."""
        if self._effort.tried < self._prunes_after:
            return None
        claim = self._problem.claims[claim_number]
        touched = {pick.candidate.device for _, pick in self._picks}
        kinds = Counter((self._kinds.number(device), self._attempt.standing(device)) for device in touched)
        constraints = self._attempt.standing_of_constraints(claim)
        return claim_number, number, len(self._picks) - claim_start, frozenset(kinds.items()), constraints

    def _demand(self, at: "_Position", found: int, start: int) -> _Result:
        """Find the remaining devices of a demand, then go on; `start` is where in the device order to look on."""
        needed = self._problem.needed(at.demand)
        if at.demand.wants_all and needed == 0:
            return _Result.FAILED
        if found >= needed:
            return self._request(at.claim, at.request + 1, at.claim_start)
        if needed - found > DEVICES_PER_CLAIM - (len(self._picks) - at.claim_start):
            return _Result.TOO_MANY
        if at.demand.wants_all:
            return self._take_all(at, found)
        return self._take_some(at, found, start)

    def _take_all(self, at: "_Position", found: int) -> _Result:
        """The next of all devices, without choice.

        If a constraint refuses it, v1.37.2 tries no alternative any more; by the documented rules it does (dra.md §18).
        """
        claim = self._problem.claims[at.claim]
        candidate = self._problem.all_of[at.demand][found]
        taking = self._take(claim, at.demand, candidate)
        if taking is Taking.REFUSED_BY_CONSTRAINT and self._constraint_ends_all:
            raise _FaultReached(_constraint_fault(at.demand, candidate))
        return self._go_on(at, candidate, found + 1, 0) if taking is Taking.ACCEPTED else _Result.FAILED

    def _take_some(self, at: "_Position", found: int, start: int) -> _Result:
        """One device after another, skipping those that equal one which has failed here.

        What follows a skipped device would be part of what followed its equal, with the same faults; so the first
        answer and the first fault stay the same (tests/search holds this against the search without skipping).
        """
        devices = self._problem.devices
        failed: dict[Hashable, int] = {}
        for index in range(start, len(devices)):
            candidate = self._usable(at.demand, devices[index])
            if candidate is None:
                continue
            alike = self._alike(candidate.device)
            if alike in failed:
                self._effort.spared += failed[alike]
                continue
            before = self._effort.total
            result = self._take_and_go_on(at, candidate, found, index)
            if result is not _Result.FAILED:
                return result
            if alike is not None:
                failed[alike] = self._effort.total - before
        return _Result.FAILED

    def _alike(self, device: PoolDevice) -> Hashable | None:
        """What two devices have in common that can stand for each other now; None while nothing is to be skipped."""
        if self._effort.tried < self._prunes_after:
            return None
        return self._kinds.number(device), self._attempt.standing(device)

    def _take_and_go_on(self, at: "_Position", candidate: Candidate, found: int, index: int) -> _Result:
        claim = self._problem.claims[at.claim]
        if self._take(claim, at.demand, candidate) is not Taking.ACCEPTED:
            return _Result.FAILED
        return self._go_on(at, candidate, found + 1, index + 1)

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
        if candidate.selectable is None and self._attempt.has_capacity(candidate):
            return candidate
        if candidate.fault is not None:
            raise _FaultReached(candidate.fault)
        return None

    def _take(self, claim: ClaimDemand, demand: Demand, candidate: Candidate) -> Taking:
        self._effort.step()
        taking = self._attempt.take(claim, demand, candidate)
        if isinstance(taking, AllocationFault):
            raise _FaultReached(taking)
        return taking


class _Position(Struct, frozen=True):
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
