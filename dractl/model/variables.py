"""What has to be decided: pods on nodes, claims on nodes, alternatives of requests, devices."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from dractl.api.identities import ClaimRef, DeviceId, PodRef
from dractl.cluster.upstream import UpstreamFault
from dractl.cluster.usage import Usage
from dractl.model.formula import Formula, Literal
from dractl.model.takeable import LeftOut, takeable
from dractl.problem.candidates import Candidate
from dractl.problem.demands import ClaimDemand, Demand
from dractl.problem.joint import ClaimOnNode, JointProblem, PodDemand
from dractl.problem.problem import Problem


class PodOnNode(Struct, frozen=True):
    """A pod that might run on this node."""

    pod: PodRef
    node: str


class Choice(Struct, frozen=True):
    """A device that a demand might get on a node; `taken` says that it does.

    `request` is the number of the request in its claim, `rank` the device's place in the device order.
    """

    at: ClaimOnNode
    request: int
    rank: int
    demand: Demand
    candidate: Candidate
    taken: Literal

    @property
    def device(self) -> DeviceId:
        """The device; in a network-attached pool it is the same one on several nodes."""
        return self.candidate.device.id

    @property
    def position(self) -> tuple[int, int]:
        """Where the allocator's order has it within the claim."""
        return (self.request, self.rank)


class Site(Struct, frozen=True, eq=False):
    """A claim on a node where it might get its devices; `here` says that it does, `chosen` by which demands."""

    at: ClaimOnNode
    claim: ClaimDemand
    problem: Problem
    here: Literal
    chosen: Mapping[Demand, Literal]
    choices: tuple[Choice, ...]

    def of(self, demand: Demand) -> list[Choice]:
        """The devices that one demand might get."""
        return [choice for choice in self.choices if choice.demand is demand]


class Variables(Struct, frozen=True, eq=False, dict=True):
    """All variables of a joint problem.

    `users` are the pods of each claim in queue order. The first of them that is placed has the claim allocated, on its
    own node: `allocates` says so for a pod and a claim. `homes` are there where alignment is wanted: a literal for each
    NUMA node of the node says that all that the pod has lies there.
    """

    joint: JointProblem
    users: Mapping[ClaimRef, tuple[PodDemand, ...]]
    placed: Mapping[PodRef, Literal]
    on: Mapping[PodOnNode, Literal]
    sites: Mapping[ClaimOnNode, Site]
    allocates: Mapping[tuple[ClaimRef, PodRef], Literal]
    left_out: tuple[LeftOut, ...]
    homes: Mapping[PodOnNode, tuple[Literal, ...]]

    @property
    def usage(self) -> Usage:
        """What is in use before the first pod."""
        return self.joint.usage

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """All choices of all claims on all nodes."""
        return tuple(choice for site in self.sites.values() for choice in site.choices)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """One problem per node: what it says of pools, counters and groups is the same for every claim."""
        return tuple({site.at.node: site.problem for site in self.sites.values()}.values())

    @cached_property
    def choices_of_devices(self) -> Mapping[DeviceId, tuple[Choice, ...]]:
        """All choices by device."""
        found: dict[DeviceId, list[Choice]] = {}
        for choice in self.choices:
            found.setdefault(choice.device, []).append(choice)
        return {device: tuple(choices) for device, choices in found.items()}

    @cached_property
    def pods_on(self) -> Mapping[str, tuple[tuple[PodDemand, Literal], ...]]:
        """The pods that might run on each node, in queue order."""
        found: dict[str, list[tuple[PodDemand, Literal]]] = {}
        for pod in self.joint.pods:
            for node, on in self.nodes_of(pod):
                found.setdefault(node, []).append((pod, on))
        return {node: tuple(pods) for node, pods in found.items()}

    @cached_property
    def turn(self) -> Mapping[PodRef, int]:
        """The place of each pod in the queue."""
        return {pod.ref: number for number, pod in enumerate(self.joint.pods)}

    def has_to_join(self, choice: Choice) -> bool:
        """Whether taking the device needs counters and compatibility groups, as far as it has any.

        Not if shares of it are held already, nor by the documented rules for admin access (dra.md §11.4, §18).
        """
        if choice.demand.admin_access and UpstreamFault.ADMIN_PAYS_COUNTERS not in self.joint.features.faults:
            return False
        return not (choice.candidate.is_shareable and choice.device in self.usage.shared)

    def is_shared(self, claim: ClaimRef) -> bool:
        """Whether several pods use the claim."""
        return len(self.users[claim]) > 1

    def sites_of(self, claim: ClaimRef) -> list[Site]:
        """Where the claim might get its devices, nodes by name."""
        nodes = sorted({node for user in self.users[claim] for node in user.nodes})
        return [site for node in nodes if (site := self.sites.get(ClaimOnNode(claim, node))) is not None]

    def nodes_of(self, pod: PodDemand) -> list[tuple[str, Literal]]:
        """Where the pod might run, by name."""
        known = ((node, self.on.get(PodOnNode(pod.ref, node))) for node in sorted(set(pod.nodes)))
        return [(node, literal) for node, literal in known if literal is not None]


