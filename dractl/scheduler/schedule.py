"""One scheduling attempt for one pod: held back, refused everywhere, ended by an error, or a node (scheduling.md)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from dractl.api.identities import ClaimRef, DeviceId, PodRef
from dractl.api.resource import AllocationResult
from dractl.cluster.cluster import Cluster
from dractl.cluster.scheduler_faults import SchedulerFault
from dractl.cluster.state import ClusterState
from dractl.problem.faults import AllocationFault
from dractl.scheduler.alike import alike_nodes
from dractl.scheduler.binding import binding_wait
from dractl.scheduler.choosing import best
from dractl.scheduler.cycle import Cycle, Fit
from dractl.scheduler.devices import Decide, DeviceError
from dractl.scheduler.groups import without_group
from dractl.scheduler.node_allocatable import beyond_pod_level
from dractl.scheduler.pod_claims import HeldBack, PodClaim, group_ref, pod_claims, scheduling_gates
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.post_filter import Afterwards, afterwards
from dractl.scheduler.refusal import Plugin, Refused
from dractl.scheduler.texts import NO_NODES, available, filter_error, refused_for_all
from dractl.search import first_fit
from dractl.search.effort import SECONDS_OF_THE_STEPS, STEPS_OF_THE_SCHEDULER
from dractl.solution.outcomes import NodeRejection, Placement, PodOutcome, SearchGaveUp, Verdict
from dractl.solution.picks import Tries

FILTER_TIMEOUT_GATE: Final = "DRASchedulerFilterTimeout"
CONSUMERS_PER_CLAIM: Final = 256
"""A claim may be reserved for so many consumers; the API server refuses the next one (controllers.md §3)."""


_MILLION: Final = 10**6
_BILLION: Final = 10**9
_NAMED: Final = 4


class Attempt(Struct, frozen=True):
    """What becomes of the pod, which plugins refused nodes, and what the scheduler does besides if no node fits.

    `left_behind` are allocations that were written before the attempt failed, and stay.
    """

    outcome: PodOutcome
    afterwards: Afterwards | None = None
    refused_by: frozenset[Plugin] = frozenset()
    left_behind: Mapping[ClaimRef, AllocationResult] = field(default_factory=dict)


def schedule_pod(state: ClusterState, ref: PodRef, decide: Decide = first_fit, preferred: str = "") -> Attempt:
    """Decide one pod in the present state, which is not changed.

    Of several nodes with the best score it takes the preferred one, or else the first by name.
    """
    place = state.cluster.place_of_pod(ref)
    cycle = cycle_of(state, ref, decide, preferred)
    if isinstance(cycle, HeldBack):
        return Attempt(PodOutcome(ref, Verdict.WAITING, place, waiting_for=cycle.text, held_by=cycle.plugin))
    if not state.nodes:
        return Attempt(PodOutcome(ref, Verdict.DOES_NOT_FIT, place, message=NO_NODES))
    if (refused := cycle.refused_before_nodes()) is not None:
        then = afterwards(cycle, {})
        message = f"{refused_for_all(len(state.nodes), *refused.texts)} {then.text}".rstrip()
        outcome = PodOutcome(ref, Verdict.DOES_NOT_FIT, place, message=message)
        return Attempt(outcome, then, frozenset((refused.plugin,)))
    return _try_nodes(cycle)


def cycle_of(state: ClusterState, ref: PodRef, decide: Decide, preferred: str = "") -> Cycle | HeldBack:
    """The pod as it would be tried in the present state, or what keeps it from being tried."""
    pod = state.pods[ref]
    claims = _claims(state, ref)
    if isinstance(claims, HeldBack):
        return claims
    is_in_group = group_ref(state.cluster, pod) is not None
    return Cycle(state, PodInfo(ref, pod), claims, decide, is_in_group, preferred)


def held(state: ClusterState, ref: PodRef) -> HeldBack | None:
    """What keeps the pod from being tried at all, if anything."""
    claims = _claims(state, ref)
    return claims if isinstance(claims, HeldBack) else None


def _claims(state: ClusterState, ref: PodRef) -> tuple[PodClaim, ...] | HeldBack:
    pod = state.pods[ref]
    claims = pod_claims(state, ref)
    if isinstance(claims, HeldBack):
        return claims
    return without_group(state.cluster, pod) or scheduling_gates(pod) or claims


class _Answers(Struct):
    """What the nodes say; `exhausting` are those on which the scheduler may run out of time, by devices to try.

    `limit` is how many devices it tries on a node before it gives up, None if it never does. `alike` are the nodes that
    fit, by the first of those that nothing can tell apart.
    """

    limit: int | None
    fitting: dict[str, Fit] = field(default_factory=dict)
    refused: dict[str, Refused] = field(default_factory=dict)
    exhausting: dict[str, Tries] = field(default_factory=dict)
    alike: dict[str, list[str]] = field(default_factory=dict)

    def add(self, nodes: list[str], answer: Fit | Refused) -> None:
        """The same answer from each of these nodes."""
        tries = answer.found.tries if isinstance(answer, Fit) else answer.tries
        if self.limit is not None and tries.may_exceed(self.limit):
            self.exhausting |= dict.fromkeys(nodes, tries)
        if isinstance(answer, Fit):
            self.fitting |= dict.fromkeys(nodes, answer)
            self.alike[nodes[0]] = nodes
        else:
            self.refused |= dict.fromkeys(nodes, answer)

    def sort(self, nodes: Iterable[str]) -> None:
        """Refusals in the order of the nodes, whichever were asked together."""
        if len(self.refused) > 1:
            self.refused = {name: self.refused[name] for name in nodes if name in self.refused}

    def rejections(self) -> tuple[NodeRejection, ...]:
        return tuple(NodeRejection(node, refused.reasons) for node, refused in self.refused.items())


def _try_nodes(cycle: Cycle) -> Attempt:
    """Ask every node: an error on one of them ends the attempt even where another fits.

    A node where others were deleted for the pod is asked first, and taken if it fits.
    """
    answers = _Answers(_limit(cycle.state.cluster))
    nominated = cycle.state.nodes.get(cycle.state.nominated.get(cycle.ref, ""))
    if nominated is not None and isinstance(fit := cycle.try_node(nominated), Fit):
        answers.add([nominated.name], fit)
        return _placed(cycle, answers)
    for names in alike_nodes(cycle):
        answer = cycle.try_node(cycle.state.nodes[names[0]])
        if isinstance(answer, DeviceError):
            return Attempt(_aborted(cycle, answer.fault))
        answers.add(names, answer)
    answers.sort(cycle.state.nodes)
    if not answers.fitting:
        return _nowhere(cycle, answers)
    if answers.exhausting:
        given_up = _given_up(cycle, answers.exhausting, next(iter(answers.fitting.values())))
        place = cycle.state.cluster.place_of_pod(cycle.ref)
        return Attempt(PodOutcome(cycle.ref, Verdict.UNDECIDED, place, uncertain=given_up))
    return _placed(cycle, answers)


def _limit(cluster: Cluster) -> int | None:
    """How many devices the scheduler tries on a node in its time for that."""
    seconds = cluster.scheduler.filter_timeout.total_seconds()
    if FILTER_TIMEOUT_GATE not in cluster.gates or not seconds:
        return None
    return int(STEPS_OF_THE_SCHEDULER * seconds / SECONDS_OF_THE_STEPS)


def _nowhere(cycle: Cycle, answers: _Answers) -> Attempt:
    rejections = answers.rejections()
    gave_up = any(isinstance(reason, SearchGaveUp) for each in rejections for reason in each.reasons)
    then = afterwards(cycle, answers.refused)
    texts = [refused.texts for refused in answers.refused.values()]
    outcome = PodOutcome(
        cycle.ref,
        Verdict.UNDECIDED if gave_up else Verdict.DOES_NOT_FIT,
        cycle.state.cluster.place_of_pod(cycle.ref),
        rejections=rejections,
        message=f"{available(len(cycle.state.nodes), texts)} {then.text}".rstrip(),
        uncertain=_given_up(cycle, answers.exhausting),
        faults=tuple(_faults(cycle, answers.refused)),
    )
    return Attempt(outcome, then, frozenset(refused.plugin for refused in answers.refused.values()))


def _faults(cycle: Cycle, refused: Mapping[str, Refused]) -> Iterable[SchedulerFault]:
    if cycle.extended.lost:
        yield SchedulerFault.LOST_IMPLICIT_NAME
    if cycle.state.in_flight:
        once = cycle.after(cycle.state.counting_once())
        asked = [once.state.nodes[name] for name, answer in refused.items() if answer.plugin is Plugin.DEVICES]
        if any(isinstance(once.try_node(node), Fit) for node in asked):
            yield SchedulerFault.WAITING_COUNTS_TWICE


def _given_up(cycle: Cycle, exhausting: Mapping[str, Tries], fit: Fit | None = None) -> str:
    """What is to be said where the scheduler runs into its time limit, which ends the attempt on all nodes."""
    if not exhausting:
        return ""
    where = ", ".join(f"{node} (over {_rough(tries.least)} devices to try)" for node, tries in exhausting.items())
    seconds = cycle.state.cluster.scheduler.filter_timeout.total_seconds()
    limit = _limit(cycle.state.cluster) or 0
    may = "would" if all(tries.least > limit for tries in exhausting.values()) else "may"
    text = f"the scheduler {may} give up after its {seconds:g} s on {where} and try again and again"
    if fit is None:
        return text
    devices = [
        str(DeviceId(each.driver, each.pool, each.device))
        for allocation in fit.found.allocations.values()
        for each in allocation.devices.results or ()
    ]
    return f"{text}; with more time it would find {', '.join(devices)}"


def _rough(tried: int) -> str:
    if tried >= _BILLION:
        return "a billion"
    return f"{tried // _MILLION} million" if tried >= _MILLION else f"{tried:,}"


def _aborted(cycle: Cycle, fault: AllocationFault) -> PodOutcome:
    return _error(cycle, filter_error(fault.text), fault)


def _error(cycle: Cycle, message: str, fault: AllocationFault | None = None) -> PodOutcome:
    """An error that is none of any node's: the pod is tried again and again."""
    place = cycle.state.cluster.place_of_pod(cycle.ref)
    return PodOutcome(cycle.ref, Verdict.DOES_NOT_FIT, place, aborted=fault, message=message, is_error=True)


