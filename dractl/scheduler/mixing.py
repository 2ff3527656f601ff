"""A fault of v1.37.2: members of a group get the devices of their claims in the wrong order (scheduling.md §13)."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from dractl.api.identities import ClaimRef
from dractl.api.resource import AllocationResult
from dractl.solution.outcomes import Placement


def mixed_up(
    placement: Placement, claims: Sequence[ClaimRef], pending: Mapping[ClaimRef, AllocationResult]
) -> Placement:
    """The placement as v1.37.2 carries it out.

    `claims` are those of the pod in its order; of these `pending` have been allocated by earlier members of the group.
    What is found for the others comes first, then what the pending ones have, and all of it is handed out in the order
    of the claims, the one for extended resources last. Example: claims crew (pending, has net-0) and own (gpu-1 is
    found): crew gets gpu-1, own gets net-0.
    """
    new = placement.allocations
    special = [placement.special.ref] if placement.special is not None else []
    order = [claim for claim in (*dict.fromkeys(claims), *special) if claim in new or claim in pending]
    results = [
        *(new[claim] for claim in order if claim in new),
        *(pending[claim] for claim in order if claim in pending),
    ]
    written = dict(zip(order, results, strict=True))
    rewritten = {claim: allocation for claim, allocation in written.items() if claim in pending}
    if all(written[claim] == allocation for claim, allocation in {**new, **pending}.items() if claim in written):
        return replace(placement, rewritten=rewritten)
    changed = {claim: allocation for claim, allocation in written.items() if claim in new}
    return replace(placement, allocations=changed, intended=dict(new), rewritten=rewritten)


def is_mixed_up(placement: Placement | None) -> bool:
    """Whether a claim gets what was found for another one."""
    return placement is not None and bool(placement.intended)
