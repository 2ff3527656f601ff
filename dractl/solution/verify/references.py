"""An answer speaks of the claims, requests and devices that are there."""

from collections.abc import Iterator

from dractl.solution.verify.attempt import Attempt, demands_by_name, device_of
from dractl.solution.verify.violations import Breach


def the_allocator_would_search(attempt: Attempt) -> Iterator[Breach]:
    """An error before the search means that there is no allocation at all (dra.md §5)."""
    if attempt.problem.refusal is not None:
        yield Breach(attempt.problem.refusal.text, device=attempt.problem.refusal.device)


def every_claim_has_one_allocation(attempt: Attempt) -> Iterator[Breach]:
    """It is all or nothing over all claims (dra.md §1)."""
    wanted, got = len(attempt.problem.claims), len(attempt.allocations)
    if wanted != got:
        yield Breach(f"{wanted} claims have {got} allocations")


def every_result_names_a_request(attempt: Attempt) -> Iterator[Breach]:
    """A request by its name, an alternative as `parent/alternative` (dra.md §17)."""
    for claim in attempt.claims:
        demands = demands_by_name(claim.demand)
        for result in claim.results:
            if result.request not in demands:
                yield Breach(f'the claim has no request "{result.request}"', claim.ref, device_of(result))


def every_device_is_offered_on_the_node(attempt: Attempt) -> Iterator[Breach]:
    """Devices come from complete pools that the node sees (dra.md §4)."""
    offered = {device.id for device in attempt.problem.devices}
    for claim in attempt.claims:
        for result in claim.results:
            if device_of(result) not in offered:
                node = attempt.problem.node.metadata.name
                yield Breach(f"no complete pool offers the device on node {node}", claim.ref, device_of(result))
