"""Pods are decided one after the other, and again when what they failed for has changed (scheduling.md §2, §15)."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from dractl.api.identities import ClaimRef, PodRef
from dractl.api.pods import is_terminating
from dractl.cluster.state import ClusterState
from dractl.scheduler.carrying_out import carry_out
from dractl.scheduler.devices import Decide
from dractl.scheduler.failing import fail
from dractl.scheduler.gang import try_group
from dractl.scheduler.groups import Group
from dractl.scheduler.hints import ClaimDeallocated, Event, Failure, PodDeleted, may_help
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.scheduler.post_filter import Afterwards
from dractl.scheduler.preemption import priority_of
from dractl.scheduler.schedule import Attempt, schedule_pod
from dractl.solution.node_share import KubeletRefusal
from dractl.solution.outcomes import Placement, PodOutcome, Verdict

ATTEMPTS_WITHOUT_OTHERS: Final = 10
"""A pod that is tried more often, and once more for each other pod, goes round in circles."""

_SOME_UNNOTICED: Final = (
    "not every pod that is deleted for it makes the scheduler try it again, and the last one decides: "
    "it may have to wait for five minutes"
)
_ALL_UNNOTICED: Final = (
    "no pod that is deleted for it makes the scheduler try it again: it gets its node after five minutes, if it is "
    "still free"
)

Weigh = Callable[[ClusterState, PodRef, Attempt], Attempt]
"""Looks at an attempt before it counts, for instance whether it rests on a choice that is not fixed."""

Arrive = Callable[[ClusterState, PodOutcome], PodOutcome]
"""What becomes of a pod that was bound: its node may refuse it."""


def _stays(_: ClusterState, outcome: PodOutcome) -> PodOutcome:
    return outcome


class Run:
    """Decides pods in queue order and changes the state as the cluster would.

    `outcomes` are by pod, in the order in which each was decided first, `placed` those that got a node, in that order;
    `preempted` are pods that were deleted, with the pod that they made room for, and `rooms` the pods for which that
    might as well have happened on other nodes, with all of them. `deallocated` are claims that lost their devices,
    `failed` are pods that their nodes refused, with what they had. `preferred` names the node to take where several are
    equally good for a pod.
    """

    def __init__(
        self,
        state: ClusterState,
        decide: Decide,
        weigh: Weigh,
        arrive: Arrive = _stays,
        preferred: Mapping[PodRef, str] = MappingProxyType({}),
    ) -> None:
        self.state: Final = state
        self._preferred: Final = preferred
        self.outcomes: Final[dict[PodRef, PodOutcome]] = {}
        self.placed: Final[dict[PodRef, None]] = {}
        self.preempted: Final[dict[PodRef, PodRef]] = {}
        self.rooms: Final[dict[PodRef, tuple[str, ...]]] = {}
        self.deallocated: Final[list[ClaimRef]] = []
        self.failed: Final[dict[PodRef, Placement]] = {}
        self._decide: Final = decide
        self._weigh: Final = weigh
        self._arrive: Final = arrive
        self._most_attempts: Final = ATTEMPTS_WITHOUT_OTHERS + len(state.cluster.pods_to_plan())
        self._attempts: Final[dict[PodRef, int]] = {}
        self._last_attempt: Final[dict[PodRef, int]] = {}
        self._failures: Final[dict[PodRef, Failure]] = {}
        self._doubts: Final[dict[PodRef, str]] = {}
        self._again: Final[set[PodRef]] = set()

    def decide(self, ref: PodRef) -> None:
        """Try one pod. What the attempt changes may make this and other pods worth trying again: `next_to_retry`."""
        attempt = self._attempt(ref)
        self._note(attempt.outcome)
        if attempt.outcome.placement is not None:
            self._place(self.outcomes[ref], attempt.outcome.placement)
            if ref in self.state.decided:
                # Members of a group do not stay in flight, so this is not done for them.
                self.state.keep_in_flight(ref, attempt.outcome.placement.allocations.values())
        elif attempt.outcome.verdict is Verdict.DOES_NOT_FIT:
            self._failures[ref] = self._failure(ref, attempt)
        if attempt.afterwards is not None:
            self._happen(self._carry_out(ref, attempt.afterwards))
            self._note(self.outcomes[ref])
        for claim, allocation in attempt.left_behind.items():
            self.state.allocate(claim, allocation)

    def _note(self, outcome: PodOutcome) -> None:
        """The outcome so far, with what is not fixed about it."""
        doubt = outcome.uncertain or self._doubts.get(outcome.pod, "")
        self.outcomes[outcome.pod] = replace(outcome, uncertain=doubt)

    def decide_group(self, group: Group) -> None:
        """Decide the members of a group together; those that are left out are tried again as long as others get nodes.

        Nothing that happens later makes a member try again.
        """
        left = group.members
        while left:
            attempt = try_group(self.state, replace(group, members=left), self._decide, self._preferred)
            for ref, outcome in attempt.outcomes.items():
                self.outcomes[ref] = outcome
                self._count(ref)
                if outcome.placement is not None:
                    self._place(outcome, outcome.placement)
            if attempt.preemption is not None:
                for ref, node in attempt.preemption.nominated.items():
                    self._nominate(ref, node)
                    self._await(ref, attempt.preemption.victims)
                self.rooms.update(attempt.preemption.tied)
                self._happen(self._delete(attempt.preemption.victims, group.members[0]))
                return
            left = tuple(ref for ref in left if attempt.outcomes[ref].verdict is Verdict.DOES_NOT_FIT)
            if len(left) == len(attempt.outcomes):
                return

    def next_to_retry(self) -> PodRef | None:
        """A pod that failed before something happened that may help it.

        That with the fewest attempts, as each doubles the time that a pod has to wait for the next one; of those the
        one with the highest priority, then the one that was tried longest ago.
        """
        return min(self._again, key=self._turn, default=None)

    def _turn(self, ref: PodRef) -> tuple[int, int, int]:
        return self._attempts[ref], -priority_of(self.state.pods[ref]), self._last_attempt[ref]

    def _attempt(self, ref: PodRef) -> Attempt:
        self._again.discard(ref)
        self._failures.pop(ref, None)
        self._count(ref)
        return self._weigh(self.state, ref, schedule_pod(self.state, ref, self._decide, self._preferred.get(ref, "")))

    def _place(self, outcome: PodOutcome, placement: Placement) -> None:
        """Carry the placement out. A pod that its node refuses was bound first, and has failed then."""
        is_bound = outcome.verdict is Verdict.PLACED
        self.placed[outcome.pod] = None
        self._happen(carry_out(self.state, placement, is_bound=is_bound))
        if not is_bound:
            return
        self.arrived(self._arrive(self.state, outcome), placement)

    def arrived(self, outcome: PodOutcome, placement: Placement | None = None) -> None:
        """Note what became of a pod that came to a node; `placement` is what the scheduler gave it, if it did."""
        self.outcomes[outcome.pod] = outcome
        if isinstance(outcome.refusal, KubeletRefusal):
            placement = placement or Placement(outcome.pod, outcome.refusal.node)
            events, freed = fail(self.state, placement, outcome.refusal.reason, outcome.message)
            self.failed[outcome.pod] = placement
            self.deallocated.extend(claim for claim in freed if claim in self.state.cluster.claims)
            self._happen(events)

    def _count(self, ref: PodRef) -> None:
        self._attempts[ref] = self._attempts.get(ref, 0) + 1
        self._last_attempt[ref] = sum(self._attempts.values())

    def _failure(self, ref: PodRef, attempt: Attempt) -> Failure:
        claims = pod_claims(self.state, ref)
        named = () if isinstance(claims, HeldBack) else tuple(each.claim for each in claims)
        return Failure(self.state.pods[ref], attempt.refused_by, named)

    def _carry_out(self, ref: PodRef, then: Afterwards) -> list[Event]:
        if then.preemption.is_tried:
            self._nominate(ref, then.preemption.node)
        if len(then.preemption.tied) > 1:
            self.rooms[ref] = then.preemption.tied
        self._await(ref, then.preemption.victims)
        events = self._delete(then.preemption.victims, ref)
        failure = self._failures.get(ref)
        if failure is not None and not all(may_help(event, failure) for event in events):
            is_noticed = any(may_help(event, failure) for event in events)
            self._doubts[ref] = _SOME_UNNOTICED if is_noticed else _ALL_UNNOTICED
        if len(then.stuck) > 1:
            self._doubts[ref] = f"which of its claims {', '.join(map(str, then.stuck))} is given up is not fixed"
        if then.deallocated is not None:
            self.state.deallocate(then.deallocated)
            self.deallocated.append(then.deallocated)
            events.append(ClaimDeallocated())
        return events

    def _nominate(self, ref: PodRef, node: str) -> None:
        """The pod may start where others are deleted for it, if any are; pods of lower priority lose that place."""
        nominated = self.state.nominated
        nominated.pop(ref, None)
        if not node:
            return
        priority = priority_of(self.state.pods[ref])
        for other, its_node in list(nominated.items()):
            if its_node == node and priority_of(self.state.pods[other]) < priority:
                del nominated[other]
        nominated[ref] = node

    def _await(self, ref: PodRef, victims: Iterable[PodRef]) -> None:
        """Victims that are being deleted already still have their room; when they are gone is not known."""
        going = tuple(victim for victim in victims if is_terminating(self.state.pods[victim]))
        self.outcomes[ref] = replace(self.outcomes[ref], awaits=going)

    def _delete(self, victims: Iterable[PodRef], preemptor: PodRef) -> list[Event]:
        """Delete pods that are not being deleted yet; those of the plan do not run in the end."""
        events: list[Event] = []
        for victim in victims:
            if is_terminating(self.state.pods[victim]):
                continue
            events.append(PodDeleted(self.state.pods[victim]))
            self.state.delete(victim)
            self.preempted[victim] = preemptor
            self._again.discard(victim)
            if victim in self.outcomes:
                place = self.outcomes[victim].place
                self.outcomes[victim] = PodOutcome(victim, Verdict.DOES_NOT_FIT, place, preempted_by=preemptor)
        return events

    def _happen(self, events: Iterable[Event]) -> None:
        """Take up again the pods that an event may help."""
        for event in events:
            self._again.update(
                ref
                for ref, failure in self._failures.items()
                if self._attempts[ref] < self._most_attempts and may_help(event, failure)
            )
