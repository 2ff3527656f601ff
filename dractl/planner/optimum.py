"""The optimum: the joint model's answer, carried out and checked like the prediction."""

from dractl.api.identities import ClaimRef, PodRef
from dractl.api.resource import AllocationResult
from dractl.cluster.cluster import Cluster
from dractl.cluster.state import ClusterState
from dractl.errors import InternalError
from dractl.model import ModelPlacement, optimize
from dractl.planner.checking import check_plan, plan_start
from dractl.planner.joint import joint_problem
from dractl.planner.plan import Answer, Optimum
from dractl.planner.settings import Settings
from dractl.problem.faults import AllocationFault
from dractl.problem.joint import ClaimOnNode, JointProblem
from dractl.scheduler import carry_out, in_queue_order
from dractl.scheduler.binding import binding_wait
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.solution.allocation import build_allocation
from dractl.solution.outcomes import Placement, PodOutcome, Verdict
from dractl.workloads import Expansion


def find_optimum(cluster: Cluster, expansion: Expansion, settings: Settings) -> Optimum:
    """Place as many pods as can be placed; pods that controllers have not finished with are left out.

    Raises InternalError if the checker refuses the model's answer.
    """
    state = ClusterState(cluster)
    queue = in_queue_order(cluster, cluster.pods_to_plan())
    problem = joint_problem(state, [ref for ref in queue if ref not in expansion.waiting], expansion.after)
    found = optimize(problem, time_limit_seconds=settings.time_limit_seconds)
    placements = {each.pod: _placement(problem, each) for each in found.placements}
    ordered = [placements[ref] for ref in queue if ref in placements]
    check_plan(plan_start(state, queue, ordered), ordered)
    outcomes = []
    for ref in queue:
        outcome = _outcome(state, ref, placements.get(ref), expansion.waiting.get(ref, ""))
        outcomes.append(outcome)
        if outcome.placement is not None:
            carry_out(state, outcome.placement, is_bound=outcome.verdict is Verdict.PLACED)
    return Optimum(
        answer=Answer(tuple(outcomes), state.claims, state.pods),
        bound=found.bound,
        is_proven=found.is_proven,
        left_out=tuple(str(each) for each in found.left_out),
    )


def _placement(problem: JointProblem, found: ModelPlacement) -> Placement:
    allocations: dict[ClaimRef, AllocationResult] = {}
    for picks in found.claims:
        claim = picks.claim.ref
        allocation = build_allocation(problem.problems[ClaimOnNode(claim, found.node)], picks)
        if isinstance(allocation, AllocationFault):
            raise InternalError(f"the model's allocation of {claim} cannot be written: {allocation.text}")
        allocations[claim] = allocation
    return Placement(found.pod, found.node, allocations)


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
