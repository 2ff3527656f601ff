"""What the cluster does when a pod fails on its node: it holds nothing there any more, and lets go of its claims."""

import msgspec

from dractl.api.identities import ClaimRef
from dractl.cluster.state import ClusterState
from dractl.scheduler.hints import ClaimChanged, ClaimDeallocated, Event, PodDeleted
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.solution.outcomes import Placement


def fail(state: ClusterState, placement: Placement, reason: str, message: str) -> tuple[list[Event], list[ClaimRef]]:
    """Let a bound pod fail; its claims lose their devices when nobody else reserves them (controllers.md §3).

    The claims that lost their devices come second.
    """
    ref = placement.pod
    pod = state.pods[ref]
    status = msgspec.structs.replace(pod.status, phase="Failed", reason=reason, message=message)
    state.pods[ref] = msgspec.structs.replace(pod, status=status)
    state.nodes[placement.node].remove(ref)
    events: list[Event] = [PodDeleted(pod)]
    freed = []
    for claim in _claims(state, placement):
        state.release(claim, ref)
        if state.claims[claim].status.allocation is None or state.claims[claim].status.reservedFor:
            events.append(ClaimChanged(claim))
        else:
            state.deallocate(claim)
            freed.append(claim)
            events.append(ClaimDeallocated())
    return events, freed


def _claims(state: ClusterState, placement: Placement) -> list[ClaimRef]:
    found = pod_claims(state, placement.pod)
    named = [] if isinstance(found, HeldBack) else [each.claim for each in found]
    own = [placement.special.ref] if placement.special is not None else []
    return list(dict.fromkeys([*named, *own]))
