"""A device that is not shareable belongs to one claim (dra.md §3, §8, §11.1)."""

from collections.abc import Iterator

from dractl.api.identities import DeviceId
from dractl.cluster.upstream import UpstreamFault
from dractl.solution.verify.attempt import Attempt, Take
from dractl.solution.verify.violations import Breach


def held_devices_stay_with_their_holders(attempt: Attempt) -> Iterator[Breach]:
    """What a claim holds exclusively goes to admin access only, even if its slice now allows sharing."""
    held = attempt.problem.usage.exclusive
    for take in attempt.takes():
        if take.id in held and not take.demand.admin_access:
            holders = ", ".join(str(holder) for holder in held[take.id])
            yield Breach(f"the device is held by {holders}", take.claim, take.id)


def each_device_is_taken_once(attempt: Attempt) -> Iterator[Breach]:
    """A normal request comes before everybody else; admin access only has to be the first of its own claim.

    So admin access may follow a normal request of another claim, but not the other way round. By the documented rules
    the order does not matter: a normal request has to be the only one of its kind (dra.md §18).
    """
    admin_blocks = UpstreamFault.ADMIN_BLOCKS_LATER in attempt.problem.features.faults
    earlier: dict[DeviceId, list[Take]] = {}
    for take in attempt.takes():
        if take.is_share:
            continue
        before = earlier.setdefault(take.id, [])
        in_the_way = [
            other
            for other in before
            if other.claim == take.claim
            or (not take.demand.admin_access and (admin_blocks or not other.demand.admin_access))
        ]
        if in_the_way:
            yield Breach(f"the device was taken before by {in_the_way[0].claim}", take.claim, take.id)
        before.append(take)


def no_request_shares_with_itself(attempt: Attempt) -> Iterator[Breach]:
    """A request never gets two shares of one device, because it only moves forward in the device order."""
    for claim in attempt.claims:
        seen: set[tuple[str, DeviceId]] = set()
        for take in claim.takes:
            key = (take.demand.ref.request, take.id)
            if key in seen:
                yield Breach(f"request {take.demand.ref.name} gets the device twice", claim.ref, take.id)
            seen.add(key)
