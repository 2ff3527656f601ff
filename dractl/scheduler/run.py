"""Pods are decided one after the other, and again when what they failed for has changed (scheduling.md §2, §15)."""

from collections.abc import Callable
from typing import Final

import msgspec

from dractl.api.core import Pod, PodExtendedResourceClaimStatus
from dractl.api.identities import ClaimRef, PodRef
from dractl.cluster.state import ClusterState
from dractl.scheduler.devices import Decide
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
        self._changes = 0
        self._changes_seen: Final[dict[PodRef, int]] = {}

    def decide(self, ref: PodRef) -> PodOutcome:
        """Decide one pod, and again while its own attempts change what they failed for."""
        while True:
            self._attempts[ref] = self._attempts.get(ref, 0) + 1
            attempt = self._weigh(self.state, ref, schedule_pod(self.state, ref, self._decide))
            self.outcomes[ref] = attempt.outcome
            if attempt.outcome.placement is not None:
                is_bound = attempt.outcome.verdict is Verdict.PLACED
                carry_out(self.state, attempt.outcome.placement, is_bound=is_bound)
            then = attempt.afterwards
            self._changes_seen[ref] = self._changes
            if then is None or not self._carry_out(then) or self._attempts[ref] >= ATTEMPTS_PER_POD:
                return attempt.outcome

    def to_retry(self) -> list[PodRef]:
        """Pods that failed before something changed that may have kept them, in queue order."""
        failed = [
            ref
            for ref, outcome in self.outcomes.items()
            if outcome.verdict is Verdict.DOES_NOT_FIT
            and self._changes_seen.get(ref, 0) < self._changes
            and self._attempts[ref] < ATTEMPTS_PER_POD
        ]
        return in_queue_order(self.state.cluster, failed)

    def _carry_out(self, then: Afterwards) -> bool:
        """Whether anything changes."""
        for victim in then.preemption.victims:
            self.state.delete(victim)
            self.preempted.append(victim)
        if then.deallocated is not None:
            self.state.deallocate(then.deallocated)
            self.deallocated.append(then.deallocated)
        is_change = bool(then.preemption.victims) or then.deallocated is not None
        self._changes += is_change
        return is_change


def carry_out(state: ClusterState, placement: Placement, *, is_bound: bool) -> None:
    """Change the state as the cluster would: allocations, reservations, and the pod on its node if it is bound."""
    if placement.special is not None:
        state.add_claim(placement.special.claim)
    for claim, allocation in placement.allocations.items():
        state.allocate(claim, allocation)
    claims = pod_claims(state, placement.pod)
    if not isinstance(claims, HeldBack):
        for each in claims:
            state.reserve(each.claim, placement.pod)
    if placement.special is not None:
        state.reserve(placement.special.ref, placement.pod)
        state.pods[placement.pod] = _with_special(state.pods[placement.pod], placement)
    if is_bound:
        state.bind(placement.pod, placement.node)
    else:
        state.assume(placement.pod, placement.node)


def _with_special(pod: Pod, placement: Placement) -> Pod:
    special = placement.special
    if special is None:
        return pod
    status = PodExtendedResourceClaimStatus(requestMappings=list(special.mappings), resourceClaimName=special.ref.name)
    return msgspec.structs.replace(pod, status=msgspec.structs.replace(pod.status, extendedResourceClaimStatus=status))
