"""The cycle of a group: members are tried one by one on a snapshot; enough get nodes, or none (scheduling.md §13)."""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from dractl.api.identities import ClaimRef, PodRef
from dractl.api.pods import is_terminal
from dractl.api.resource import AllocationResult
from dractl.cluster.scheduler_faults import SchedulerFault
from dractl.cluster.state import ClusterState
from dractl.scheduler.carrying_out import carry_out
from dractl.scheduler.devices import Decide
from dractl.scheduler.group_preemption import Dry, GroupPreemption, preempt_for_group
from dractl.scheduler.groups import CLAIM_OF_GROUP, CLAIMS_OF_MEMBERS, Group, member_conflict, not_satisfied, too_few
from dractl.scheduler.mixing import is_mixed_up, mixed_up
from dractl.scheduler.pod_claims import GATES_PLUGIN, HeldBack, group_ref, pod_claims
from dractl.scheduler.schedule import held, schedule_pod
from dractl.solution.outcomes import ClaimElsewhere, GroupUnmet, PodOutcome, Verdict


class GroupAttempt(Struct, frozen=True):
    """What becomes of each member, and what preemption comes to if no further member gets a node."""

    outcomes: Mapping[PodRef, PodOutcome]
    preemption: GroupPreemption | None = None


def try_group(
    state: ClusterState, group: Group, decide: Decide, preferred: Mapping[PodRef, str] = MappingProxyType({})
) -> GroupAttempt:
    """Decide the members together; the state is not changed.

    `preferred` names the node to take where several have a member's best score.
    """
    outcomes = stopped(state, group)
    if outcomes is not None:
        return GroupAttempt(outcomes)
    trial = _tried(state, group, decide, preferred)
    if trial.fits:
        return GroupAttempt(trial.as_written())
    preemption = preempt_for_group(state, group, lambda changed: _tried(changed, group, decide, preferred).dry)
    return GroupAttempt({ref: trial.without_node(ref, preemption) for ref in group.members}, preemption)


def stopped(state: ClusterState, group: Group) -> dict[PodRef, PodOutcome] | None:
    """What keeps the group from being tried at all."""
    held_back = {ref: found for ref in group.members if (found := held(state, ref)) is not None}
    missing = too_few(group, running(state, group))
    if missing is not None:
        return {ref: _held(state, ref, _more_telling(held_back.get(ref), missing)) for ref in group.members}
    if held_back:
        return {ref: _waiting(state, ref, held_back) for ref in group.members}
    if conflict := member_conflict(group, [state.pods[ref] for ref in group.members]):
        return {ref: _failed(state, ref, conflict, is_error=True) for ref in group.members}
    return None


def _tried(state: ClusterState, group: Group, decide: Decide, preferred: Mapping[PodRef, str]) -> "_Trial":
    trial = _Trial(state.snapshot(), group, running(state, group))
    for ref in group.members:
        if not trial.try_member(ref, decide, preferred.get(ref, "")):
            break
    return trial


def running(state: ClusterState, group: Group) -> int:
    """Members that have a node already, those included that wait for their devices there."""
    return sum(
        (bool(pod.spec.nodeName) or ref in state.decided)
        and not is_terminal(pod)
        and group_ref(state.cluster, pod) == group.ref
        for ref, pod in state.pods.items()
    )


