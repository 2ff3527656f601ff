"""What nodes have answered to equal claims: good as long as nothing has changed in the pools that they see.

Most pods of a plan are alike, and each that is placed changes one node. So nearly every question has been asked before.
Errors, which name claims, and allocations with share ids, which are made of the claim's name, are asked for afresh.
"""

from collections.abc import Sequence

from msgspec import Struct

from dractl.api.codec import fingerprint
from dractl.api.core import Node
from dractl.api.identities import ClaimRef
from dractl.api.resource import AllocationResult, ResourceClaim
from dractl.cluster.state import ClusterState
from dractl.problem.demands import ClaimDemand
from dractl.scheduler.devices import Decide, DeviceError, DevicesFound, find_devices
from dractl.scheduler.refusal import Refused
from dractl.solution.outcomes import ClaimsDoNotFit
from dractl.solution.picks import Tries

Signature = tuple[bytes, ...]
"""What the claims of a pod ask for, in their order."""


class _Known(Struct, frozen=True):
    """An answer for one set of versions of the node's pools; the allocations are in the order of the claims."""

    versions: tuple[int, ...]
    found: tuple[AllocationResult, ...] | None
    tries: Tries


def signature_of(claims: Sequence[ResourceClaim]) -> Signature:
    """Equal for claims that ask for the same."""
    return tuple(fingerprint(claim.spec) for claim in claims)


def ask(
    state: ClusterState, node: Node, signature: Signature, demands: Sequence[ClaimDemand], decide: Decide
) -> DevicesFound | Refused | DeviceError:
    """What the node can give to claims that have no devices yet; `signature` is theirs."""
    if not demands:
        return DevicesFound({})
    key = (node.metadata.name, signature, decide)
    versions = state.versions_of(node)
    known = state.answers.get(key)
    if isinstance(known, _Known) and known.versions == versions:
        return _told(known, tuple(demand.ref for demand in demands))
    answer = find_devices(state, node, demands, decide)
    if (worth_knowing := _known(versions, demands, answer)) is not None:
        state.answers[key] = worth_knowing
    return answer


def _told(known: _Known, claims: tuple[ClaimRef, ...]) -> DevicesFound | Refused:
    if known.found is None:
        return Refused.for_lack_of_devices(claims, known.tries)
    return DevicesFound(dict(zip(claims, known.found, strict=True)), known.tries)


def _known(
    versions: tuple[int, ...], demands: Sequence[ClaimDemand], answer: DevicesFound | Refused | DeviceError
) -> _Known | None:
    if isinstance(answer, DevicesFound):
        found = tuple(answer.allocations[demand.ref] for demand in demands)
        return None if any(map(_has_shares, found)) else _Known(versions, found, answer.tries)
    if isinstance(answer, Refused) and all(isinstance(reason, ClaimsDoNotFit) for reason in answer.reasons):
        return _Known(versions, None, answer.tries)
    return None


def _has_shares(allocation: AllocationResult) -> bool:
    return any(result.shareID is not None for result in allocation.devices.results or ())
