"""A small cluster with pods to be placed, as API objects, and what the rooms make of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dractl.api.base import ObjectMeta
from dractl.api.core import Node
from dractl.api.identities import ClaimRef, ObjectRef, PodRef
from dractl.api.resource import (
    CELDeviceSelector,
    DeviceClass,
    DeviceClassSpec,
    DeviceSelector,
    ResourceClaim,
    ResourceSlice,
)
from dractl.cluster.features import Features
from dractl.cluster.pools import PoolIndex
from dractl.cluster.usage import Usage
from dractl.problem.demands import demands_of
from dractl.problem.joint import ClaimOnNode, JointProblem, PodDemand
from dractl.problem.problem import Problem, build_problem
from dractl.solution.verify import PlanStart, PodUse

NAMESPACE = "lab"


@dataclass(frozen=True)
class WorldPod:
    """A pod that may run on every node; `takes` is in nano-units."""

    name: str
    claims: tuple[str, ...]
    priority: int = 0
    takes: Mapping[str, int] = field(default_factory=dict)

    @property
    def ref(self) -> PodRef:
        return PodRef(NAMESPACE, self.name)


@dataclass(frozen=True)
class World:
    """`classes` name the driver that each selects, None for every driver. `claims` are to be allocated, `held` are."""

    nodes: tuple[Node, ...]
    slices: tuple[ResourceSlice, ...]
    classes: Mapping[str, str | None]
    claims: tuple[ResourceClaim, ...]
    pods: tuple[WorldPod, ...]
    held: tuple[ResourceClaim, ...] = ()
    free: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    features: Features = field(default_factory=Features)

    def claim(self, name: str) -> ResourceClaim:
        return next(claim for claim in self.claims if claim.metadata.name == name)


def ref_of(claim: ResourceClaim) -> ClaimRef:
    return ClaimRef(claim.metadata.namespace, claim.metadata.name)


def device_classes(world: World) -> dict[str, DeviceClass]:
    return {name: _device_class(name, driver) for name, driver in world.classes.items()}


def _device_class(name: str, driver: str | None) -> DeviceClass:
    expression = f'device.driver == "{driver}"'
    selectors = None if driver is None else [DeviceSelector(cel=CELDeviceSelector(expression=expression))]
    return DeviceClass(metadata=ObjectMeta(name=name), spec=DeviceClassSpec(selectors=selectors))


def problem_of(world: World, pod: WorldPod, node: Node) -> Problem:
    """One pod's claims on one node."""
    classes = device_classes(world)
    return build_problem(
        node,
        PoolIndex(world.slices, world.features).for_node(node),
        [demands_of(world.claim(name), classes, world.features) for name in pod.claims],
        Usage.of(world.held, world.features),
        world.features,
    )


def joint_problem_of(world: World) -> JointProblem:
    """All pods and all nodes."""
    classes, index = device_classes(world), PoolIndex(world.slices, world.features)
    usage = Usage.of(world.held, world.features)
    pools = {node.metadata.name: index.for_node(node) for node in world.nodes}
    demands = {ref_of(claim): demands_of(claim, classes, world.features) for claim in world.claims}
    problems = {
        ClaimOnNode(ref, node.metadata.name): build_problem(
            node, pools[node.metadata.name], [demand], usage, world.features
        )
        for ref, demand in demands.items()
        for node in world.nodes
    }
    names = tuple(node.metadata.name for node in world.nodes)
    return JointProblem(
        pods=tuple(
            PodDemand(pod.ref, pod.priority, pod.takes, tuple(ClaimRef(NAMESPACE, name) for name in pod.claims), names)
            for pod in world.pods
        ),
        nodes={node.metadata.name: node for node in world.nodes},
        free=world.free,
        claims=demands,
        problems=problems,
        usage=usage,
        features=world.features,
    )


def plan_start_of(world: World) -> PlanStart:
    """What the checker of a plan starts from."""
    joint, index = joint_problem_of(world), PoolIndex(world.slices, world.features)
    held = {ref_of(claim): claim.status.allocation for claim in world.held}
    return PlanStart(
        nodes=joint.nodes,
        free=joint.free,
        pools=index.for_node,
        pods={
            pod.ref: PodUse(
                takes=pod.takes,
                claims={ClaimRef(NAMESPACE, name): ObjectRef("Pod", NAMESPACE, pod.name) for name in pod.claims},
            )
            for pod in world.pods
        },
        demands=joint.claims,
        held={ref: allocation for ref, allocation in held.items() if allocation is not None},
        reserved={},
        usage=joint.usage,
        features=joint.features,
    )
