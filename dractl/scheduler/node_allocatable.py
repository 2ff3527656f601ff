"""CPU, memory and hugepages that come with devices, or are needed beside them (scheduling.md §7)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from dractl.api.core import (
    Container,
    NodeAllocatableResourceAmount,
    NodeAllocatableResourceClaimStatus,
    NodeAllocatableResourceOverhead,
    Pod,
)
from dractl.api.identities import ClaimRef, DeviceId
from dractl.api.quantity import NANO, Quantity
from dractl.api.resource import (
    AllocationResult,
    Device,
    DeviceRequestAllocationResult,
    NodeAllocatableMapping,
    ResourceClaim,
    ResourceSlice,
)
from dractl.cluster.node_state import NodeState
from dractl.cluster.requests import CPU, MEMORY, Amounts, container_requests, pod_level_requests, rounded_up
from dractl.problem.faults import AllocationFault
from dractl.scheduler.filters import shortage
from dractl.scheduler.pod_claims import PodClaim
from dractl.scheduler.refusal import Code, Plugin, Refused
from dractl.solution.outcomes import DeviceResources

GATE: Final = "DRANodeAllocatableResources"
_COUNTED: Final = (CPU, MEMORY, "ephemeral-storage")
_SPECIAL: Final = "<extended-resources>"
"""The name under which a pod's status has the claim that is made for its extended resources."""


class NodeAllocatable(Struct, frozen=True):
    """What the devices of a pod's claims take of the node: for the pod's status, and as amounts in nano-units."""

    statuses: tuple[NodeAllocatableResourceClaimStatus, ...] = ()
    amounts: Amounts = field(default_factory=dict)


class _Sums(Struct):
    """Over the devices of one claim, by resource name."""

    mapping: dict[str, Quantity] = field(default_factory=dict)
    per_pod: dict[str, Quantity] = field(default_factory=dict)
    per_container: dict[str, Quantity] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.mapping or self.per_pod or self.per_container)


def of_claims(
    pod: Pod,
    claims: Sequence[PodClaim],
    allocations: Mapping[ClaimRef, AllocationResult],
    slices: Sequence[ResourceSlice],
    special: ClaimRef | None,
) -> NodeAllocatable | AllocationFault:
    """What the allocations mean for the node on which `slices` apply; `special` is the claim for extended resources."""
    statuses: list[NodeAllocatableResourceClaimStatus] = []
    total: dict[str, int] = {}
    by_name = {_SPECIAL if ref == special else ref.name: ref for ref in allocations}
    for name, ref in sorted(by_name.items()):
        sums = _Sums()
        for result in allocations[ref].devices.results or ():
            device = _device(result, slices)
            if device is not None and (fault := _add(sums, device, result, ref)) is not None:
                return fault
        if not sums:
            continue
        containers = _users(pod, [each.entry for each in claims if each.claim == ref])
        statuses.append(_status(name, sums, containers))
        total = _plus(total, _amounts(sums, len(containers)))
    return NodeAllocatable(tuple(statuses), total)


def has_mapped_device(claim: ResourceClaim, slices: Sequence[ResourceSlice]) -> bool:
    """Whether any device of an allocated claim stands for CPU, memory or hugepages: it may serve one consumer only."""
    allocation = claim.status.allocation
    results = (allocation.devices.results if allocation is not None else None) or ()
    devices = (_device(result, slices) for result in results)
    return any(
        resource.mapping is not None
        for device in devices
        if device is not None
        for resource in (device.nodeAllocatableResources or {}).values()
    )


def refuse(pod: Pod, node: NodeState, found: NodeAllocatable) -> Refused | None:
    """Whether the node has what containers and devices take together (scheduling.md §7.2)."""
    if not found.statuses:
        return None
    level = pod_level_requests(pod)
    together = _plus(container_requests(pod), found.amounts)
    for name in sorted(level):
        if together.get(name, 0) > level[name].nano:
            text = (
                f"pod level request for {name} is insufficient to cover "
                "the aggregated container and node-allocatable DRA requests"
            )
            return Refused(Plugin.DEVICES, Code.UNRESOLVABLE, (DeviceResources(text),), (text,))
    if (limited := _beyond_limits(pod, found)) is not None:
        return limited
    together |= {name: amount.nano for name, amount in level.items()}
    together = _plus(together, {name: amount.nano for name, amount in (pod.spec.overhead or {}).items()})
    asked = {name: rounded_up(name, amount) for name, amount in together.items() if _is_counted(name) and amount}
    short = shortage(asked, node) if node.allocatable is not None else None
    return replace(short, plugin=Plugin.DEVICES) if short is not None else None


def beyond_pod_level(pod: Pod, found: NodeAllocatable) -> Amounts:
    """What counts on the node beside the pod's own requests: pod-level requests stand for all of what they name."""
    level = pod_level_requests(pod)
    return {name: rounded_up(name, amount) for name, amount in found.amounts.items() if name not in level}


# --- what devices take -----------------------------------------------------------------------------------------------


def _device(result: DeviceRequestAllocationResult, slices: Iterable[ResourceSlice]) -> Device | None:
    """The device in the first slice that lists it, of any generation."""
    for slice_ in slices:
        if (slice_.spec.driver, slice_.spec.pool.name) == (result.driver, result.pool):
            for device in slice_.spec.devices or ():
                if device.name == result.device:
                    return device
    return None


