"""Small worlds and hand-written allocations, so that a test reads like a sentence."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dractl.api.base import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, ObjectMeta, Taint
from dractl.api.codec import to_api
from dractl.api.core import Node
from dractl.api.identities import ClaimRef
from dractl.api.quantity import Quantity
from dractl.api.resource import (
    AllocationResult,
    CapacityRequirements,
    Counter,
    CounterSet,
    Device,
    DeviceAllocationConfiguration,
    DeviceAllocationResult,
    DeviceAttribute,
    DeviceClaim,
    DeviceClaimConfiguration,
    DeviceClass,
    DeviceConstraint,
    DeviceCounterConsumption,
    DeviceRequest,
    DeviceRequestAllocationResult,
    DeviceSubRequest,
    ExactDeviceRequest,
    OpaqueDeviceConfiguration,
    ResourceClaim,
    ResourceClaimSpec,
    ResourceClaimStatus,
    ResourcePool,
    ResourceSlice,
    ResourceSliceSpec,
)
from dractl.cluster.features import Features
from dractl.cluster.pools import PoolIndex
from dractl.cluster.usage import Usage
from dractl.problem.demands import demands_of
from dractl.problem.problem import Problem, build_problem
from dractl.solution.verify import check_allocations

DRIVER: Final = "gpu.example.com"
NUMA: Final = f"{DRIVER}/numa"
GPU: Final = DeviceClass(metadata=ObjectMeta(name="gpu"))
TAINTED: Final = Taint(key="broken", value="yes", effect="NoSchedule")


def node(name: str = "node-a", **labels: str) -> Node:
    return Node(metadata=ObjectMeta(name=name, labels=labels))


# --- what drivers publish --------------------------------------------------------------------------------------------


def device(name: str, **fields: Any) -> Device:
    """A device from its API fields; quantities, counters and so on may be plain data."""
    return to_api({"name": name, **fields}, Device)


def numa(name: str, *nodes: int, **fields: Any) -> Device:
    """A device on one NUMA node, or with a list of several."""
    value = DeviceAttribute(int=nodes[0]) if len(nodes) == 1 else DeviceAttribute(ints=list(nodes))
    return Device(name=name, attributes={"numa": value}, **fields)


def partition(name: str, uses: int, *groups: str, of: str = "board", **fields: Any) -> Device:
    """A device that consumes memory of a counter set, and may name compatibility groups there."""
    use = DeviceCounterConsumption(
        counterSet=of,
        counters={"memory": Counter(value=Quantity.of(uses))},
        compatibilityGroups=list(groups) or None,
    )
    return Device(name=name, consumesCounters=[use], **fields)


def published(*devices: Device, on: str | None = "node-a", pool: str = "pool", **spec: Any) -> ResourceSlice:
    """A slice that is the whole pool, local to a node unless `on` is None."""
    return ResourceSlice(
        metadata=ObjectMeta(name=f"slice-{pool}"),
        spec=ResourceSliceSpec(
            driver=DRIVER,
            pool=ResourcePool(name=pool, generation=1, resourceSliceCount=1),
            nodeName=on,
            devices=list(devices),
            **spec,
        ),
    )


def partitioned(memory: int, *devices: Device, sets: Sequence[str] = ("board",)) -> list[ResourceSlice]:
    """A pool of two slices: counter sets with that much memory each, and devices."""
    counters = [CounterSet(name=name, counters={"memory": Counter(value=Quantity.of(memory))}) for name in sets]
    spec: dict[str, Any] = {"driver": DRIVER, "pool": ResourcePool(name="pool", generation=1, resourceSliceCount=2)}
    return [
        ResourceSlice(
            metadata=ObjectMeta(name="slice-counters"),
            spec=ResourceSliceSpec(nodeName="node-a", sharedCounters=counters, **spec),
        ),
        ResourceSlice(
            metadata=ObjectMeta(name="slice-devices"),
            spec=ResourceSliceSpec(nodeName="node-a", devices=list(devices), **spec),
        ),
    ]


# --- what claims ask -------------------------------------------------------------------------------------------------


def wants(name: str, count: int = 1, **fields: Any) -> DeviceRequest:
    asked: dict[str, Any] = {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": count, **_asked(fields)}
    return DeviceRequest(name=name, exactly=ExactDeviceRequest(**asked))


def wants_all(name: str, **fields: Any) -> DeviceRequest:
    asked: dict[str, Any] = {"deviceClassName": "gpu", "allocationMode": "All", **_asked(fields)}
    return DeviceRequest(name=name, exactly=ExactDeviceRequest(**asked))


def wants_first_of(name: str, **counts: int) -> DeviceRequest:
    """A prioritized request whose alternatives are named and want so many devices each."""
    alternatives = [
        DeviceSubRequest(name=alternative, deviceClassName="gpu", allocationMode="ExactCount", count=count)
        for alternative, count in counts.items()
    ]
    return DeviceRequest(name=name, firstAvailable=alternatives)


def claim(
    name: str,
    *requests: DeviceRequest,
    constraints: Sequence[DeviceConstraint] = (),
    config: Sequence[DeviceClaimConfiguration] = (),
) -> ResourceClaim:
    devices = DeviceClaim(requests=list(requests), constraints=list(constraints), config=list(config))
    return ResourceClaim(metadata=ObjectMeta(namespace="lab", name=name), spec=ResourceClaimSpec(devices=devices))


def match(*requests: str) -> DeviceConstraint:
    return DeviceConstraint(matchAttribute=NUMA, requests=list(requests) or None)


def distinct(*requests: str) -> DeviceConstraint:
    return DeviceConstraint(distinctAttribute=NUMA, requests=list(requests) or None)


def opaque(text: str) -> OpaqueDeviceConfiguration:
    return OpaqueDeviceConfiguration(driver=DRIVER, parameters={"text": text})


def _asked(fields: Mapping[str, Any]) -> dict[str, Any]:
    known = dict(fields)
    if "capacity" in known:
        amounts = {name: Quantity.parse(text) for name, text in known["capacity"].items()}
        known["capacity"] = CapacityRequirements(requests=amounts)
    return known


# --- what was allocated ----------------------------------------------------------------------------------------------


def took(request: str, device_name: str, *, pool: str = "pool", **fields: Any) -> DeviceRequestAllocationResult:
    plain = {"request": request, "driver": DRIVER, "pool": pool, "device": device_name, **fields}
    return to_api(plain, DeviceRequestAllocationResult)


def only_on(name: str) -> NodeSelector:
    here = NodeSelectorRequirement(key="metadata.name", operator="In", values=[name])
    return NodeSelector(nodeSelectorTerms=[NodeSelectorTerm(matchFields=[here])])


HERE: Final = only_on("node-a")


def where(*requirements: tuple[str, str]) -> NodeSelector:
    """A selector that wants these labels to have these values."""
    expressions = [NodeSelectorRequirement(key=key, operator="In", values=[value]) for key, value in requirements]
    return NodeSelector(nodeSelectorTerms=[NodeSelectorTerm(matchExpressions=expressions)])


def allocation(
    *results: DeviceRequestAllocationResult,
    usable: NodeSelector | None = HERE,
    config: Sequence[DeviceAllocationConfiguration] = (),
) -> AllocationResult:
    devices = DeviceAllocationResult(results=list(results), config=list(config) or None)
    return AllocationResult(devices=devices, nodeSelector=usable)


def holding(name: str, *results: DeviceRequestAllocationResult) -> ResourceClaim:
    """A claim that has its devices already."""
    return ResourceClaim(
        metadata=ObjectMeta(namespace="lab", name=name),
        status=ResourceClaimStatus(allocation=allocation(*results)),
    )


# --- what the checker says -------------------------------------------------------------------------------------------


def problem(
    slices: Sequence[ResourceSlice],
    *claims: ResourceClaim,
    held: Sequence[ResourceClaim] = (),
    features: Features | None = None,
    classes: Sequence[DeviceClass] = (GPU,),
    here: Node | None = None,
) -> Problem:
    """The problem of these claims on `node-a`, with every feature on unless others are given."""
    enabled = features or Features()
    place = here or node()
    by_name = {each.metadata.name: each for each in classes}
    pools = PoolIndex(slices, enabled).for_node(place)
    demands = [demands_of(each, by_name, enabled) for each in claims]
    return build_problem(place, pools, demands, Usage.of(held, enabled), enabled)


def broken(asked: Problem, *allocations: AllocationResult) -> set[str]:
    """The rules that these allocations break."""
    return {violation.rule for violation in check_allocations(asked, allocations)}


def ref(name: str) -> ClaimRef:
    return ClaimRef("lab", name)
