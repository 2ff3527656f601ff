"""Pods whose rules the joint model does not know: the optimum leaves them where the prediction has them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Self

from msgspec import Struct

from dractl.api.identities import ClaimRef, ObjectRef, PodRef
from dractl.api.selectors import matches_labels
from dractl.cluster.state import ClusterState
from dractl.scheduler import carry_out, node_allocatable
from dractl.scheduler.extended import ExtendedResources
from dractl.scheduler.filters.inter_pod import required_terms
from dractl.scheduler.pod_claims import HeldBack, group_ref, pod_claims
from dractl.scheduler.spreading import own_spreads
from dractl.solution.outcomes import PodOutcome, Verdict

EXTENDED: Final = "devices serve extended resources"
ALLOCATABLE: Final = "devices take CPU or memory of the node"
OTHER_PODS: Final = "rules between pods decide about the node"
IDLE: Final = "the scheduler may give a claim other devices"
MIXED_UP: Final = "a known fault mixes up the claims of the group"
TOGETHER: Final = "tied to such a pod by a claim, a group or a turn"


def kept_pods(
    state: ClusterState, pods: Iterable[PodRef], after: Mapping[PodRef, PodRef], predicted: Iterable[PodOutcome] = ()
) -> dict[PodRef, str]:
    """The pods that the model cannot place, each with the reason, and those that depend on them.

    `after` maps pods to the one that has to run before they are made. Where there is no node, no rule matters.
    """
    planned = list(pods) if state.nodes else []
    kept: dict[PodRef, str] = dict(_under_rules(state, planned))
    kept |= {each.pod: MIXED_UP for each in predicted if each.placement is not None and each.placement.intended}
    takes_of_nodes = node_allocatable.GATE in state.cluster.gates and _any_takes_of_a_node(state)
    for ref in planned:
        if ExtendedResources.of(state.pods[ref], state.cluster).classes:
            kept[ref] = EXTENDED
        elif takes_of_nodes and _claims(state, ref):
            kept[ref] = ALLOCATABLE
        elif any(_is_idle(state, claim) for claim in _claims(state, ref)):
            kept[ref] = IDLE
    while True:
        ties = _Ties.of(state, kept)
        more = [ref for ref in planned if ref not in kept and (after.get(ref) in kept or ties.bind(state, ref))]
        if not more:
            break
        kept |= dict.fromkeys(more, TOGETHER)
    return {ref: kept[ref] for ref in planned if ref in kept}


def keep(state: ClusterState, outcomes: Iterable[PodOutcome]) -> None:
    """Change the state as the predicted placements of these pods do."""
    for outcome in outcomes:
        if outcome.placement is None:
            continue
        for claim in outcome.placement.allocations:
            if claim in state.claims and state.claims[claim].status.allocation is not None:
                state.deallocate(claim)
        carry_out(state, outcome.placement, is_bound=outcome.verdict is Verdict.PLACED)


def _under_rules(state: ClusterState, pods: list[PodRef]) -> Iterator[tuple[PodRef, str]]:
    """Pods with required affinity, anti-affinity or spreading, and the planned pods that these rules are about."""
    namespaces = state.cluster.namespaces
    for ref in pods:
        pod = state.pods[ref]
        terms = [*required_terms(pod, anti=False), *required_terms(pod, anti=True)]
        spreads = own_spreads(pod, "DoNotSchedule")
        if not terms and not spreads:
            continue
        yield ref, OTHER_PODS
        for other in pods:
            target = state.pods[other]
            is_counted = other.namespace == ref.namespace and any(
                matches_labels(spread.selector, target.metadata.labels) for spread in spreads
            )
            if is_counted or any(term.means(target, namespaces) for term in terms):
                yield other, OTHER_PODS
    present = [
        term for node in state.nodes.values() for pod in node.pods.values() for term in required_terms(pod, anti=True)
    ]
    for ref in pods:
        if any(term.means(state.pods[ref], namespaces) for term in present):
            yield ref, OTHER_PODS


def _is_idle(state: ClusterState, claim: ClaimRef) -> bool:
    """A claim that holds devices and is reserved for nobody: the scheduler may take them away (scheduling.md §11)."""
    status = state.claims[claim].status
    return status.allocation is not None and not status.reservedFor


def _any_takes_of_a_node(state: ClusterState) -> bool:
    return any(
        device.nodeAllocatableResources for slice_ in state.cluster.slices for device in slice_.spec.devices or ()
    )


class _Ties(Struct, frozen=True):
    """What ties pods to the kept ones: claims and groups of these, and the pods that have to run before others."""

    claims: frozenset[ClaimRef]
    groups: frozenset[ObjectRef]

    @classmethod
    def of(cls, state: ClusterState, kept: Iterable[PodRef]) -> Self:
        pods = list(kept)
        groups = (group_ref(state.cluster, state.pods[ref]) for ref in pods)
        claims = frozenset().union(*(_claims(state, ref) for ref in pods))
        return cls(claims, frozenset(group for group in groups if group is not None))

    def bind(self, state: ClusterState, ref: PodRef) -> bool:
        """Whether the pod shares one of them."""
        return group_ref(state.cluster, state.pods[ref]) in self.groups or bool(_claims(state, ref) & self.claims)


def _claims(state: ClusterState, ref: PodRef) -> frozenset[ClaimRef]:
    claims = pod_claims(state, ref)
    return frozenset() if isinstance(claims, HeldBack) else frozenset(each.claim for each in claims)
