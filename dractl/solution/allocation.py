"""From the picks of a claim to the AllocationResult that the API server would store (dra.md §17)."""

from collections.abc import Iterable, Mapping
from uuid import NAMESPACE_URL, uuid5

import msgspec

from dractl.api.base import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dractl.api.identities import DeviceId, RequestRef
from dractl.api.quantity import Quantity
from dractl.api.resource import (
    AllocationResult,
    DeviceAllocationConfiguration,
    DeviceAllocationResult,
    DeviceClass,
    DeviceRequestAllocationResult,
)
from dractl.cluster.features import Features, Implementation
from dractl.cluster.pools import PoolDevice
from dractl.problem.capacity import CapacityShare
from dractl.problem.demands import ClaimDemand, Demand
from dractl.problem.faults import AllocationFault
from dractl.problem.problem import Problem
from dractl.solution.picks import ClaimPicks, Pick


def build_allocation(problem: Problem, picked: ClaimPicks) -> AllocationResult | AllocationFault:
    """The allocation of one claim; the time of allocation is the caller's to add."""
    devices = [pick.candidate.device for pick in picked.picks]
    node_selector = _node_selector(problem, picked.claim, devices)
    if isinstance(node_selector, AllocationFault):
        return node_selector
    results = [_result(pick, problem.features) for pick in picked.picks]
    configs = _configs(picked)
    return AllocationResult(
        devices=DeviceAllocationResult(results=results or None, config=configs or None), nodeSelector=node_selector
    )


def share_id(request: RequestRef, device: DeviceId) -> str:
    """A share's id, random in a cluster; here always the same for the same request and device."""
    return str(uuid5(NAMESPACE_URL, f"dractl:share:{request}:{device}"))


def _result(pick: Pick, features: Features) -> DeviceRequestAllocationResult:
    demand, device = pick.demand, pick.candidate.device
    is_share = pick.candidate.is_shareable
    experimental = features.implementation is Implementation.EXPERIMENTAL
    return DeviceRequestAllocationResult(
        request=demand.ref.name,
        driver=device.id.driver,
        pool=device.id.pool,
        device=device.id.device,
        adminAccess=True if demand.admin_access else None,
        tolerations=list(demand.tolerations) or None,
        bindingConditions=(device.device.bindingConditions or None) if features.binding_conditions else None,
        bindingFailureConditions=(device.device.bindingFailureConditions or None)
        if features.binding_conditions
        else None,
        shareID=share_id(demand.ref, device.id) if is_share else None,
        consumedCapacity=_consumed(pick) if is_share else None,
        skipNodeOperations=(device.slice.spec.skipNodeOperations or None) if experimental else None,
    )


def _consumed(pick: Pick) -> dict[str, Quantity] | None:
    share = pick.candidate.share
    return dict(share.amounts) or None if isinstance(share, CapacityShare) else None


# --- configuration ---------------------------------------------------------------------------------------------------


def _configs(picked: ClaimPicks) -> list[DeviceAllocationConfiguration]:
    """Configs of the classes met, in order of requests, then those of the claim that still concern something."""
    chosen = picked.chosen()
    entries = _class_configs(picked.claim, chosen)
    selected = {request.name for request in picked.claim.requests} | {demand.ref.name for demand in chosen.values()}
    for config in picked.claim.configs:
        if not config.requests or any(name in selected for name in config.requests):
            entries.append(
                DeviceAllocationConfiguration(source="FromClaim", requests=config.requests, opaque=config.opaque)
            )
    return [_without_redundant_requests(entry, picked.claim, chosen) for entry in entries]


def _class_configs(claim: ClaimDemand, chosen: Mapping[str, Demand]) -> list[DeviceAllocationConfiguration]:
    """A class that is met again adds the request's name to the entries that are there."""
    users: dict[str, tuple[DeviceClass, list[str]]] = {}
    for request in claim.requests:
        demand = chosen.get(request.name)
        if demand is not None and demand.device_class is not None:
            device_class = demand.device_class
            users.setdefault(device_class.metadata.name, (device_class, []))[1].append(demand.ref.name)
    return [
        DeviceAllocationConfiguration(source="FromClass", requests=names, opaque=config.opaque)
        for device_class, names in users.values()
        for config in device_class.spec.config or ()
    ]


def _without_redundant_requests(
    entry: DeviceAllocationConfiguration, claim: ClaimDemand, chosen: Mapping[str, Demand]
) -> DeviceAllocationConfiguration:
    """An entry that names every request of the claim is written as one for all of them."""
    named = entry.requests or ()
    covered = all(
        request.name in named or (request.name in chosen and chosen[request.name].ref.name in named)
        for request in claim.requests
    )
    return DeviceAllocationConfiguration(
        source=entry.source, requests=None if covered else entry.requests or None, opaque=entry.opaque
    )


# --- node selector ---------------------------------------------------------------------------------------------------


def _node_selector(
    problem: Problem, claim: ClaimDemand, devices: Iterable[PoolDevice]
) -> NodeSelector | AllocationFault | None:
    """Where the allocated devices can be used: on this node alone as soon as one of them is local."""
    expressions: list[NodeSelectorRequirement] = []
    fields: list[NodeSelectorRequirement] = []
    for device in devices:
        if _is_local(device, problem.features):
            return _only(problem.node.metadata.name)
        selector = _selector_of(device)
        terms = (selector.nodeSelectorTerms if selector else None) or []
        if not terms:
            continue
        if len(terms) > 1:
            text = (
                f"create NodeSelector for claim {claim.ref.name}: "
                f"unsupported ResourceSlice.NodeSelector with {len(terms)} terms"
            )
            return AllocationFault(text, device=device.id)
        _add_requirements(expressions, terms[0].matchExpressions)
        _add_requirements(fields, terms[0].matchFields)
    if not expressions and not fields:
        return None
    term = NodeSelectorTerm(matchExpressions=expressions or None, matchFields=fields or None)
    return NodeSelector(nodeSelectorTerms=[term])


def _is_local(device: PoolDevice, features: Features) -> bool:
    if device.slice.spec.nodeName is not None:
        return True
    if device.slice.spec.perDeviceNodeSelection and device.device.nodeName is not None:
        return True
    return bool(device.device.bindsToNode) and features.implementation is not Implementation.STABLE


def _selector_of(device: PoolDevice) -> NodeSelector | None:
    per_device = device.slice.spec.perDeviceNodeSelection
    return device.device.nodeSelector if per_device else device.slice.spec.nodeSelector


def _only(node: str) -> NodeSelector:
    requirement = NodeSelectorRequirement(key="metadata.name", operator="In", values=[node])
    return NodeSelector(nodeSelectorTerms=[NodeSelectorTerm(matchFields=[requirement])])


def _add_requirements(
    into: list[NodeSelectorRequirement], requirements: Iterable[NodeSelectorRequirement] | None
) -> None:
    for requirement in requirements or ():
        if not any(_same(requirement, known) for known in into):
            into.append(msgspec.structs.replace(requirement, values=requirement.values or None))


def _same(one: NodeSelectorRequirement, other: NodeSelectorRequirement) -> bool:
    return (one.key, one.operator, set(one.values or ())) == (other.key, other.operator, set(other.values or ()))
