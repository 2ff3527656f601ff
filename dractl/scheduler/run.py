"""Pods are decided one after the other, and again when what they failed for has changed (scheduling.md §2, §15)."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from dractl.api.core import PodExtendedResourceClaimStatus
from dractl.api.identities import ClaimRef, PodRef
from dractl.cluster.state import ClusterState
from dractl.scheduler.devices import Decide
from dractl.scheduler.hints import ClaimChanged, ClaimDeallocated, Event, Failure, PodBound, PodDeleted, may_help
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.scheduler.post_filter import Afterwards
from dractl.scheduler.queue import in_queue_order
from dractl.scheduler.schedule import Attempt, schedule_pod
from dractl.solution.outcomes import Placement, PodOutcome, Verdict

ATTEMPTS_PER_POD: Final = 10
"""A pod that is tried more often goes round in circles."""

Weigh = Callable[[ClusterState, PodRef, Attempt], Attempt]
"""Looks at an attempt before it counts, for instance whether it rests on a choice that is not fixed."""


class Run:
    """Decides pods in queue order and changes the state as the cluster would.

    `outcomes` are by pod, in the order in which each was decided first; `preempted` are running pods that were deleted,
    `deallocated` are claims that lost their devices.
    """

    def __init__(self, state: ClusterState, decide: Decide, weigh: Weigh) -> None:
        self.state: Final = state
        self.outcomes: Final[dict[PodRef, PodOutcome]] = {}
        self.preempted: Final[list[PodRef]] = []
        self.deallocated: Final[list[ClaimRef]] = []
        self._decide: Final = decide
        self._weigh: Final = weigh
        self._attempts: Final[dict[PodRef, int]] = {}
        self._failures: Final[dict[PodRef, Failure]] = {}
        self._again: Final[set[PodRef]] = set()

    def decide(self, ref: PodRef) -> PodOutcome:
        """Decide one pod, and again while its own attempts change what they failed for."""
        while True:
            attempt = self._attempt(ref)
            self.outcomes[ref] = attempt.outcome
            if attempt.outcome.placement is not None:
                is_bound = attempt.outcome.verdict is Verdict.PLACED
                self._happen(carry_out(self.state, attempt.outcome.placement, is_bound=is_bound))
            elif attempt.outcome.verdict is Verdict.DOES_NOT_FIT:
                self._failures[ref] = self._failure(ref, attempt)
            if attempt.afterwards is not None:
                self._happen(self._carry_out(attempt.afterwards))
            if ref not in self._again:
                return attempt.outcome

    def to_retry(self) -> list[PodRef]:
        """Pods that failed before something happened that may help them, in queue order."""
        return in_queue_order(self.state.cluster, list(self._again))

    def _attempt(self, ref: PodRef) -> Attempt:
        self._again.discard(ref)
        self._failures.pop(ref, None)
        self._attempts[ref] = self._attempts.get(ref, 0) + 1
        return self._weigh(self.state, ref, schedule_pod(self.state, ref, self._decide))

    def _failure(self, ref: PodRef, attempt: Attempt) -> Failure:
        claims = pod_claims(self.state, ref)
        named = () if isinstance(claims, HeldBack) else tuple(each.claim for each in claims)
        return Failure(self.state.pods[ref], attempt.refused_by, named)

    def _carry_out(self, then: Afterwards) -> list[Event]:
        events: list[Event] = []
        for victim in then.preemption.victims:
            self.state.delete(victim)
            self.preempted.append(victim)
            events.append(PodDeleted())
        if then.deallocated is not None:
            self.state.deallocate(then.deallocated)
            self.deallocated.append(then.deallocated)
            events.append(ClaimDeallocated())
        return events

    def _happen(self, events: Iterable[Event]) -> None:
        """Take up again the pods that an event may help."""
        for event in events:
            self._again.update(
                ref
                for ref, failure in self._failures.items()
                if self._attempts[ref] < ATTEMPTS_PER_POD and may_help(event, failure, self.state)
            )


def carry_out(state: ClusterState, placement: Placement, *, is_bound: bool) -> list[Event]:
    """Change the state as the cluster would: allocations, reservations, and the pod on its node if it is bound."""
    events: list[Event] = []
    if placement.special is not None:
        state.add_claim(placement.special.claim)
    for claim, allocation in placement.allocations.items():
        state.allocate(claim, allocation)
        events.append(ClaimChanged(claim))
    claims = pod_claims(state, placement.pod)
    if not isinstance(claims, HeldBack):
        for each in claims:
            state.reserve(each.claim, placement.pod)
    if placement.special is not None:
        state.reserve(placement.special.ref, placement.pod)
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
