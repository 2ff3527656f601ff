"""The joint model asked once: its answer as placements, checked before anybody sees it."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from dractl.api.identities import ClaimRef, PodRef
from dractl.api.resource import AllocationResult
from dractl.cluster.state import ClusterState
from dractl.errors import InternalError
from dractl.kubelet import KubeletState
from dractl.model import ModelPlacement, Optimum
from dractl.planner.admitting import Admitted, Admitting
from dractl.planner.checking import check_plan, plan_start
from dractl.planner.cutting import most_let_in, without_nodes
from dractl.planner.joint import joint_problem
from dractl.planner.kubelets import share_of
from dractl.planner.layouts import with_layouts
from dractl.planner.settings import Preference
from dractl.problem.faults import AllocationFault
from dractl.problem.joint import ClaimOnNode, JointProblem
from dractl.solution.allocation import build_allocation
from dractl.solution.outcomes import Placement


class Question(Struct, frozen=True):
    """The pods in queue order, which of them come after which, and how long the solver may take, in seconds.

    `kubelets` are the nodes whose kubelets have to let their pods in, `closed` are nodes on which no pod can run.
    `prefers` says what counts among answers that place most pods.
    """

    pods: Sequence[PodRef]
    after: Mapping[PodRef, PodRef]
    time_limit_seconds: float
    kubelets: Mapping[str, KubeletState] = field(default_factory=dict)
    closed: frozenset[str] = frozenset()
    prefers: Preference | None = None


class Solved(Struct, frozen=True, eq=False):
    """The model's answer and its placements in queue order; `checked_by` says by which rules they were checked.

    `nodes` tell how the kubelets let the pods in, where these are known; `rests_on_refusals` as in `LetIn`.
    """

    problem: JointProblem
    found: Optimum
    placements: Mapping[PodRef, Placement]
    checked_by: str
    nodes: Mapping[str, Admitted]
    rests_on_refusals: bool = False

    def by_priority(self) -> tuple[int, ...]:
        """How many pods are placed of each priority, the highest first: the larger tuple is the better answer."""
        priorities = sorted({pod.priority for pod in self.problem.pods}, reverse=True)
        placed = [pod.priority for pod in self.problem.pods if pod.ref in self.placements]
        return tuple(placed.count(priority) for priority in priorities)


def solve(state: ClusterState, question: Question) -> Solved:
    """The best that the state allows; raises InternalError if the checker refuses the model's answer."""
    problem = joint_problem(state, question.pods, question.after)
    problem = without_nodes(problem, question.closed)
    admitting = Admitting(question.kubelets, state.pods, question.after)
    if question.prefers is Preference.ALIGNED:
        problem = with_layouts(problem, state.cluster, admitting)
    let_in = most_let_in(problem, admitting, question.time_limit_seconds)
    shares = {answer.pod: share_of(answer) for node in let_in.nodes.values() for answer in node.answers}
    unordered = {
        each.pod: replace(_placement(problem, each), share=shares.get(each.pod)) for each in let_in.found.placements
    }
    placements = {ref: unordered[ref] for ref in question.pods if ref in unordered}
    start = plan_start(state, question.pods, placements.values(), problem.gangs)
    checked_by = check_plan(start, placements.values())
    return Solved(problem, let_in.found, placements, checked_by, let_in.nodes, let_in.rests_on_refusals)


def _placement(problem: JointProblem, found: ModelPlacement) -> Placement:
    allocations: dict[ClaimRef, AllocationResult] = {}
    for picks in found.claims:
        claim = picks.claim.ref
        allocation = build_allocation(problem.problems[ClaimOnNode(claim, found.node)], picks)
        if isinstance(allocation, AllocationFault):
            raise InternalError(f"the model's allocation of {claim} cannot be written: {allocation.text}")
        allocations[claim] = allocation
    return Placement(found.pod, found.node, allocations)