def _placed(cycle: Cycle, answers: _Answers) -> Attempt:
    """The node with the best score; where several have it, the first by name, and the others are named."""
    tied = best(cycle, answers.fitting, answers.alike)
    node = cycle.preferred if cycle.preferred in tied else tied[0]
    fit = answers.fitting[node]
    if problem := _lacks_mappings(cycle, fit):
        outcome = replace(_error(cycle, problem), faults=(SchedulerFault.NO_REQUEST_MAPPINGS,))
        return Attempt(outcome, left_behind=fit.found.allocations)
    if problem := next((full for each in cycle.claims if (full := _has_no_room(cycle, each.claim))), ""):
        return Attempt(_error(cycle, problem))
    held = [cycle.state.claims[claim] for claim in cycle.allocated]
    waiting = binding_wait(fit.found.allocations, held, cycle.state.cluster.features)
    outcome = PodOutcome(
        cycle.ref,
        Verdict.WAITING if waiting else Verdict.PLACED,
        cycle.state.cluster.place_of_pod(cycle.ref),
        placement=_placement(cycle, node, fit),
        rejections=answers.rejections(),
        waiting_for=waiting,
        tied=tuple(tied),
        uncertain=_other_choices(tied),
    )
    return Attempt(outcome)


def _placement(cycle: Cycle, node: str, fit: Fit) -> Placement:
    taken = fit.node_allocatable
    extra = beyond_pod_level(cycle.info.pod, taken)
    return Placement(cycle.ref, node, dict(fit.found.allocations), fit.special, taken.statuses, extra)


