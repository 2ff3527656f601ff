"""All pods to be planned and all nodes at once: what the optimum is computed from."""

from collections.abc import Mapping

from msgspec import Struct, field

from dractl.api.core import Node
from dractl.api.identities import ClaimRef, DeviceId, ObjectRef, PodRef
from dractl.cluster.features import Features
from dractl.cluster.node_state import HostPort
from dractl.cluster.usage import Usage
from dractl.problem.demands import ClaimDemand
from dractl.problem.nodes import CourseTable, Gathering, NodeConflict, NodeLayout, NumaRoom
from dractl.problem.problem import Problem


class PodDemand(Struct, frozen=True):
    """A pod to be placed.

    `takes` is what it uses up of a node's countable resources, by resource name, in nano-units. `claims` are those of
    its claims that have no allocation yet. `nodes` are the nodes that its own rules and its allocated claims permit, by
    name. `after` is a pod that has to be placed before this one is made (ordered StatefulSets). `ports` are host ports,
    `holds` the devices of its other claims.
    """

    ref: PodRef
    priority: int
    takes: Mapping[str, int]
    claims: tuple[ClaimRef, ...]
    nodes: tuple[str, ...]
    after: PodRef | None = None
    ports: frozenset[HostPort] = frozenset()
    holds: tuple[DeviceId, ...] = ()


class Gang(Struct, frozen=True):
    """Pods of a group: at least `min_count` of them are placed, or none."""

    group: ObjectRef
    members: tuple[PodRef, ...]
    min_count: int


class Consumers(Struct, frozen=True):
    """Who wants to reserve a claim that has room for `room` more of them: each one is a pod, or the pods of a group."""

    claim: ClaimRef
    pods: tuple[tuple[PodRef, ...], ...]
    room: int


class ClaimOnNode(Struct, frozen=True):
    """A claim that might get its devices on this node."""

    claim: ClaimRef
    node: str


class JointProblem(Struct, frozen=True, eq=False):
    """The pods in queue order, what the nodes have left, and the problem of each claim on each node.

    `free` is what is left of each countable resource of a node, in nano-units; a resource that is not named is not
    limited (nodes that are only assumed). `problems` holds every claim on every node that a pod with this claim may go
    to; all of them were built with the same usage. A claim may belong to several pods: it gets one allocation, which
    has to be usable on the node of each. `rooms` are those of nodes whose kubelets are known, `conflicts` are pods that
    kubelets have turned out to refuse, `gatherings` what they make of some pods, `tables` what of any. `layouts` are
    there where it is wanted that pods have all that is theirs on one NUMA node.
    """

    pods: tuple[PodDemand, ...]
    nodes: Mapping[str, Node]
    free: Mapping[str, Mapping[str, int]]
    claims: Mapping[ClaimRef, ClaimDemand]
    problems: Mapping[ClaimOnNode, Problem]
    usage: Usage
    features: Features
    gangs: tuple[Gang, ...] = ()
    rooms: Mapping[str, NumaRoom] = field(default_factory=dict)
    conflicts: tuple[NodeConflict, ...] = ()
    consumers: tuple[Consumers, ...] = ()
    """Of claims that cannot be reserved for all who want them."""
    gatherings: tuple[Gathering, ...] = ()
    tables: tuple[CourseTable, ...] = ()
    layouts: Mapping[str, NodeLayout] = field(default_factory=dict)
