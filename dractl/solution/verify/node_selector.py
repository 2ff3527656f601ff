"""An allocation says on which nodes its devices can be used (dra.md §17)."""

from collections.abc import Iterator

import msgspec

from dractl.api.base import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dractl.api.selectors import matches_node
from dractl.cluster.features import Implementation
from dractl.cluster.pools import PoolDevice
from dractl.solution.verify.attempt import AllocatedClaim, Attempt
from dractl.solution.verify.violations import Breach


def the_node_selector_is_that_of_the_devices(attempt: Attempt) -> Iterator[Breach]:
    """This node alone if any device is bound to it, else the requirements of all devices, each once and in order."""
    for claim in attempt.claims:
        if any(_is_bound_to_its_node(take.device, attempt) for take in claim.takes):
            wanted: NodeSelector | None = _only(attempt.problem.node.metadata.name)
        else:
            wanted = _merged(claim)
        if claim.allocation.nodeSelector != wanted:
            yield Breach("the node selector is not that of the devices", claim.ref)


def device_selectors_can_be_merged(attempt: Attempt) -> Iterator[Breach]:
    """Terms are alternatives, so a selector with several cannot be joined with others: the allocator fails."""
    for claim in attempt.claims:
        for take in claim.takes:
            if _is_bound_to_its_node(take.device, attempt):
                break
            selector = _selector_of(take.device)
            if selector is not None and len(selector.nodeSelectorTerms or ()) > 1:
                yield Breach("the device's node selector has several terms", claim.ref, take.id)


def the_node_selector_admits_the_node(attempt: Attempt) -> Iterator[Breach]:
    """The pod can run where its devices are."""
    for claim in attempt.claims:
        selector = claim.allocation.nodeSelector
        if selector is not None and not matches_node(selector, attempt.problem.node):
            yield Breach(f"the node selector excludes node {attempt.problem.node.metadata.name}", claim.ref)


def _is_bound_to_its_node(device: PoolDevice, attempt: Attempt) -> bool:
    spec = device.slice.spec
    own = device.device.nodeName if spec.perDeviceNodeSelection else None
    knows_binding = attempt.problem.features.implementation is not Implementation.STABLE
    return spec.nodeName is not None or own is not None or (knows_binding and bool(device.device.bindsToNode))


def _selector_of(device: PoolDevice) -> NodeSelector | None:
    owner = device.device if device.slice.spec.perDeviceNodeSelection else device.slice.spec
    return owner.nodeSelector


def _merged(claim: AllocatedClaim) -> NodeSelector | None:
    terms = [
        term
        for take in claim.takes
        if (selector := _selector_of(take.device)) is not None
        for term in selector.nodeSelectorTerms or ()
    ]
    labels = _each_once([requirement for term in terms for requirement in term.matchExpressions or ()])
    fields = _each_once([requirement for term in terms for requirement in term.matchFields or ()])
    if not labels and not fields:
        return None
    term = NodeSelectorTerm(matchExpressions=labels or None, matchFields=fields or None)
    return NodeSelector(nodeSelectorTerms=[term])


def _each_once(requirements: list[NodeSelectorRequirement]) -> list[NodeSelectorRequirement]:
    """The first of those that have the same key, operator and set of values."""
    kept: dict[tuple[str, str, frozenset[str]], NodeSelectorRequirement] = {}
    for requirement in requirements:
        identity = (requirement.key, requirement.operator, frozenset(requirement.values or ()))
        kept.setdefault(identity, msgspec.structs.replace(requirement, values=requirement.values or None))
    return list(kept.values())


def _only(node: str) -> NodeSelector:
    here = NodeSelectorRequirement(key="metadata.name", operator="In", values=[node])
    return NodeSelector(nodeSelectorTerms=[NodeSelectorTerm(matchFields=[here])])