def declare(formula: Formula, joint: JointProblem) -> Variables:
    """Make the variables; what cannot be is not there."""
    users = _users(joint)
    left_out: dict[LeftOut, None] = {}
    placed = {pod.ref: formula.new() for pod in joint.pods}
    on = {place: formula.new() for place in _places(joint, users)}
    sites: dict[ClaimOnNode, Site] = {}
    for claim, pods in users.items():
        for node in sorted({node for pod in pods for node in pod.nodes}):
            at = ClaimOnNode(claim, node)
            problem = joint.problems.get(at)
            if problem is None:
                continue
            if problem.refusal is not None:
                left_out[LeftOut(claim, node, problem.refusal.request, problem.refusal.device, problem.refusal)] = None
                continue
            here = on.get(PodOnNode(pods[0].ref, node)) if len(pods) == 1 else formula.new()
            if here is not None:
                sites[at] = _site(formula, at, problem, here, left_out)
    allocates = _allocates(formula, users, placed)
    return Variables(joint, users, placed, on, sites, allocates, tuple(left_out), _homes(formula, joint, on))


def _users(joint: JointProblem) -> dict[ClaimRef, tuple[PodDemand, ...]]:
    found: dict[ClaimRef, dict[PodRef, PodDemand]] = {}
    for pod in joint.pods:
        for claim in pod.claims:
            found.setdefault(claim, {})[pod.ref] = pod
    return {claim: tuple(pods.values()) for claim, pods in found.items()}


def _places(joint: JointProblem, users: Mapping[ClaimRef, tuple[PodDemand, ...]]) -> Iterator[PodOnNode]:
    """Where a pod might run: a claim that is the pod's alone needs devices there."""
    for pod in joint.pods:
        alone = [claim for claim in pod.claims if len(users[claim]) == 1]
        for node in sorted(set(pod.nodes)):
            problems = [joint.problems.get(ClaimOnNode(claim, node)) for claim in alone]
            if all(problem is not None and problem.refusal is None for problem in problems):
                yield PodOnNode(pod.ref, node)


def _allocates(
    formula: Formula, users: Mapping[ClaimRef, tuple[PodDemand, ...]], placed: Mapping[PodRef, Literal]
) -> dict[tuple[ClaimRef, PodRef], Literal]:
    return {
        (claim, pod.ref): placed[pod.ref] if len(pods) == 1 else formula.new()
        for claim, pods in users.items()
        for pod in pods
    }


def _homes(
    formula: Formula, joint: JointProblem, on: Mapping[PodOnNode, Literal]
) -> dict[PodOnNode, tuple[Literal, ...]]:
    return {
        place: tuple(formula.new() for _ in layout.numa_nodes)
        for place in on
        if (layout := joint.layouts.get(place.node)) is not None and place.pod in layout.pods
    }


def _site(formula: Formula, at: ClaimOnNode, problem: Problem, here: Literal, left_out: dict[LeftOut, None]) -> Site:
    """A request's only demand is chosen when the claim is here; "All" devices are taken when their demand is chosen."""
    claim = next(claim for claim in problem.claims if claim.ref == at.claim)
    chosen: dict[Demand, Literal] = {}
    choices: list[Choice] = []
    for number, request in enumerate(claim.requests):
        for demand in request.alternatives:
            chosen[demand] = here if len(request.alternatives) == 1 else formula.new()
            for found in takeable(problem, claim, demand, left_out):
                taken = chosen[demand] if demand.wants_all else formula.new()
                choices.append(Choice(at, number, found.rank, demand, found.candidate, taken))
    return Site(at, claim, problem, here, chosen, tuple(choices))
