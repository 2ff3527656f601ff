"""Requests for "All" devices get every device that matches (dra.md §7)."""

from collections.abc import Iterator

from dractl.cluster.pools import PoolState
from dractl.cluster.upstream import UpstreamFault
from dractl.problem.capacity import CapacityShare
from dractl.problem.demands import Demand
from dractl.solution.verify.attempt import AllocatedClaim, Attempt
from dractl.solution.verify.nodes import may_be_used
from dractl.solution.verify.violations import Breach


def all_leaves_no_matching_device_out(attempt: Attempt) -> Iterator[Breach]:
    """Whatever is selectable and could ever give the capacity is taken, whether it is free or not.

    By the documented rules devices that nobody can use on the node do not count (dra.md §18).
    """
    counts_unusable = UpstreamFault.ALL_TAKES_UNUSABLE in attempt.problem.features.faults
    for claim, demand in _demands_for_all(attempt):
        taken = {take.id for take in claim.takes if take.demand is demand}
        for device in attempt.problem.devices:
            candidate = attempt.problem.candidates.look(demand, device)
            matches = candidate.selectable is None and isinstance(candidate.share, CapacityShare)
            if matches and device.id not in taken and (counts_unusable or may_be_used(device, attempt.problem)):
                yield Breach(f"request {demand.ref.name} asks for all devices and leaves one out", claim.ref, device.id)


def all_sees_no_unfinished_pool(attempt: Attempt) -> Iterator[Breach]:
    """One incomplete or invalid pool of any driver makes "All" impossible on this node."""
    for claim, demand in _demands_for_all(attempt):
        for pool in attempt.problem.pools:
            if pool.state is not PoolState.COMPLETE:
                yield Breach(f"request {demand.ref.name} asks for all, pool {pool.id} is {pool.state}", claim.ref)


def _demands_for_all(attempt: Attempt) -> Iterator[tuple[AllocatedClaim, Demand]]:
    for claim in attempt.claims:
        for demand in claim.chosen().values():
            if demand.wants_all:
                yield claim, demand
