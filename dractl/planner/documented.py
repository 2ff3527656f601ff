"""What the documented rules would allow where v1.37.2 does not: for a pod, and for the optimum (dra.md §18).

Nothing of this is a prediction, and nothing is advised that rests on it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.identities import PodRef
from dractl.cluster.state import ClusterState
from dractl.cluster.upstream import UpstreamFault
from dractl.planner.checking import check_plan, plan_start
from dractl.planner.plan import DocumentedOptimum
from dractl.planner.solving import Question, Solved, solve
from dractl.problem.demands import ClaimDemand, demands_of
from dractl.problem.upstream import Inventory, Reach, faults_in_reach
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.solution.outcomes import DocumentedFit, PodOutcome

AttemptOf = Callable[[ClusterState], Mapping[PodRef, PodOutcome]]
"""Decides one pod, or a group of pods together, in a state that it does not change."""


class Retry(Struct, frozen=True):
    """A pod that does not fit, the pods that the attempt decides together, this one included, and the attempt."""

    pod: PodRef
    together: Sequence[PodRef]
    attempt: AttemptOf


def documented_fit(state: ClusterState, inventory: Inventory, retry: Retry) -> DocumentedFit | None:
    """What the pod would get if the fewest faults were undone, or None if that does not help.

    Raises InternalError if the checker refuses the answer.
    """
    pod, together, attempt = retry.pod, retry.together, retry.attempt
    reach = _in_reach(state, inventory, together)
    if not reach or attempt(_without(state, reach))[pod].placement is None:
        return None
    if attempt(state)[pod].placement is not None:
        return None  # since the pod was decided the state has changed in its favour
    for faults in _sets_of(reach):
        outcomes = attempt(_without(state, faults))
        placement = outcomes[pod].placement
        if placement is not None:
            placements = [each.placement for each in outcomes.values() if each.placement is not None]
            check_plan(plan_start(_without(state, faults), together, placements), placements)
            return DocumentedFit(faults, placement)
    return None


def documented_optimum(state: ClusterState, question: Question, solved: Solved) -> DocumentedOptimum | None:
    """How many pods could be placed if the fewest faults were undone, if that is more than the optimum `solved`.

    Nothing is said of an optimum that is not proven: there, time may make the difference. Raises InternalError if the
    checker refuses the answer.
    """
    if not solved.found.is_proven or solved.found.placed == len(solved.problem.pods):
        return None
    reach = faults_at_hand(state, question.pods)
    if not reach:
        return None
    question = replace(question, prefers=None)
    most = solve(_without(state, reach), question).by_priority()
    if most <= solved.by_priority():
        return None
    for faults in _sets_of(reach):
        better = solve(_without(state, faults), question)
        if better.by_priority() >= most:
            return DocumentedOptimum(faults, len(better.placements))
    return None


def faults_at_hand(state: ClusterState, pods: Iterable[PodRef]) -> tuple[UpstreamFault, ...]:
    """The known faults that may decide about one of these pods."""
    return _in_reach(state, Inventory(state.cluster.slices), pods)


def _in_reach(state: ClusterState, inventory: Inventory, pods: Iterable[PodRef]) -> tuple[UpstreamFault, ...]:
    """The faults that may matter to these pods in this state."""
    claims = tuple(_demands(state, pods))
    return faults_in_reach(Reach(claims, inventory, state.usage, state.cluster.features))


def _sets_of(faults: Sequence[UpstreamFault]) -> Iterator[tuple[UpstreamFault, ...]]:
    """Each fault alone, then pairs, and so on to all of them."""
    for size in range(1, len(faults) + 1):
        yield from combinations(faults, size)


def _without(state: ClusterState, faults: Iterable[UpstreamFault]) -> ClusterState:
    return state.by_rules_of(state.cluster.features.without(*faults))


def _demands(state: ClusterState, pods: Iterable[PodRef]) -> Iterator[ClaimDemand]:
    cluster = state.cluster
    seen = set()
    for pod in pods:
        claims = pod_claims(state, pod)
        for each in () if isinstance(claims, HeldBack) else claims:
            claim = state.claims[each.claim]
            if each.claim not in seen and claim.status.allocation is None:
                seen.add(each.claim)
                yield demands_of(claim, cluster.classes, cluster.features)
