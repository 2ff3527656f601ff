"""Whether the prediction is the optimum already: what fits nowhere even alone, no model can place."""

from collections.abc import Sequence

from dractl.api.identities import PodRef
from dractl.cluster.state import ClusterState
from dractl.planner.deciding import decide
from dractl.planner.documented import faults_at_hand
from dractl.planner.plan import Answer
from dractl.scheduler import schedule_pod
from dractl.solution.outcomes import PodOutcome, Verdict


def places_all_it_can(state: ClusterState, pods: Sequence[PodRef], prediction: Answer) -> bool:
    """Whether each of the pods is placed, or fits no node of the state, in which none of them is placed yet.

    More pods beside it only use things up: the joint model has no pods that need others (`dractl.planner.keeping`).
    Where an error or a known fault decides, the model has its own answer; so it has where pods are deleted again, or
    were before: what is kept free for a pod is nothing to the model.
    """
    if prediction.preempted or state.nominated or faults_at_hand(state, pods):
        return False
    predicted = {outcome.pod: outcome for outcome in prediction.outcomes}
    placed = {ref for ref, outcome in predicted.items() if outcome.placement is not None}
    return all(
        _fits_nowhere(schedule_pod(state, ref, decide).outcome if placed else predicted[ref])
        for ref in pods
        if ref not in placed
    )


def _fits_nowhere(alone: PodOutcome) -> bool:
    return alone.verdict is Verdict.DOES_NOT_FIT and not alone.is_error and alone.refusal is None
