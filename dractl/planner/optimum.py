"""The optimum: the joint model's answer, carried out like the prediction."""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from dractl.api.identities import PodRef
from dractl.cluster.cluster import Cluster
from dractl.cluster.state import ClusterState
from dractl.planner.documented import documented_optimum
from dractl.planner.keeping import keep, kept_pods
from dractl.planner.node_start import StartedNode
from dractl.planner.optimum_nodes import OptimumNodes, orders_that_matter
from dractl.planner.plan import Answer, Optimum
from dractl.planner.settings import Preference, Settings
from dractl.planner.settled import places_all_it_can
from dractl.planner.solving import Question, Solved, solve
from dractl.scheduler import carry_out, in_queue_order
from dractl.scheduler.binding import binding_wait
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.solution.outcomes import Placement, PodOutcome, Verdict
from dractl.workloads import Expansion


def find_optimum(
    cluster: Cluster,
    expansion: Expansion,
    settings: Settings,
    prediction: Answer,
    machines: Mapping[str, StartedNode] = MappingProxyType({}),
) -> Optimum:
    """Place as many pods as can be placed; pods that controllers have not finished with are left out.

    Pods whose rules the model does not know stay where the prediction has them, and running pods that the scheduler
    deletes to make room are gone. Raises InternalError if the checker refuses the model's answer.
    """
    state = ClusterState(cluster)
    queue = in_queue_order(cluster, cluster.pods_to_plan())
    for victim in prediction.preempted:
        if victim not in queue:
            state.delete(victim)
    nodes = OptimumNodes(state, machines)
    planned = [ref for ref in queue if ref not in expansion.waiting]
    kept = kept_pods(state, planned, expansion.after, prediction.outcomes)
    predicted = {outcome.pod: outcome for outcome in prediction.outcomes if outcome.pod in kept}
    keep(state, predicted.values())
    predicted = nodes.keep(predicted.values())
    question = Question(
        [ref for ref in planned if ref not in kept],
        expansion.after,
        settings.time_limit_seconds,
        nodes.open,
        nodes.closed,
        settings.prefers,
    )
    if not (settings.wants_optimum or settings.prefers) and places_all_it_can(state, question.pods, prediction):
        return _as_predicted(prediction, kept)
    solved = solve(state, question)
    documented = documented_optimum(state, question, solved)
    outcomes = (
        *nodes.first.values(),
        *(
            predicted[ref] if ref in predicted else _carried_out(state, ref, solved, expansion.waiting.get(ref, ""))
            for ref in queue
        ),
    )
    found = solved.found
    beside = (*nodes.first.values(), *predicted.values())
    placed_as_predicted = sum(outcome.placement is not None for outcome in beside)
    everybody = all(outcome.placement is not None for outcome in outcomes)
    return Optimum(
        answer=Answer(
            outcomes, state.claims, state.pods, checked_by=solved.checked_by, kubelets=nodes.after(solved.nodes)
        ),
        bound=found.bound + placed_as_predicted if not kept or everybody else len(planned) + len(nodes.first),
        is_proven=found.is_proven and (not kept or everybody),
        left_out=tuple(found.left_out),
        documented=documented,
        orders=orders_that_matter(solved.nodes, queue),
        kept=kept,
        is_proven_beside=found.is_proven,
        rests_on_refusals=solved.rests_on_refusals,
        prefers=settings.prefers,
        is_aligned_proven=found.is_aligned_proven and not kept,
        at_home=frozenset(each.pod for each in found.placements if found.is_aligned_proven and each.home is not None),
    )


def _carried_out(state: ClusterState, ref: PodRef, solved: Solved, waiting: str) -> PodOutcome:
    """What becomes of a pod that is the model's to place; the state changes with it."""
    outcome = _outcome(state, ref, solved.placements.get(ref), waiting)
    if outcome.placement is not None:
        carry_out(state, outcome.placement, is_bound=outcome.verdict is Verdict.PLACED)
    return outcome


def _as_predicted(prediction: Answer, kept: Mapping[PodRef, str]) -> Optimum:
    placed = _placements(prediction)
    is_proven = not kept or placed == len(prediction.outcomes)
    bound = placed if is_proven else len(prediction.outcomes)
    return Optimum(answer=prediction, bound=bound, is_proven=is_proven, kept=kept, is_proven_beside=True)


def not_below(optimum: Optimum, prediction: Answer) -> Optimum:
    """Where time was too short for the model, the prediction is the best answer that is known.

    Both have their alignments by now (`dractl.planner.aligning`).
    """
    is_final = optimum.is_proven and (optimum.prefers is None or optimum.is_aligned_proven)
    if is_final or _merit(optimum.answer, optimum) >= _merit(prediction, optimum):
        return optimum
    return replace(optimum, answer=prediction, orders={})


def _merit(answer: Answer, optimum: Optimum) -> tuple[int, int]:
    return _placements(answer), answer.aligned if optimum.prefers is Preference.ALIGNED else 0


def _placements(answer: Answer) -> int:
    return sum(outcome.placement is not None for outcome in answer.outcomes)


def _outcome(state: ClusterState, ref: PodRef, placement: Placement | None, waiting: str) -> PodOutcome:
    place = state.cluster.place_of_pod(ref)
    if placement is None:
        verdict = Verdict.WAITING if waiting else Verdict.DOES_NOT_FIT
        return PodOutcome(ref, verdict, place, waiting_for=waiting)
    claims = pod_claims(state, ref)
    refs = () if isinstance(claims, HeldBack) else tuple(each.claim for each in claims)
    held = [state.claims[claim] for claim in refs if claim not in placement.allocations]
    conditions = binding_wait(placement.allocations, held, state.cluster.features)
    verdict = Verdict.WAITING if conditions else Verdict.PLACED
    return PodOutcome(ref, verdict, place, placement=placement, waiting_for=conditions)