def _lacks_mappings(cycle: Cycle, fit: Fit) -> str:
    """Own claims beside an extended resource of a device plugin: it fails every time (scheduling.md §6.4)."""
    if not cycle.claims or not cycle.extended.classes or fit.special is not None:
        return ""
    problem = f"nil or empty request mappings, no update of pod {cycle.ref} ExtendedResourceClaimStatus"
    return f'running PreBind plugin "DynamicResources": {problem}'


def _has_no_room(cycle: Cycle, claim: ClaimRef) -> str:
    reserved = cycle.state.claims[claim].status.reservedFor or []
    mine = {cycle.state.reference_to(each.consumer).uid for each in cycle.claims if each.claim == claim}
    if len(reserved) < CONSUMERS_PER_CLAIM or any(each.uid in mine for each in reserved):
        return ""
    return (
        f'running PreBind plugin "DynamicResources": add reservation to claim {claim}: '
        f"status.reservedFor: Too many: {len(reserved) + 1}: must have at most {CONSUMERS_PER_CLAIM} items"
    )


def _other_choices(tied: Sequence[str]) -> str:
    if len(tied) == 1:
        return ""
    return f"{_few(tied)} have the same score; which one the scheduler takes is not fixed"


def _few(names: Sequence[str]) -> str:
    """The first names and how many there are; the outcome's `tied` has them all."""
    if len(names) <= _NAMED:
        return ", ".join(names)
    return f"{len(names)} nodes ({', '.join(names[: _NAMED - 1])}, …)"
