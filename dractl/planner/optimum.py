"""The optimum: the joint model's answer, carried out like the prediction."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Self

from msgspec import Struct
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
    asked = _Asked.of(cluster, expansion, settings, prediction, machines)
    state, nodes, question = asked.state, asked.nodes, asked.question
    if not (settings.wants_optimum or settings.prefers) and places_all_it_can(state, question.pods, prediction):
        return _as_predicted(prediction, asked.kept)
    solved = solve(state, question)
    documented = documented_optimum(state, question, solved)
    outcomes = tuple(_outcomes(asked, solved, expansion.waiting))
    found, kept = solved.found, asked.kept
    everybody = all(outcome.placement is not None for outcome in outcomes)
    return Optimum(
        answer=Answer(
            outcomes, state.claims, state.pods, checked_by=solved.checked_by, kubelets=nodes.after(solved.nodes)
        ),
        bound=found.bound + asked.placed_beside if not kept or everybody else asked.most,
        is_proven=found.is_proven and (not kept or everybody),
        left_out=tuple(found.left_out),
        documented=documented,
        orders=orders_that_matter(solved.nodes, asked.queue),
        kept=kept,
        is_proven_beside=found.is_proven,
        rests_on_refusals=solved.rests_on_refusals,
        prefers=settings.prefers,
        is_aligned_proven=found.is_aligned_proven and not kept,
        at_home=frozenset(each.pod for each in found.placements if found.is_aligned_proven and each.home is not None),
    )


class _Asked(Struct, frozen=True, eq=False):
    """What the model is asked, and what stands beside its pods.

    `queue` are all pods to be planned. `kept` are those that stay as predicted, each with the reason, and `predicted`
    what becomes of them.
    """

    state: ClusterState
    nodes: OptimumNodes
    queue: tuple[PodRef, ...]
    kept: Mapping[PodRef, str]
    predicted: Mapping[PodRef, PodOutcome]
    question: Question

    @classmethod
    def of(
        cls,
        cluster: Cluster,
        expansion: Expansion,
        settings: Settings,
        prediction: Answer,
        machines: Mapping[str, StartedNode],
    ) -> Self:
        state = ClusterState(cluster)
        queue = tuple(in_queue_order(cluster, cluster.pods_to_plan()))
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
        return cls(state, nodes, queue, kept, predicted, question)

    @property
    def most(self) -> int:
        """How many pods could be placed if nothing stood in their way."""
        return len(self.question.pods) + len(self.kept) + len(self.nodes.first)

    @property
    def placed_beside(self) -> int:
        """How many pods have a place that the model does not give them."""
        beside = (*self.nodes.first.values(), *self.predicted.values())
        return sum(outcome.placement is not None for outcome in beside)


def _outcomes(asked: _Asked, solved: Solved, waiting: Mapping[PodRef, str]) -> Iterator[PodOutcome]:
    """Pods that name their node, then all others in queue order; the state changes with those of the model."""
    yield from asked.nodes.first.values()
    for ref in asked.queue:
        if ref in asked.predicted:
            yield asked.predicted[ref]
        else:
            yield _carried_out(asked.state, ref, solved, waiting.get(ref, ""))


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
