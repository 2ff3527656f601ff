"""Claims that several pods use: allocated once, usable where each of them runs (dra.md §17)."""

from dractl.api.base import NodeSelectorTerm
from dractl.api.core import Node
from dractl.api.identities import ClaimRef
from dractl.api.selectors import matches_term
from dractl.cluster.availability import OPTIONAL_NODE_OPERATIONS
from dractl.cluster.features import Features, Implementation
from dractl.cluster.pools import PoolDevice
from dractl.model.formula import Formula, Literal, opposite
from dractl.model.variables import Variables


def the_first_placed_pod_has_the_claim_allocated(formula: Formula, variables: Variables) -> None:
    """The first in queue order; if none of the pods is placed, nobody does."""
    for claim in _shared(variables):
        somebody: list[Literal] = []
        for pod in variables.users[claim]:
            placed, is_first = variables.placed[pod.ref], variables.allocates[claim, pod.ref]
            formula.implies(is_first, placed)
            for before in somebody:
                formula.implies(is_first, opposite(before))
            formula.at_least_one([opposite(placed), *somebody, is_first])
            somebody = [formula.any_of([*somebody, placed])]


def it_is_allocated_on_that_pods_node(formula: Formula, variables: Variables) -> None:
    """And nowhere else: each of these claims has at most one place."""
    for claim in _shared(variables):
        pods = variables.users[claim]
        sites = {site.at.node: site for site in variables.sites_of(claim)}
        formula.at_most_one(site.here for site in sites.values())
        for site in sites.values():
            formula.at_least_one([opposite(site.here), *(variables.placed[pod.ref] for pod in pods)])
        for pod in pods:
            is_first = variables.allocates[claim, pod.ref]
            for node, on in variables.nodes_of(pod):
                here = [sites[node].here] if node in sites else []
                formula.at_least_one([opposite(is_first), opposite(on), *here])


def it_is_usable_where_its_pods_run(formula: Formula, variables: Variables) -> None:
    """On every other node, the devices have to be reachable, and their drivers' operations possible."""
    for claim in _shared(variables):
        elsewhere = [(node, variables.joint.nodes[node], on) for node, on in _users_on(variables, claim)]
        for site in variables.sites_of(claim):
            for choice in site.choices:
                device, features = choice.candidate.device, site.problem.features
                for name, node, on in elsewhere:
                    if name != site.at.node and not _is_usable(device, node, features):
                        formula.at_least_one([opposite(choice.taken), opposite(on)])


def a_claim_has_no_more_consumers_than_can_be_recorded(formula: Formula, variables: Variables) -> None:
    """`status.reservedFor` is limited; the pods of a group are one entry of it."""
    placed = variables.placed
    for consumers in variables.joint.consumers:
        wanting = [[placed[ref] for ref in pods if ref in placed] for pods in consumers.pods]
        formula.at_most([formula.any_of(literals) for literals in wanting if literals], consumers.room)


def several_selector_terms_come_after_a_local_device(formula: Formula, variables: Variables) -> None:
    """A device whose selector has several terms spoils the allocation, unless a local device came before it."""
    for site in variables.sites.values():
        features = site.problem.features
        local = [choice for choice in site.choices if _is_local(choice.candidate.device, features)]
        for choice in site.choices:
            device = choice.candidate.device
            if not _is_local(device, features) and len(_terms(device)) > 1:
                before = [other.taken for other in local if other.position < choice.position]
                formula.at_least_one([opposite(choice.taken), *before])


def _shared(variables: Variables) -> list[ClaimRef]:
    return [claim for claim in variables.users if variables.is_shared(claim)]


def _users_on(variables: Variables, claim: ClaimRef) -> list[tuple[str, Literal]]:
    """Every node where a pod that uses the claim might run, with the literal of that."""
    return [(node, on) for pod in variables.users[claim] for node, on in variables.nodes_of(pod)]


def _is_usable(device: PoolDevice, node: Node, features: Features) -> bool:
    """Whether an allocation of the device that was made on another node can be used here."""
    if _is_local(device, features):
        return False
    skips = device.slice.spec.skipNodeOperations and features.implementation is Implementation.EXPERIMENTAL
    if skips and OPTIONAL_NODE_OPERATIONS not in (node.status.declaredFeatures or ()):
        return False
    return all(matches_term(term, node) for term in _terms(device) if term.matchExpressions or term.matchFields)


def _is_local(device: PoolDevice, features: Features) -> bool:
    """On one node alone, or bound to the node where it is taken."""
    if device.slice.spec.nodeName is not None:
        return True
    if device.slice.spec.perDeviceNodeSelection and device.device.nodeName is not None:
        return True
    return bool(device.device.bindsToNode) and features.implementation is not Implementation.STABLE


def _terms(device: PoolDevice) -> list[NodeSelectorTerm]:
    """The terms of the device's node selector; none means that it can be used everywhere."""
    where = device.device if device.slice.spec.perDeviceNodeSelection else device.slice.spec
    return (where.nodeSelector.nodeSelectorTerms if where.nodeSelector else None) or []
