"""The score of prioritized lists: earlier alternatives are better (scheduling.md §8.5)."""

from collections.abc import Iterable

from dractl.api.resource import AllocationResult, ResourceClaim

ALTERNATIVES: int = 8
"""The largest number of alternatives; the first one counts this much."""


def prioritized(claims: Iterable[tuple[ResourceClaim, AllocationResult]]) -> int:
    """The raw score of a node where the pod's claims have these allocations."""
    return sum(_of_claim(claim, allocation) for claim, allocation in claims)


def _of_claim(claim: ResourceClaim, allocation: AllocationResult) -> int:
    used = {result.request for result in allocation.devices.results or ()}
    return sum(
        ALTERNATIVES - position
        for request in claim.spec.devices.requests or ()
        for position, alternative in enumerate(request.firstAvailable or ())
        if f"{request.name}/{alternative.name}" in used
    )
