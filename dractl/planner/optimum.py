"""The optimum: the joint model's answer, carried out like the prediction."""

from dractl.api.identities import PodRef
from dractl.cluster.cluster import Cluster
from dractl.cluster.state import ClusterState
from dractl.planner.documented import documented_optimum
from dractl.planner.plan import Answer, Optimum
from dractl.planner.settings import Settings
from dractl.planner.solving import Question, solve
from dractl.scheduler import carry_out, in_queue_order
from dractl.scheduler.binding import binding_wait
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.solution.outcomes import Placement, PodOutcome, Verdict
from dractl.workloads import Expansion


def find_optimum(cluster: Cluster, expansion: Expansion, settings: Settings) -> Optimum:
    """Place as many pods as can be placed; pods that controllers have not finished with are left out.

    Raises InternalError if the checker refuses the model's answer.
    """
    state = ClusterState(cluster)
    queue = in_queue_order(cluster, cluster.pods_to_plan())
    question = Question(
        [ref for ref in queue if ref not in expansion.waiting], expansion.after, settings.time_limit_seconds
    )
    solved = solve(state, question)
    documented = documented_optimum(state, question, solved)
    outcomes = []
    for ref in queue:
        outcome = _outcome(state, ref, solved.placements.get(ref), expansion.waiting.get(ref, ""))
        outcomes.append(outcome)
        if outcome.placement is not None:
            carry_out(state, outcome.placement, is_bound=outcome.verdict is Verdict.PLACED)
    return Optimum(
        answer=Answer(tuple(outcomes), state.claims, state.pods, checked_by=solved.checked_by),
        bound=solved.found.bound,
        is_proven=solved.found.is_proven,
        left_out=tuple(str(each) for each in solved.found.left_out),
        documented=documented,
    )


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
