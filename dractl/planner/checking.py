"""No answer leaves unchecked: the independent checker replays every placement before it is shown."""

from collections.abc import Iterable

from dractl.api.identities import ClaimRef, ObjectRef, PodRef
from dractl.cluster.requests import pod_requests
from dractl.cluster.state import ClusterState
from dractl.cluster.upstream import rules_text
from dractl.errors import InternalError
from dractl.problem.demands import demands_of
from dractl.problem.joint import Gang
from dractl.scheduler.filters import permits
from dractl.scheduler.pod_claims import HeldBack, pod_claims
from dractl.scheduler.pod_info import PodInfo
from dractl.solution.outcomes import Placement, SpecialClaim
from dractl.solution.verify import PlanStart, PodUse, check_placements


def plan_start(
    state: ClusterState, pods: Iterable[PodRef], placements: Iterable[Placement], gangs: tuple[Gang, ...] = ()
) -> PlanStart:
    """What a plan for these pods starts from, as the checker wants to know it.

    Claims that come to be with the placements are there from the start. `gangs` start with enough pods or not at all.
    """
    cluster = state.cluster
    placed = {each.pod: each for each in placements}
    special = [each.special for each in placed.values() if each.special is not None]
    unallocated = {ref: claim for ref, claim in state.claims.items() if claim.status.allocation is None}
    unallocated |= {each.ref: each.claim for each in special}
    return PlanStart(
        nodes=dict(cluster.nodes),
        free={name: node.free() for name, node in state.nodes.items()},
        pools=state.pools_of,
        pods={ref: _use(state, ref, placed.get(ref)) for ref in pods},
        demands={ref: demands_of(claim, cluster.classes, cluster.features) for ref, claim in unallocated.items()},
        held={
            ref: claim.status.allocation for ref, claim in state.claims.items() if claim.status.allocation is not None
        },
        reserved={ref: _consumers(state, ref) for ref in state.claims},
        usage=state.usage,
        features=cluster.features,
        ports={name: node.ports for name, node in state.nodes.items()},
        gangs=gangs,
    )


def check_plan(start: PlanStart, placements: Iterable[Placement]) -> str:
    """By which rules the placements were checked; raises InternalError if one breaks a rule, given those before it."""
    violations = check_placements(start, tuple(placements))
    rules = rules_text(start.features.faults)
    if violations:
        listed = "; ".join(f"{violation.rule}: {violation.message}" for violation in violations)
        raise InternalError(f"the checker refuses the plan by {rules}: {listed}")
    return rules


def _use(state: ClusterState, ref: PodRef, placement: Placement | None) -> PodUse:
    pod = state.pods[ref]
    claims = pod_claims(state, ref)
    user = ObjectRef("Pod", ref.namespace, ref.name)
    info = PodInfo(ref, pod)
    used = {} if isinstance(claims, HeldBack) else {each.claim: each.consumer for each in claims}
    requests = pod_requests(pod)
    special = placement.special if placement is not None else None
    for name, amount in (placement.extra if placement is not None else {}).items():
        requests[name] = requests.get(name, 0) + amount
    if special is not None:
        used[special.ref] = user
        requests = {name: amount for name, amount in requests.items() if name not in _served(special)}
    asked = [placement.node] if placement is not None and placement.node in state.nodes else []
    return PodUse(
        takes=requests,
        claims=used,
        nodes=frozenset(name for name in asked if permits(info, state.nodes[name], state.cluster.scheduler)),
        ports=info.ports,
    )


def _served(special: SpecialClaim) -> set[str]:
    """The extended resources that the claim stands for."""
    return {mapping.resourceName for mapping in special.mappings}


def _consumers(state: ClusterState, claim: ClaimRef) -> frozenset[ObjectRef]:
    kinds = {"pods": "Pod", "podgroups": "PodGroup"}
    return frozenset(
        ObjectRef(kinds.get(each.resource, each.resource), claim.namespace, each.name)
        for each in state.claims[claim].status.reservedFor or ()
    )
