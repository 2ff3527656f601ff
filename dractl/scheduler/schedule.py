"""One scheduling attempt for one pod: held back, refused everywhere, ended by an error, or a node (scheduling.md)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dractl.api.core import Pod
from dractl.api.identities import ClaimRef, DeviceId, PodRef
from dractl.api.resource import AllocationResult, ResourceClaim
from dractl.cluster.state import ClusterState
from dractl.problem.demands import ClaimDemand, alternatives_of, demands_of
from dractl.problem.faults import AllocationFault
from dractl.scheduler.binding import binding_conditions
from dractl.scheduler.devices import Decide, DeviceError, DevicesFound, find_devices
from dractl.scheduler.filters import Filters
from dractl.scheduler.pod_claims import HeldBack, PodClaim, pod_claims, scheduling_gates
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.refusal import Refused
from dractl.scheduler.scores import best_nodes, plugin_scores
from dractl.scheduler.scores.by_devices import prioritized
from dractl.scheduler.texts import NO_NODES, filter_error, none_available, refused_for_all
from dractl.search import first_fit
from dractl.search.effort import STEPS_OF_THE_SCHEDULER
from dractl.solution.outcomes import (
    NodeRejection,
    Placement,
    PodOutcome,
    SearchGaveUp,
    Verdict,
)

CONSUMERS_PER_CLAIM = 256
"""A claim may be reserved for so many consumers; the API server refuses the next one (controllers.md §3)."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """A pod that is being tried: its claims, those of them that have devices already, and what the others ask for."""

    ref: PodRef
    pod: Pod
    claims: tuple[PodClaim, ...]
    allocated: tuple[ClaimRef, ...]
    demands: tuple[ClaimDemand, ...]


def schedule_pod(state: ClusterState, ref: PodRef, decide: Decide = first_fit) -> PodOutcome:
    """Decide one pod in the present state, which is not changed."""
    place = state.cluster.place_of_pod(ref)
    pod = state.pods[ref]
    claims = scheduling_gates(pod) or pod_claims(state, ref)
    if isinstance(claims, HeldBack):
        return PodOutcome(ref, Verdict.WAITING, place, waiting_for=claims.text, held_by=claims.plugin)
    pending = _pending(state, ref, pod, claims)
    nodes = len(state.cluster.nodes)
    if problem := _missing_class(pending):
        return PodOutcome(ref, Verdict.DOES_NOT_FIT, place, message=refused_for_all(nodes, problem))
    if not nodes:
        return PodOutcome(ref, Verdict.DOES_NOT_FIT, place, message=NO_NODES)
    return _try_nodes(state, pending, decide)


def _pending(state: ClusterState, ref: PodRef, pod: Pod, claims: tuple[PodClaim, ...]) -> _Pending:
    refs = list(dict.fromkeys(claim.claim for claim in claims))
    allocated = tuple(claim for claim in refs if state.claims[claim].status.allocation is not None)
    cluster = state.cluster
    demands = tuple(
        demands_of(state.claims[claim], cluster.classes, cluster.features) for claim in refs if claim not in allocated
    )
    return _Pending(ref, pod, claims, allocated, demands)


def _missing_class(pending: _Pending) -> str:
    """A class that does not exist stops the pod, even in an alternative that is not needed (scheduling.md §3.3)."""
    for claim in pending.demands:
        for demand in alternatives_of(claim.requests):
            if demand.device_class is None:
                return f"request {demand.ref.name}: device class {demand.class_name} does not exist"
    return ""


@dataclass(slots=True)
class _Answers:
    """What the nodes say; `exhausting` are those on which the scheduler would run out of time, by devices to try."""

    fitting: list[tuple[str, DevicesFound]] = field(default_factory=list)
    refused: list[tuple[str, Refused]] = field(default_factory=list)
    exhausting: dict[str, int] = field(default_factory=dict)

    def add(self, node: str, answer: DevicesFound | Refused) -> None:
        if answer.tried > STEPS_OF_THE_SCHEDULER:
            self.exhausting[node] = answer.tried
        if isinstance(answer, DevicesFound):
            self.fitting.append((node, answer))
        else:
            self.refused.append((node, answer))

    def rejections(self) -> tuple[NodeRejection, ...]:
        return tuple(NodeRejection(node, refused.reasons) for node, refused in self.refused)


def _try_nodes(state: ClusterState, pending: _Pending, decide: Decide) -> PodOutcome:
    """Ask every node: an error on one of them ends the attempt even where another fits."""
    answers = _Answers()
    filters = Filters(PodInfo(pending.ref, pending.pod), state)
    for name, node in state.nodes.items():
        answer = filters.refuse(node) or find_devices(state, node.node, pending.allocated, pending.demands, decide)
        if isinstance(answer, DeviceError):
            return _aborted(state, pending, answer.fault)
        answers.add(name, answer)
    if not answers.fitting:
        return _nowhere(state, pending, answers)
    if answers.exhausting:
        given_up = _given_up(answers.exhausting, answers.fitting[0][1])
        place = state.cluster.place_of_pod(pending.ref)
        return PodOutcome(pending.ref, Verdict.UNDECIDED, place, uncertain=given_up)
    return _placed(state, pending, answers)


def _nowhere(state: ClusterState, pending: _Pending, answers: _Answers) -> PodOutcome:
    rejections = answers.rejections()
    gave_up = any(isinstance(reason, SearchGaveUp) for each in rejections for reason in each.reasons)
    return PodOutcome(
        pending.ref,
        Verdict.UNDECIDED if gave_up else Verdict.DOES_NOT_FIT,
        state.cluster.place_of_pod(pending.ref),
        rejections=rejections,
        message=none_available(len(state.cluster.nodes), [refused.texts for _, refused in answers.refused]),
        uncertain=_given_up(answers.exhausting),
    )


def _given_up(exhausting: Mapping[str, int], found: DevicesFound | None = None) -> str:
    """What is to be said where the scheduler runs into its time limit, which ends the attempt on all nodes."""
    if not exhausting:
        return ""
    where = ", ".join(f"{node} (over {tried:,} devices to try)" for node, tried in exhausting.items())
    text = f"the scheduler would give up after its 10 s on {where} and try again and again"
    if found is None:
        return text
    devices = [
        str(DeviceId(each.driver, each.pool, each.device))
        for allocation in found.allocations.values()
        for each in allocation.devices.results or ()
    ]
    return f"{text}; with more time it would find {', '.join(devices)}"


def _aborted(state: ClusterState, pending: _Pending, fault: AllocationFault) -> PodOutcome:
    place = state.cluster.place_of_pod(pending.ref)
    message = filter_error(fault.text)
    return PodOutcome(pending.ref, Verdict.DOES_NOT_FIT, place, aborted=fault, message=message, is_error=True)


def _placed(state: ClusterState, pending: _Pending, answers: _Answers) -> PodOutcome:
    """The node with the best score; where several have it, the first by name, and the others are named."""
    place = state.cluster.place_of_pod(pending.ref)
    for claim in pending.claims:
        if full := _has_no_room(state, claim.claim, pending.ref):
            return PodOutcome(pending.ref, Verdict.DOES_NOT_FIT, place, message=full, is_error=True)
    tied = _best(state, pending, answers)
    node, found = next((name, found) for name, found in answers.fitting if name == tied[0])
    waiting = binding_conditions(found.allocations.values())
    return PodOutcome(
        pending.ref,
        Verdict.WAITING if waiting else Verdict.PLACED,
        place,
        placement=Placement(pending.ref, node, dict(found.allocations)),
        rejections=answers.rejections(),
        waiting_for=waiting,
        tied=tuple(tied),
        uncertain=_other_choices(tied),
    )


def _has_no_room(state: ClusterState, claim: ClaimRef, pod: PodRef) -> str:
    reserved = state.claims[claim].status.reservedFor or []
    if len(reserved) < CONSUMERS_PER_CLAIM or any(each.uid == state.uid_of_pod(pod) for each in reserved):
        return ""
    return (
        f'running PreBind plugin "DynamicResources": add reservation to claim {claim}: '
        f"status.reservedFor: Too many: {len(reserved) + 1}: must have at most {CONSUMERS_PER_CLAIM} items"
    )


def _best(state: ClusterState, pending: _Pending, answers: _Answers) -> list[str]:
    """A single node is taken without scoring."""
    nodes = [state.nodes[name] for name, _ in answers.fitting]
    if len(nodes) == 1:
        return [nodes[0].name]
    raw = {name: prioritized(_allocations(state, pending, found)) for name, found in answers.fitting}
    return best_nodes(plugin_scores(PodInfo(pending.ref, pending.pod), nodes, state, raw), nodes)


def _allocations(
    state: ClusterState, pending: _Pending, found: DevicesFound
) -> Iterator[tuple[ResourceClaim, AllocationResult]]:
    """Every claim of the pod with what it has, or would get."""
    for each in pending.claims:
        claim = state.claims[each.claim]
        allocation = found.allocations.get(each.claim, claim.status.allocation)
        if allocation is not None:
            yield claim, allocation


def _other_choices(tied: Sequence[str]) -> str:
    if len(tied) == 1:
        return ""
    return f"{', '.join(tied)} have the same score; which one the scheduler takes is not fixed"
