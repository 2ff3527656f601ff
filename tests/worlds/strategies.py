"""Small random worlds in which rules decide: few devices, several of the reasons for which one cannot be taken."""

from typing import TypeVar

import msgspec
from hypothesis import strategies as st

from dractl.api.base import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, ObjectMeta, Taint, Toleration
from dractl.api.core import Node, NodeStatus
from dractl.api.quantity import Quantity
from dractl.api.resource import (
    AllocationResult,
    CapacityRange,
    CapacityRequestPolicy,
    CapacityRequirements,
    Counter,
    CounterSet,
    Device,
    DeviceAllocationResult,
    DeviceAttribute,
    DeviceCapacity,
    DeviceClaim,
    DeviceConstraint,
    DeviceCounterConsumption,
    DeviceRequest,
    DeviceRequestAllocationResult,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimSpec,
    ResourceClaimStatus,
    ResourcePool,
    ResourceSlice,
    ResourceSliceSpec,
)
from dractl.cluster.features import GATES, Features
from dractl.cluster.upstream import FAULTS_OF_V1_37_2, UpstreamFault
from tests.worlds.brute_rules import OPERATIONS
from tests.worlds.world import NAMESPACE, World, WorldPod

T = TypeVar("T")

GPU, NIC = "gpu.example.com", "nic.example.com"
CLASSES = {"gpu": GPU, "nic": NIC, "any": None}
ALL_GATES = (*GATES.values(), "DRAResourceClaimDeviceStatus")
GATES_IN_PLAY = (
    ALL_GATES,
    tuple(gate for gate in ALL_GATES if gate != "DRAListTypeAttributes"),
    tuple(gate for gate in ALL_GATES if gate != "DRADeviceCompatibilityGroups"),
)

seldom = st.sampled_from((False, False, False, True))
very_seldom = st.sampled_from((*[False] * 7, True))
often = st.sampled_from((True, True, True, False))


def mostly_none(strategy: st.SearchStrategy[T]) -> st.SearchStrategy[T | None]:
    return st.one_of(st.none(), st.none(), strategy)


# --- devices ---------------------------------------------------------------------------------------------------------

_scalars = st.one_of(
    st.integers(0, 1).map(lambda value: DeviceAttribute(int=value)),
    st.sampled_from(("0", "1")).map(lambda value: DeviceAttribute(string=value)),
)
_lists = st.lists(st.integers(0, 2), min_size=1, max_size=2, unique=True).map(
    lambda several: DeviceAttribute(ints=several)
)
_attributes = st.fixed_dictionaries(
    {}, optional={"numa": st.one_of(_scalars, _lists), "root": st.integers(0, 2).map(lambda v: DeviceAttribute(int=v))}
)
_taints = st.sampled_from(
    (None, None, None, None, *([Taint(key="broken", value="yes", effect=effect)] for effect in ("NoSchedule", "None")))
)


def _amount(value: int) -> Quantity:
    return Quantity.of(value)


@st.composite
def _capacities(draw: st.DrawFn, is_shareable: bool) -> dict[str, DeviceCapacity] | None:
    names = draw(st.sampled_from(((), ("memory",), ("memory",), ("memory", "slots"))))
    policy = _policies if is_shareable else st.none()
    found = {name: DeviceCapacity(value=_amount(draw(st.integers(2, 4))), requestPolicy=draw(policy)) for name in names}
    return found or None


_policies = st.sampled_from(
    (
        None,
        CapacityRequestPolicy(default=_amount(1)),
        CapacityRequestPolicy(default=_amount(1), validValues=[_amount(1), _amount(3)]),
        CapacityRequestPolicy(
            default=_amount(1), validRange=CapacityRange(min=_amount(1), max=_amount(3), step=_amount(2))
        ),
    )
)


@st.composite
def _consumptions(draw: st.DrawFn, sets: tuple[str, ...], with_groups: bool) -> list[DeviceCounterConsumption] | None:
    if not sets or draw(seldom):
        return None
    names = draw(st.lists(st.sampled_from(sets), min_size=1, max_size=2, unique=True))
    groups = st.lists(st.sampled_from("abc"), max_size=2, unique=True) if with_groups else st.just([])
    return [
        DeviceCounterConsumption(
            counterSet=name,
            counters={"memory": Counter(value=_amount(draw(st.integers(1, 3))))},
            compatibilityGroups=draw(groups) or None,
        )
        for name in names
    ]


@st.composite
def _devices(draw: st.DrawFn, name: str, sets: tuple[str, ...], with_groups: bool) -> Device:
    is_shareable = draw(seldom)
    return Device(
        name=name,
        attributes=draw(_attributes) or None,
        capacity=draw(_capacities(is_shareable)),
        consumesCounters=draw(_consumptions(sets, with_groups)),
        taints=draw(_taints),
        allowMultipleAllocations=True if is_shareable else None,
    )


