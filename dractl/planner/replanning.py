"""Planning again without some pods, to confirm that deleting them would help another one."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from dractl.api.identities import PodRef
from dractl.cluster.cluster import Cluster
from dractl.cluster.state import ClusterState
from dractl.explain.freeing import Freeing, delete_and_free, freeing_for
from dractl.planner.deciding import decide
from dractl.scheduler import Attempt, Run, in_queue_order, queue_entries
from dractl.scheduler.pod_claims import group_ref
from dractl.solution.outcomes import PodOutcome, Verdict

PODS_ASKED_ABOUT: Final = 5
"""For so many pods that do not fit it is found out whose deletion would help; each takes a plan of its own."""


def freeings(
    cluster: Cluster, state: ClusterState, outcomes: Sequence[PodOutcome], waiting: Mapping[PodRef, str]
) -> Mapping[PodRef, Freeing]:
    """Whom deleting would help which pod; `state` is the one after the plan, `waiting` the pods not made yet."""
    found: dict[PodRef, Freeing] = {}
    replan = replanner(cluster, waiting)
    asked = [each for each in outcomes if each.verdict is Verdict.DOES_NOT_FIT and not _is_in_group(state, each.pod)]
    for outcome in asked[:PODS_ASKED_ABOUT]:
        freeing = freeing_for(state, outcome, decide, replan)
        if freeing is not None:
            found[outcome.pod] = freeing
    return found


def _is_in_group(state: ClusterState, pod: PodRef) -> bool:
    """What would help a group is not a matter of one of its pods."""
    return group_ref(state.cluster, state.pods[pod]) is not None if pod in state.pods else True


def replanner(cluster: Cluster, waiting: Mapping[PodRef, str]) -> Callable[[PodRef, Sequence[PodRef]], bool]:
    """A function that says whether a pod finds a node when all is planned again without some pods."""

    def fits(pod: PodRef, victims: Sequence[PodRef]) -> bool:
        state = ClusterState(cluster)
        for victim in victims:
            delete_and_free(state, victim)
        gone = {*victims, *waiting}
        run = Run(state, decide, _as_it_is)
        queue = [ref for ref in in_queue_order(cluster, cluster.pods_to_plan()) if ref not in gone]
        for entry in queue_entries(cluster, queue):
            if isinstance(entry, PodRef):
                run.decide(entry)
            else:
                run.decide_group(entry)
            while (again := run.next_to_retry()) is not None:
                run.decide(again)
        return pod in run.outcomes and run.outcomes[pod].placement is not None

    return fits


def _as_it_is(_: ClusterState, __: PodRef, attempt: Attempt) -> Attempt:
    return attempt