class _Trial(Struct):
    """The members tried so far; `running` are those that had a node before.

    `pending` are claims that members allocate.
    """

    snapshot: ClusterState
    group: Group
    running: int
    tried: dict[PodRef, PodOutcome] = field(default_factory=dict)
    pending: dict[ClaimRef, AllocationResult] = field(default_factory=dict)

    @property
    def scheduled(self) -> int:
        return self.running + sum(outcome.placement is not None for outcome in self.tried.values())

    @property
    def remaining(self) -> int:
        return len(self.group.members) - len(self.tried)

    def try_member(self, ref: PodRef, decide: Decide, preferred: str) -> bool:
        """Whether enough members can still find a node."""
        outcome = schedule_pod(self.snapshot, ref, decide, preferred).outcome
        if outcome.placement is not None:
            placement = mixed_up(outcome.placement, self._claims(ref), self.pending)
            outcome = replace(outcome, placement=placement)
            in_the_trial = replace(placement, rewritten={})
            carry_out(self.snapshot, in_the_trial, is_bound=outcome.verdict is Verdict.PLACED)
            self.pending |= placement.allocations
        self.tried[ref] = outcome
        return self.scheduled + self.remaining >= self.group.min_count

    @property
    def nodes(self) -> dict[PodRef, str]:
        """The members that find a node."""
        return {ref: each.placement.node for ref, each in self.tried.items() if each.placement is not None}

    @property
    def fits(self) -> bool:
        """Whether enough members have a node, and a further one among them."""
        return bool(self.nodes) and self.scheduled >= self.group.min_count

    @property
    def dry(self) -> Dry:
        """The trial as preemption wants to know it."""
        tied = {ref: each.tied for ref, each in self.tried.items() if len(each.tied) > 1}
        return Dry(self.snapshot, self.fits, self.nodes, tied, self.scheduled, self.remaining)

    def _claims(self, ref: PodRef) -> list[ClaimRef]:
        claims = pod_claims(self.snapshot, ref)
        return [] if isinstance(claims, HeldBack) else [each.claim for each in claims]

    def as_written(self) -> dict[PodRef, PodOutcome]:
        """Members whose claims are mixed up say so, and so do the others, as all of them write at the same time."""
        mixed = [str(ref) for ref, outcome in self.tried.items() if is_mixed_up(outcome.placement)]
        if not mixed:
            return {ref: _without_rewriting(outcome) for ref, outcome in self.tried.items()}
        text = (
            f"the pods of {self.group.ref.name} write its claims at the same time, and what {', '.join(mixed)} "
            "writes is mixed up: what stands there in the end is not fixed"
        )
        return {ref: _marked(outcome, text) for ref, outcome in self.tried.items()}

    def without_node(self, ref: PodRef, preemption: GroupPreemption) -> PodOutcome:
        """The outcome of a member when nobody gets a node: one that failed itself keeps its own reasons."""
        unmet = GroupUnmet(self.group.ref, self.group.min_count, self.scheduled, self.nodes.get(ref, ""))
        outcome = self.tried.get(ref)
        if outcome is None:
            outcome = _failed(self.snapshot, ref, not_satisfied(self.group, self.scheduled, self.remaining))
        elif outcome.placement is not None:
            outcome = _failed(self.snapshot, ref, self._unschedulable(preemption))
        return replace(outcome, group_unmet=unmet if self.scheduled < self.group.min_count else None)

    def _unschedulable(self, preemption: GroupPreemption) -> str:
        """What members read that had a node."""
        text = not_satisfied(self.group, self.scheduled, self.remaining)
        if preemption.nominated:
            return f"{text}, pod group preemption: {preemption.text}"
        given_up = ""
        if preemption.looked_further:
            given_up = f"{CLAIM_OF_GROUP if self._misses_a_claim else CLAIMS_OF_MEMBERS}, "
        return f"pod group is unschedulable, {text}, {given_up}pod group preemption: {preemption.text}"

    @property
    def _misses_a_claim(self) -> bool:
        """Whether a claim with devices could not be used on some node."""
        rejections = [each for outcome in self.tried.values() for each in outcome.rejections]
        return any(isinstance(reason, ClaimElsewhere) for each in rejections for reason in each.reasons)


def _without_rewriting(outcome: PodOutcome) -> PodOutcome:
    placement = outcome.placement
    return outcome if placement is None else replace(outcome, placement=replace(placement, rewritten={}))


def _marked(outcome: PodOutcome, text: str) -> PodOutcome:
    if outcome.placement is None:
        return outcome
    faults = (SchedulerFault.MIXED_UP_GROUP_CLAIMS,) if is_mixed_up(outcome.placement) else ()
    return replace(outcome, faults=faults, uncertain="; ".join(filter(None, (outcome.uncertain, text))))


def _more_telling(held_back: HeldBack | None, missing: HeldBack) -> HeldBack:
    """What is said of a member whose group lacks pods: what its claims lack comes first, scheduling gates come last."""
    return missing if held_back is None or held_back.plugin == GATES_PLUGIN else held_back


def _waiting(state: ClusterState, ref: PodRef, held_back: Mapping[PodRef, HeldBack]) -> PodOutcome:
    """One member that is held back holds back the whole group."""
    if ref in held_back:
        return _held(state, ref, held_back[ref])
    others = ", ".join(str(other) for other in held_back)
    place = state.cluster.place_of_pod(ref)
    return PodOutcome(ref, Verdict.WAITING, place, waiting_for=f"{others} of its group, which is held back")


def _held(state: ClusterState, ref: PodRef, held: HeldBack) -> PodOutcome:
    place = state.cluster.place_of_pod(ref)
    return PodOutcome(ref, Verdict.WAITING, place, waiting_for=held.text, held_by=held.plugin)


def _failed(state: ClusterState, ref: PodRef, message: str, *, is_error: bool = False) -> PodOutcome:
    place = state.cluster.place_of_pod(ref)
    return PodOutcome(ref, Verdict.DOES_NOT_FIT, place, message=message, is_error=is_error)