def _add(sums: _Sums, device: Device, result: DeviceRequestAllocationResult, claim: ClaimRef) -> AllocationFault | None:
    for name, resource in (device.nodeAllocatableResources or {}).items():
        if resource.mapping is not None:
            if resource.mapping.capacityKey is not None and result.consumedCapacity is None:
                return _nothing_consumed(claim, result, resource.mapping.capacityKey, name)
            mapped = _mapped(resource.mapping, result)
            if mapped is not None:
                _increase(sums.mapping, name, mapped)
        if resource.overhead is not None:
            if resource.overhead.perPod is not None:
                _increase(sums.per_pod, name, resource.overhead.perPod)
            if resource.overhead.perContainer is not None:
                _increase(sums.per_container, name, resource.overhead.perContainer)
    return None


def _nothing_consumed(
    claim: ClaimRef, result: DeviceRequestAllocationResult, key: str, resource: str
) -> AllocationFault:
    text = (
        f"claim {claim}, device {result.device}: ConsumedCapacity is nil, but Capacity key '{key}' is set "
        f"in NodeAllocatableResources for resource {resource}"
    )
    return AllocationFault(text, device=DeviceId(result.driver, result.pool, result.device))


def _mapped(mapping: NodeAllocatableMapping, result: DeviceRequestAllocationResult) -> Quantity | None:
    if mapping.capacityKey is None:
        return mapping.deviceMultiplier
    consumed = (result.consumedCapacity or {}).get(mapping.capacityKey)
    if consumed is None:
        return None
    factor = mapping.capacityMultiplier.nano if mapping.capacityMultiplier is not None else NANO
    return Quantity(-(-consumed.nano * factor // NANO), consumed.format)


def _increase(sums: dict[str, Quantity], name: str, amount: Quantity) -> None:
    sums[name] = sums[name] + amount if name in sums else amount


def _users(pod: Pod, entries: Sequence[str]) -> list[str]:
    """Containers that name the claim in `resources.claims`, once for each reference."""
    containers: list[Container] = [*(pod.spec.initContainers or ()), *(pod.spec.containers or ())]
    return [each.name for each in containers for use in each.resources.claims or () if use.name in entries]


def _status(claim: str, sums: _Sums, containers: list[str]) -> NodeAllocatableResourceClaimStatus:
    overhead = [
        NodeAllocatableResourceOverhead(
            name=name, perPod=sums.per_pod.get(name), perContainer=sums.per_container.get(name)
        )
        for name in sorted({*sums.per_pod, *sums.per_container})
    ]
    mapping = [NodeAllocatableResourceAmount(name=name, quantity=sums.mapping[name]) for name in sorted(sums.mapping)]
    return NodeAllocatableResourceClaimStatus(
        resourceClaimName=claim, containers=containers or None, mapping=mapping or None, overhead=overhead or None
    )


def _amounts(sums: _Sums, containers: int) -> dict[str, int]:
    total = {name: amount.nano for name, amount in sums.mapping.items()}
    total = _plus(total, {name: amount.nano for name, amount in sums.per_pod.items()})
    return _plus(total, {name: amount.nano * containers for name, amount in sums.per_container.items()})


def _plus(one: Amounts, other: Amounts) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}


def _is_counted(name: str) -> bool:
    return name in _COUNTED or name.startswith("hugepages-")


# --- limits ----------------------------------------------------------------------------------------------------------


def _beyond_limits(pod: Pod, found: NodeAllocatable) -> Refused | None:
    """Pod-level limits have to cover what devices add to the containers' limits (scheduling.md §7.2)."""
    text = next(_limit_problems(pod, found), None)
    return None if text is None else Refused(Plugin.DEVICES, Code.UNRESOLVABLE, (DeviceResources(text),), (text,))


def _limit_problems(pod: Pod, found: NodeAllocatable) -> Iterator[str]:
    limits = (pod.spec.resources.limits if pod.spec.resources is not None else None) or {}
    containers: list[Container] = [*(pod.spec.initContainers or ()), *(pod.spec.containers or ())]
    for name in sorted(limits):
        own = [amount.nano for each in containers if (amount := (each.resources.limits or {}).get(name)) is not None]
        if name.startswith("hugepages-") and sum(own) + found.amounts.get(name, 0) > limits[name].nano:
            yield (
                f"pod level limit for {name} is insufficient to cover "
                "the aggregated container and node-allocatable DRA limits"
            )
        for container in containers:
            limit = (container.resources.limits or {}).get(name)
            if limit is not None and limit.nano + _overhead(found, container, name) > limits[name].nano:
                yield (
                    f"pod level limit for {name} is insufficient to cover "
                    f"the limit and DRA overhead for container {container.name}"
                )


def _overhead(found: NodeAllocatable, container: Container, name: str) -> int:
    """What the devices of a container's claims add to it."""
    return sum(
        each.perContainer.nano
        for status in found.statuses
        if container.name in (status.containers or ())
        for each in status.overhead or ()
        if each.name == name and each.perContainer is not None
    )
