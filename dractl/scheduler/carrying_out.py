"""What the cluster does once a pod has its node: allocations, reservations, statuses, and the pod on the node."""

from typing import Any

import msgspec

from dractl.api.core import PodExtendedResourceClaimStatus
from dractl.api.identities import ObjectRef, PodRef
from dractl.cluster.state import ClusterState
from dractl.scheduler.hints import ClaimChanged, Event, PodBound
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.solution.outcomes import Placement


def carry_out(state: ClusterState, placement: Placement, *, is_bound: bool) -> list[Event]:
    """Change the state as the cluster would: allocations, reservations, and the pod on its node if it is bound."""
    events: list[Event] = []
    if placement.special is not None:
        state.add_claim(placement.special.claim)
    for claim, allocation in placement.allocations.items():
        state.allocate(claim, allocation)
    for claim, allocation in placement.rewritten.items():
        state.rewrite(claim, allocation)
    claims = pod_claims(state, placement.pod)
    if not isinstance(claims, HeldBack):
        for each in claims:
            state.reserve(each.claim, each.consumer)
            events.append(ClaimChanged(each.claim))
    if placement.special is not None:
        state.reserve(placement.special.ref, ObjectRef("Pod", placement.pod.namespace, placement.pod.name))
        special = PodExtendedResourceClaimStatus(
            requestMappings=list(placement.special.mappings), resourceClaimName=placement.special.ref.name
        )
        _set_status(state, placement.pod, extendedResourceClaimStatus=special)
    if placement.node_allocatable:
        statuses = list(placement.node_allocatable)
        _set_status(state, placement.pod, nodeAllocatableResourceClaimStatuses=statuses)
    if is_bound:
        state.bind(placement.pod, placement.node, placement.extra)
    else:
        state.assume(placement.pod, placement.node, placement.extra)
    return [*events, PodBound(state.pods[placement.pod])]


def _set_status(state: ClusterState, ref: PodRef, **fields: Any) -> None:
    pod = state.pods[ref]
    state.pods[ref] = msgspec.structs.replace(pod, status=msgspec.structs.replace(pod.status, **fields))