# --- pools -----------------------------------------------------------------------------------------------------------

_zone_a = NodeSelector(
    nodeSelectorTerms=[
        NodeSelectorTerm(matchExpressions=[NodeSelectorRequirement(key="zone", operator="In", values=["a"])])
    ]
)


@st.composite
def _pools(draw: st.DrawFn, name: str, reach: ResourceSliceSpec, features: Features, most: int) -> list[ResourceSlice]:
    """A pool is one slice of devices, and one of counter sets if its devices may be partitions."""
    sets = draw(st.sampled_from(((), ("board",), ("board", "link"))))
    count = draw(st.integers(most // 2, most))
    devices = [
        draw(_devices(f"{name}-{number}", sets, features.compatibility_groups and draw(often)))
        for number in range(count)
    ]
    counter_sets = [
        CounterSet(name=each, counters={"memory": Counter(value=_amount(draw(st.integers(2, 6))))}) for each in sets
    ]
    pool = ResourcePool(name=name, generation=1, resourceSliceCount=2 if sets else 1)
    skips = ["NodePrepareResources"] if draw(very_seldom) else None
    slices = [
        _slice(f"{name}-devices", msgspec.structs.replace(reach, skipNodeOperations=skips), pool, devices=devices)
    ]
    return [*slices, _slice(f"{name}-counters", reach, pool, counters=counter_sets)] if sets else slices


def _slice(
    name: str,
    reach: ResourceSliceSpec,
    pool: ResourcePool,
    devices: list[Device] | None = None,
    counters: list[CounterSet] | None = None,
) -> ResourceSlice:
    spec = msgspec.structs.replace(reach, pool=pool, devices=devices, sharedCounters=counters)
    return ResourceSlice(metadata=ObjectMeta(name=name), spec=spec)


@st.composite
def _inventories(draw: st.DrawFn, nodes: tuple[Node, ...], features: Features, most: int) -> tuple[ResourceSlice, ...]:
    """A pool of each node, and perhaps one that is attached to the network."""
    slices: list[ResourceSlice] = []
    for node in nodes:
        reach = ResourceSliceSpec(driver=GPU, nodeName=node.metadata.name)
        slices += draw(_pools(f"local-{node.metadata.name}", reach, features, most))
    if draw(st.booleans()):
        driver = draw(st.sampled_from((GPU, NIC)))
        everywhere = ResourceSliceSpec(driver=driver, allNodes=True)
        somewhere = ResourceSliceSpec(driver=driver, nodeSelector=_zone_a)
        slices += draw(_pools("remote", draw(st.sampled_from((everywhere, somewhere))), features, min(most, 3)))
    return tuple(slices)


# --- claims ----------------------------------------------------------------------------------------------------------

_tolerations = mostly_none(st.just([Toleration(key="broken", operator="Exists")]))
_capacity_requests = st.sampled_from(
    (None, None, None, None, *(CapacityRequirements(requests={"memory": _amount(value)}) for value in (1, 2)))
)
_class_names = st.sampled_from(("gpu", "gpu", "gpu", "any", "any", "nic"))


@st.composite
def _exact_requests(draw: st.DrawFn, name: str, most: int) -> DeviceRequest:
    wants_all = draw(st.sampled_from((False, False, False, False, True)))
    asked = ExactDeviceRequest(
        deviceClassName=draw(_class_names),
        allocationMode="All" if wants_all else "ExactCount",
        count=0 if wants_all else draw(st.sampled_from((1, 1, 1, 2, 2, 3)[: 3 * most - 3])),
        adminAccess=True if draw(seldom) else None,
        tolerations=draw(_tolerations),
        capacity=draw(_capacity_requests),
    )
    return DeviceRequest(name=name, exactly=asked)


@st.composite
def _prioritized_requests(draw: st.DrawFn, name: str, most: int) -> DeviceRequest:
    alternatives = []
    for each in ("s0", "s1"):
        exactly = draw(_exact_requests(each, most)).exactly
        assert exactly is not None
        alternatives.append(
            DeviceSubRequest(
                name=each,
                deviceClassName=exactly.deviceClassName,
                allocationMode=exactly.allocationMode,
                count=exactly.count,
                tolerations=exactly.tolerations,
                capacity=exactly.capacity,
            )
        )
    return DeviceRequest(name=name, firstAvailable=alternatives)


@st.composite
def _constraints(draw: st.DrawFn, requests: tuple[str, ...]) -> list[DeviceConstraint] | None:
    found = []
    for _ in range(draw(st.sampled_from((0, 1, 1, 2)))):
        bound = draw(st.sampled_from((None, [requests[0]])))
        attribute = f"{GPU}/{draw(st.sampled_from(('numa', 'numa', 'root')))}"
        if draw(st.booleans()):
            found.append(DeviceConstraint(requests=bound, matchAttribute=attribute))
        else:
            found.append(DeviceConstraint(requests=bound, distinctAttribute=attribute))
    return found or None


@st.composite
def _claims(draw: st.DrawFn, name: str, most: int) -> ResourceClaim:
    names = ("r0", "r1")[: draw(st.integers(1, 2))]
    requests = [draw(st.one_of(_exact_requests(each, most), _prioritized_requests(each, most))) for each in names]
    devices = DeviceClaim(requests=requests, constraints=draw(_constraints(names)))
    return ResourceClaim(metadata=ObjectMeta(namespace=NAMESPACE, name=name), spec=ResourceClaimSpec(devices=devices))


@st.composite
def _held(draw: st.DrawFn, slices: tuple[ResourceSlice, ...]) -> tuple[ResourceClaim, ...]:
    """Devices in use: alone, as a share, or with admin access; sometimes not as the device is published today."""
    found = []
    for slice_ in slices:
        for device in slice_.spec.devices or ():
            if draw(st.sampled_from((False, False, False, False, True))):
                is_share = draw(often if device.allowMultipleAllocations else seldom)
                result = DeviceRequestAllocationResult(
                    request="r",
                    driver=slice_.spec.driver,
                    pool=slice_.spec.pool.name,
                    device=device.name,
                    adminAccess=True if draw(seldom) else None,
                    shareID=f"share-of-{device.name}" if is_share else None,
                    consumedCapacity={"memory": _amount(1)} if is_share and device.capacity else None,
                )
                found.append(_holding(f"held-{device.name}", result))
    return tuple(found)


def _holding(name: str, result: DeviceRequestAllocationResult) -> ResourceClaim:
    allocation = AllocationResult(devices=DeviceAllocationResult(results=[result]))
    return ResourceClaim(
        metadata=ObjectMeta(namespace=NAMESPACE, name=name), status=ResourceClaimStatus(allocation=allocation)
    )


# --- worlds ----------------------------------------------------------------------------------------------------------


def _node(name: str, zone: str, declares: bool) -> Node:
    status = NodeStatus(declaredFeatures=[OPERATIONS] if declares else None)
    return Node(metadata=ObjectMeta(name=name, labels={"zone": zone}), status=status)


@st.composite
def _features(draw: st.DrawFn) -> Features:
    """As v1.37.2 has it, by the documented rules, or somewhere between."""
    features = Features.of(draw(st.sampled_from(GATES_IN_PLAY)))
    undone = draw(st.one_of(st.just(frozenset[UpstreamFault]()), st.just(FAULTS_OF_V1_37_2), _some_faults))
    return features.without(*undone)


_some_faults = st.sets(st.sampled_from(UpstreamFault))


@st.composite
def one_pod_worlds(draw: st.DrawFn) -> World:
    """One node and one pod with up to two claims."""
    features = draw(_features())
    nodes = (_node("node-a", "a", draw(st.booleans())),)
    slices = draw(_inventories(nodes, features, 5))
    claims = tuple(draw(_claims(f"claim-{number}", 3)) for number in range(draw(st.integers(1, 2))))
    pod = WorldPod("pod-0", tuple(claim.metadata.name for claim in claims))
    return World(nodes, slices, CLASSES, claims, (pod,), draw(_held(slices)), {}, features)


@st.composite
def joint_worlds(draw: st.DrawFn) -> World:
    """Up to two nodes and three pods, each with a claim of its own, one that it shares with others, or both."""
    features = draw(_features())
    declares, zone = draw(st.booleans()), draw(st.sampled_from("ab"))
    nodes = (_node("node-a", "a", declares), _node("node-b", zone, True))[: draw(st.sampled_from((1, 2, 2)))]
    slices = draw(_inventories(nodes, features, 3))
    claims = [draw(_claims("shared", 2))]
    pods = []
    for number in range(draw(st.sampled_from((2, 3, 3)))):
        uses = draw(st.sampled_from((("own",), ("own",), ("shared",), ("own", "shared"), ("shared", "own"))))
        if "own" in uses:
            claims.append(draw(_claims(f"own-{number}", 2)))
        names = tuple(f"own-{number}" if use == "own" else use for use in uses)
        pods.append(
            WorldPod(
                f"pod-{number}", names, draw(st.sampled_from((0, 0, 1))), {"cpu": draw(st.sampled_from((0, 1, 1, 2)))}
            )
        )
    free = {node.metadata.name: {"cpu": draw(st.sampled_from((3, 1, 4)))} for node in nodes}
    queue = tuple(sorted(pods, key=lambda pod: -pod.priority))
    return World(nodes, slices, CLASSES, tuple(claims), queue, draw(_held(slices)), free, features)
