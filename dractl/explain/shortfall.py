"""Why claims do not fit on a node, request by request, from the state in which the pod was decided."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.base import Taint
from dractl.api.identities import ClaimRef, PodRef
from dractl.api.objects import Sourced
from dractl.api.resource import DeviceTaintRule
from dractl.cluster.node_state import NodeState
from dractl.cluster.pools import PoolDevice, PoolState
from dractl.cluster.state import ClusterState
from dractl.errors import Place
from dractl.explain import constraints
from dractl.explain.facts import (
    CompeteForDevices,
    ConstraintUnmet,
    NodeExplanation,
    NodeFact,
    PoolNotUsable,
    RefusedDevice,
    TaintedByRule,
    TooFewDevices,
)
from dractl.explain.single import why_not
from dractl.problem.demands import ClaimDemand, Demand, RequestDemand, demands_of
from dractl.problem.problem import Problem, build_problem
from dractl.scheduler.extended import ExtendedResources
from dractl.solution.outcomes import ClaimsDoNotFit, PodOutcome, SpecialClaim


def explain_rejections(state: ClusterState, outcome: PodOutcome) -> tuple[NodeExplanation, ...]:
    """The facts for every node on which the pod's claims found no devices; `state` is that of the pod's attempt."""
    asked: dict[ClaimRef, ClaimDemand] = {}
    extended = ExtendedResources.of(state.pods[outcome.pod], state.cluster)
    return tuple(
        _explain(state, state.nodes[rejection.node], outcome.pod, _Asked(reason.claims, extended, asked))
        for rejection in outcome.rejections
        for reason in rejection.reasons
        if isinstance(reason, ClaimsDoNotFit)
    )


class _Asked(Struct, frozen=True):
    """The claims that found no devices on a node; what the pod's own claims ask for is the same on every node."""

    claims: tuple[ClaimRef, ...]
    extended: ExtendedResources
    known: dict[ClaimRef, ClaimDemand]

    def demands(self, state: ClusterState, special: SpecialClaim | None) -> list[ClaimDemand]:
        """What the claims ask for; one that is not there is the special one."""
        cluster, found = state.cluster, []
        for ref in self.claims:
            if ref in state.claims and ref not in self.known:
                self.known[ref] = demands_of(state.claims[ref], cluster.classes, cluster.features)
            if ref in self.known:
                found.append(self.known[ref])
            elif special is not None:
                found.append(demands_of(special.claim, cluster.classes, cluster.features))
        return found


def _explain(state: ClusterState, node: NodeState, pod: PodRef, asked: _Asked) -> NodeExplanation:
    special = asked.extended.claim_on(node, pod)
    demands = asked.demands(state, special)
    pools = state.pools_of(node.node)
    problem = build_problem(node.node, pools, demands, state.usage, state.cluster.features)
    places = {demand.ref: _place(state, pod, demand.ref) for demand in demands}
    facts: list[NodeFact] = []
    for claim in demands:
        facts += _claim_facts(problem, claim, places[claim.ref])
    facts = facts or [_competition(problem, places[demands[0].ref])]
    rules = state.cluster.objects.of(DeviceTaintRule)
    return NodeExplanation(node.name, tuple(_naming_rules(rules, fact) for fact in facts), special)


def _naming_rules(rules: Sequence[Sourced[DeviceTaintRule]], fact: NodeFact) -> NodeFact:
    """The fact with the rules that taints come from."""
    if not rules or not isinstance(fact, TooFewDevices):
        return fact
    return replace(fact, refused=tuple(_naming_rule(rules, each) for each in fact.refused))


def _naming_rule(rules: Sequence[Sourced[DeviceTaintRule]], refused: RefusedDevice) -> RefusedDevice:
    # A driver may have set an equal taint itself: only the rule's very own one tells.
    taint = refused.because
    rule = next((each for each in rules if each.object.spec.taint is taint), None)
    if rule is None or not isinstance(taint, Taint):
        return refused
    return RefusedDevice(refused.device, TaintedByRule(taint, rule.ref.name))


def _place(state: ClusterState, pod: PodRef, claim: ClaimRef) -> Place:
    """Where the claim's devices are asked for; for extended resources that is the pod itself."""
    if claim in state.claims:
        return state.cluster.place_of_claim(claim).at("spec", "devices")
    return state.cluster.place_of_pod(pod)


def _claim_facts(problem: Problem, claim: ClaimDemand, place: Place) -> list[NodeFact]:
    """Requests that are short even alone; if none is, constraints that cannot be met."""
    short = [
        fact for number, request in enumerate(claim.requests) for fact in _shortages(problem, request, place, number)
    ]
    return list(short) or list(_unmet(problem, claim, place))


def _shortages(problem: Problem, request: RequestDemand, place: Place, number: int) -> list[TooFewDevices]:
    """What each alternative lacks, unless one of them could be satisfied."""
    at = place.at("requests", number)
    facts = [_too_few(problem, demand, at) for demand in request.alternatives]
    short = [fact for fact in facts if fact is not None]
    return short if len(short) == len(facts) else []


def _unmet(problem: Problem, claim: ClaimDemand, place: Place) -> Iterator[ConstraintUnmet]:
    """Prioritized requests are left aside: which alternative a constraint binds is open."""
    certain = [request.alternatives[0] for request in claim.requests if not request.is_prioritized]
    usable = {demand: _usable(problem, demand) for demand in certain}
    for constraint in claim.constraints:
        fact = constraints.unmet(problem, constraint, usable, place.at("constraints", constraint.number))
        if fact is not None:
            yield fact


def _usable(problem: Problem, demand: Demand) -> list[PoolDevice]:
    return [
        device
        for device in problem.devices
        if (candidate := problem.candidates.look(demand, device)).fault is None
        and why_not(problem, demand, candidate) is None
    ]


def _too_few(problem: Problem, demand: Demand, place: Place) -> TooFewDevices | None:
    looks = {device: problem.candidates.look(demand, device) for device in problem.devices}
    obstacles = {device: why_not(problem, demand, candidate) for device, candidate in looks.items()}
    usable = [device for device, because in obstacles.items() if because is None and looks[device].fault is None]
    free = set(usable)
    must_have = [candidate.device for candidate in problem.all_of.get(demand, ())]
    if demand.wants_all and must_have and all(device in free for device in must_have):
        return None
    if demand.count is not None and len(usable) >= demand.count:
        return None
    considered = must_have if demand.wants_all and must_have else problem.devices
    refused = tuple(
        RefusedDevice(device.id, because) for device in considered if (because := obstacles.get(device)) is not None
    )
    pools = tuple(
        PoolNotUsable(pool.id, str(pool.state), pool.because)
        for pool in problem.pools
        if pool.state is not PoolState.COMPLETE
    )
    found = tuple(device.id for device in usable)
    return TooFewDevices(demand.ref, demand.count, found, refused, pools, place, len(must_have))


def _competition(problem: Problem, place: Place) -> CompeteForDevices:
    demands = [
        demand
        for claim in problem.claims
        for request in claim.requests
        for demand in request.alternatives
        if _too_few(problem, demand, place) is None
    ]
    devices = dict.fromkeys(device.id for demand in demands for device in _usable(problem, demand))
    return CompeteForDevices(tuple(demand.ref for demand in demands), tuple(devices), place)
