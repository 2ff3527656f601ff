"""Which pods of lower priority hold the devices that a pod lacks, and whom deleting would help (scheduling.md §12).

Preemption does not ask this: what a victim holds is freed only after it is gone, so a node without devices is never a
candidate.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from dractl.api.identities import ClaimRef, PodRef
from dractl.cluster.state import ClusterState
from dractl.scheduler.cycle import Fit
from dractl.scheduler.devices import Decide
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.scheduler.preemption import importance, priority_of
from dractl.scheduler.schedule import cycle_of
from dractl.solution.outcomes import ClaimsDoNotFit, PodOutcome

Replan = Callable[[PodRef, Sequence[PodRef]], bool]
"""Whether a pod finds a node when everything is planned again without some other pods."""


class Freeing(Struct, frozen=True):
    """Deleting `pods` would free what the pod lacks on `node`."""

    node: str
    pods: tuple[PodRef, ...]


def freeing_for(state: ClusterState, outcome: PodOutcome, decide: Decide, replan: Replan) -> Freeing | None:
    """The least that would have to go, confirmed by planning again; None if that does not help or is not the matter.

    Of several nodes that is the one where the most important victim counts least, then with the fewest victims.
    """
    wanting = [
        each.node for each in outcome.rejections if any(isinstance(reason, ClaimsDoNotFit) for reason in each.reasons)
    ]
    found = [freeing for node in wanting if (freeing := _on(state, outcome.pod, node, decide)) is not None]

    def cost(freeing: Freeing) -> tuple[int, int, str]:
        return max(priority_of(state.pods[ref]) for ref in freeing.pods), len(freeing.pods), freeing.node

    return next((each for each in sorted(found, key=cost) if replan(outcome.pod, each.pods)), None)


def _on(state: ClusterState, pod: PodRef, name: str, decide: Decide) -> Freeing | None:
    """Take away every pod of lower priority that holds devices, then put back those that need not go."""
    mine = priority_of(state.pods[pod])
    holders = [ref for ref, other in state.nodes[name].pods.items() if priority_of(other) < mine and _held(state, ref)]
    if not holders or not _fits(state, pod, name, holders, decide):
        return None
    victims = list(holders)
    for ref in sorted(holders, key=lambda ref: importance(state.pods[ref])):
        others = [each for each in victims if each != ref]
        if others and _fits(state, pod, name, others, decide):
            victims = others
    return Freeing(name, tuple(victims))


def _fits(state: ClusterState, pod: PodRef, name: str, victims: Sequence[PodRef], decide: Decide) -> bool:
    trial = state.snapshot()
    for victim in victims:
        delete_and_free(trial, victim)
    cycle = cycle_of(trial, pod, decide)
    return not isinstance(cycle, HeldBack) and isinstance(cycle.try_node(trial.nodes[name]), Fit)


def delete_and_free(state: ClusterState, pod: PodRef) -> None:
    """What is left once controllers have seen that the pod is gone (controllers.md §3)."""
    claims = _held(state, pod)
    for claim in claims:
        state.release(claim, pod)
        if not state.claims[claim].status.reservedFor:
            state.deallocate(claim)
    state.delete(pod)


def _held(state: ClusterState, pod: PodRef) -> list[ClaimRef]:
    """The pod's claims that have devices, the one for extended resources included."""
    found = pod_claims(state, pod)
    claims = [] if isinstance(found, HeldBack) else [each.claim for each in found]
    special = state.pods[pod].status.extendedResourceClaimStatus
    if special is not None:
        claims.append(ClaimRef(pod.namespace, special.resourceClaimName))
    return [claim for claim in claims if claim in state.claims and state.claims[claim].status.allocation is not None]
