"""A whole plan replayed: what it starts from, and the state in which each of its placements was decided."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from dractl.api.core import Node
from dractl.api.identities import ClaimRef, ObjectRef, PodRef
from dractl.api.resource import AllocationResult
from dractl.cluster.features import Features
from dractl.cluster.node_state import HostPort
from dractl.cluster.pools import Pool
from dractl.cluster.usage import Usage
from dractl.problem.demands import ClaimDemand
from dractl.problem.joint import Gang
from dractl.problem.problem import Problem, build_problem
from dractl.solution.outcomes import Placement


class PodUse(Struct, frozen=True):
    """What a pod to be planned uses.

    `takes` is in nano-units by resource name, as in `PodDemand`. `claims` are all claims of the pod in its own order,
    allocated ones included, each with who is reserved for it: the pod, or the PodGroup that it belongs to. `nodes` are
    those that its own rules permit; None permits all. `ports` are the host ports that it needs.
    """

    takes: Mapping[str, int]
    claims: Mapping[ClaimRef, ObjectRef]
    nodes: frozenset[str] | None = None
    ports: frozenset[HostPort] = frozenset()


class PlanStart(Struct, frozen=True, eq=False):
    """What a plan starts from.

    `free` is as in `JointProblem`: nano-units by node and resource; what is not named is not limited. `pools` gives a
    node's pools in the scheduler's order (`PoolIndex.for_node`). `demands` are the claims that have no allocation yet,
    `held` those that have one, and `reserved` is who stands in their `reservedFor`; `usage` is what all held claims
    use, those of other pods included. `ports` are the host ports that are taken on each node, `gangs` the groups that
    start with enough pods or not at all; the prediction, in which pods may fail later, names none.
    """

    nodes: Mapping[str, Node]
    free: Mapping[str, Mapping[str, int]]
    pools: Callable[[Node], Sequence[Pool]]
    pods: Mapping[PodRef, PodUse]
    demands: Mapping[ClaimRef, ClaimDemand]
    held: Mapping[ClaimRef, AllocationResult]
    reserved: Mapping[ClaimRef, frozenset[ObjectRef]]
    usage: Usage
    features: Features
    ports: Mapping[str, frozenset[HostPort]] = field(default_factory=dict)
    gangs: tuple[Gang, ...] = ()


class Step(Struct, frozen=True):
    """One placement and the usage before it. `pod` and `node` are None if the placement names what is not there."""

    number: int
    placement: Placement
    pod: PodUse | None
    node: Node | None
    usage: Usage

    @property
    def used(self) -> Mapping[ClaimRef, ObjectRef]:
        """The claims that the pod uses, each with who is reserved."""
        return self.pod.claims if self.pod is not None else {}

    @property
    def attempt(self) -> tuple[ClaimRef, ...]:
        """The claims that this placement allocates, in the order of the pod; those of no concern to it come last."""
        order = {claim: number for number, claim in enumerate(self.used)}
        return tuple(sorted(self.placement.allocations, key=lambda claim: (order.get(claim, len(order)), claim)))


class Replay(Struct, frozen=True):
    """The placements in order, each with its state. `first` is the step that allocates a claim first, by claim."""

    start: PlanStart
    steps: tuple[Step, ...]
    first: Mapping[ClaimRef, Step]

    def allocation_before(self, step: Step, claim: ClaimRef) -> AllocationResult | None:
        """What the claim has when the step is decided, from the start or from an earlier step."""
        if claim in self.start.held:
            return self.start.held[claim]
        first = self.first.get(claim)
        return first.placement.allocations[claim] if first is not None and first.number < step.number else None

    def problem_of(self, step: Step) -> Problem | None:
        """The problem that the step's allocations answer, or None if it allocates nothing that can be allocated."""
        claims = [self.start.demands[claim] for claim in step.attempt if claim in self.start.demands]
        if step.node is None or not claims:
            return None
        return build_problem(step.node, self.start.pools(step.node), claims, step.usage, self.start.features)


def replay(start: PlanStart, placements: Sequence[Placement]) -> Replay:
    """Give each placement the usage that those before it leave."""
    steps: list[Step] = []
    first: dict[ClaimRef, Step] = {}
    usage = start.usage
    for number, placement in enumerate(placements):
        step = Step(number, placement, start.pods.get(placement.pod), start.nodes.get(placement.node), usage)
        steps.append(step)
        for claim, allocation in placement.allocations.items():
            first.setdefault(claim, step)
            usage = usage.with_allocation(claim, allocation, start.features)
    return Replay(start, tuple(steps), first)
