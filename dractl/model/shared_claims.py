"""Claims that several pods use: allocated once, usable where each of them runs (dra.md §17)."""

from typing import Final

from dractl.api.base import NodeSelector
from dractl.api.core import Node
from dractl.api.identities import ClaimRef
from dractl.api.selectors import matches_node
from dractl.cluster.features import Features, Implementation
from dractl.cluster.pools import PoolDevice
from dractl.model.formula import Formula, opposite
from dractl.model.variables import PodOnNode, Variables

USERS_PER_CLAIM: Final = 256
"""The API server refuses more entries in `status.reservedFor` (scheduling.md §3.3)."""


def the_first_placed_pod_has_the_claim_allocated(formula: Formula, variables: Variables) -> None:
    """The first in queue order; if none of the pods is placed, nobody does."""
    for claim in _shared(variables):
        placed = [variables.placed[pod.ref] for pod in variables.users[claim]]
        allocates = [variables.allocates[claim, pod.ref] for pod in variables.users[claim]]
        for number, (is_placed, is_first) in enumerate(zip(placed, allocates, strict=True)):
            formula.implies(is_first, is_placed)
            for earlier in placed[:number]:
                formula.implies(is_first, opposite(earlier))
            formula.at_least_one([opposite(is_placed), *placed[:number], is_first])


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
    """A local device binds the allocation to its node; otherwise every device's node selector has to match."""
    for claim in _shared(variables):
        nodes = sorted({node for pod in variables.users[claim] for node in pod.nodes})
        for site in variables.sites_of(claim):
            for choice in site.choices:
                device, features = choice.candidate.device, site.problem.features
                for node in nodes:
                    if node != site.at.node and not _is_usable(device, variables.joint.nodes[node], features):
                        for pod in variables.users[claim]:
                            on = variables.on.get(PodOnNode(pod.ref, node))
                            if on is not None:
                                formula.at_least_one([opposite(choice.taken), opposite(on)])


def a_claim_has_no_more_users_than_can_be_recorded(formula: Formula, variables: Variables) -> None:
    """`status.reservedFor` is limited."""
    for pods in variables.users.values():
        if len(pods) > USERS_PER_CLAIM:
            formula.at_most([variables.placed[pod.ref] for pod in pods], USERS_PER_CLAIM)


def several_selector_terms_come_after_a_local_device(formula: Formula, variables: Variables) -> None:
    """A device whose selector has not exactly one term spoils the allocation, unless a local device came before it."""
    for site in variables.sites.values():
        features = site.problem.features
        local = [choice for choice in site.choices if _is_local(choice.candidate.device, features)]
        for choice in site.choices:
            device = choice.candidate.device
            selector = None if _is_local(device, features) else _selector(device)
            if selector is not None and len(selector.nodeSelectorTerms or ()) != 1:
                before = [other.taken for other in local if other.position < choice.position]
                formula.at_least_one([opposite(choice.taken), *before])


def _shared(variables: Variables) -> list[ClaimRef]:
    return [claim for claim in variables.users if variables.is_shared(claim)]


def _is_usable(device: PoolDevice, node: Node, features: Features) -> bool:
    if _is_local(device, features):
        return False
    selector = _selector(device)
    return selector is None or matches_node(selector, node)


def _is_local(device: PoolDevice, features: Features) -> bool:
    """On one node alone, or bound to the node where it is taken."""
    if device.slice.spec.nodeName is not None:
        return True
    if device.slice.spec.perDeviceNodeSelection and device.device.nodeName is not None:
        return True
    return bool(device.device.bindsToNode) and features.implementation is not Implementation.STABLE


def _selector(device: PoolDevice) -> NodeSelector | None:
    """The node selector of a device that is not local, None if it can be used everywhere."""
    where = device.device if device.slice.spec.perDeviceNodeSelection else device.slice.spec
    return None if where.allNodes else where.nodeSelector
