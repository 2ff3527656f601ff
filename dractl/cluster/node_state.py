"""One node while pods are being placed: who is on it, and what they take."""

from collections.abc import Hashable, Mapping
from typing import Final, Self

from msgspec import Struct, field

from dractl.api.core import ContainerPort, Node, Pod
from dractl.api.identities import PodRef
from dractl.api.quantity import NANO
from dractl.cluster.requests import CPU, MEMORY, PODS, Amounts, pod_requests, rounded_up, running_score_requests

PODS_PER_NODE: Final = 110
"""The kubelet's default limit, assumed for a node that names resources but no number of pods."""

EVERY_ADDRESS: Final = "0.0.0.0"
"""The unspecified address: the port on all of the node's."""


class HostPort(Struct, frozen=True, order=True):
    """A port of the node that a pod takes."""

    ip: str
    protocol: str
    port: int

    def conflicts_with(self, other: "HostPort") -> bool:
        """Whether both cannot be had at once: the unspecified address means all."""
        if (self.protocol, self.port) != (other.protocol, other.port):
            return False
        return self.ip == other.ip or EVERY_ADDRESS in (self.ip, other.ip)


def host_ports(pod: Pod) -> frozenset[HostPort]:
    """The host ports of the pod's containers and sidecars."""
    sidecars = [each for each in pod.spec.initContainers or () if each.restartPolicy == "Always"]
    ports = [port for each in (*(pod.spec.containers or ()), *sidecars) for port in each.ports or ()]
    return frozenset(_host_port(port) for port in ports if port.hostPort > 0)


def _host_port(port: ContainerPort) -> HostPort:
    return HostPort(port.hostIP or EVERY_ADDRESS, port.protocol or "TCP", port.hostPort)


class NodeState(Struct):
    """The pods on a node and their sums, all in nano-units. `allocatable` is None for a node that is only assumed.

    `ports` are the host ports that are taken; as in v1.37.2, one that two pods have is free once either of them goes.
    `extra` is what pods take beyond their own requests (node allocatable resources of their devices);
    `pods_with_affinity` counts pods that care where other pods are. `load` is None until `number_of_load` is asked.
    `scores` is what the scheduler remembers of the node until its pods change.
    """

    node: Node
    allocatable: Mapping[str, int] | None
    pods: dict[PodRef, Pod] = field(default_factory=dict)
    requested: dict[str, int] = field(default_factory=dict)
    score_requested: dict[str, int] = field(default_factory=dict)
    ports: frozenset[HostPort] = frozenset()
    extra: dict[PodRef, Amounts] = field(default_factory=dict)
    pods_with_affinity: int = 0
    load: int | None = None
    scores: dict[Hashable, int] = field(default_factory=dict)

    @classmethod
    def of(cls, node: Node) -> Self:
        """An empty node; what is allocatable defaults to the capacity."""
        named = node.status.allocatable if node.status.allocatable is not None else node.status.capacity
        if named is None:
            return cls(node, None)
        allocatable = {name: rounded_up(name, amount.nano) for name, amount in named.items()}
        return cls(node, {PODS: PODS_PER_NODE * NANO, **allocatable})

    @property
    def name(self) -> str:
        """The node's name."""
        return self.node.metadata.name

    def free(self) -> Mapping[str, int]:
        """What is left of the allocatable resources; it may be negative. Empty for an assumed node."""
        return {name: amount - self.requested.get(name, 0) for name, amount in (self.allocatable or {}).items()}

    def number_of_load(self) -> int:
        """A number that nodes have in common on which the same is requested."""
        requested = tuple(sorted(self.requested.items())), tuple(sorted(self.score_requested.items()))
        self.load = _LOADS.setdefault(requested, len(_LOADS))
        return self.load

    def add(self, ref: PodRef, pod: Pod, extra: Amounts | None = None) -> None:
        """Put a pod on the node."""
        self.pods[ref] = pod
        self.ports |= host_ports(pod)
        if extra:
            self.extra[ref] = extra
        self._count(ref, pod, 1)

    def remove(self, ref: PodRef) -> None:
        """Take a pod off the node."""
        pod = self.pods.pop(ref)
        self.ports -= host_ports(pod)
        self._count(ref, pod, -1)
        self.extra.pop(ref, None)

    def copy(self) -> "NodeState":
        """A state of its own to try things on."""
        return NodeState(
            self.node,
            self.allocatable,
            dict(self.pods),
            dict(self.requested),
            dict(self.score_requested),
            self.ports,
            dict(self.extra),
            self.pods_with_affinity,
        )

    def _count(self, ref: PodRef, pod: Pod, sign: int) -> None:
        self.load = None
        self.scores.clear()
        affinity = pod.spec.affinity
        if affinity is not None and (affinity.podAffinity or affinity.podAntiAffinity):
            self.pods_with_affinity += sign
        extra = self.extra.get(ref, {})
        for amounts in (pod_requests(pod), extra):
            _shift(self.requested, amounts, sign)
        for amounts in (running_score_requests(pod), {name: extra[name] for name in (CPU, MEMORY) if name in extra}):
            _shift(self.score_requested, amounts, sign)


def _shift(total: dict[str, int], amounts: Amounts, sign: int) -> None:
    for name, amount in amounts.items():
        total[name] = total.get(name, 0) + sign * amount


_LOADS: Final[dict[Hashable, int]] = {}
"""What was requested on any node so far, numbered."""
