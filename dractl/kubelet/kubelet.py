"""One node's kubelet: what is fixed while it runs, and its books (kubelet.md §1, §8)."""

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct, field

from dractl.api.core import Pod
from dractl.api.identities import ObjectRef
from dractl.api.uids import derived_uid
from dractl.kubelet.cpu_policy import CpuPolicy
from dractl.kubelet.cpus import CpuBooks
from dractl.kubelet.demand import PodDemand, PodLevelGates, demand_of
from dractl.kubelet.device_turn import DeviceBooks, Inventory
from dractl.kubelet.gates import pod_level_gates
from dractl.kubelet.hints import NO_HINT, Hint
from dractl.kubelet.memory_books import MemoryBooks
from dractl.kubelet.memory_policy import MemoryPolicy
from dractl.kubelet.merging import TopologyPolicy
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.machine import Machine


def uid_of(pod: Pod) -> str:
    """The pod's UID, or one derived from its name where it is a manifest."""
    metadata = pod.metadata
    return metadata.uid or derived_uid(ObjectRef("Pod", metadata.namespace, metadata.name))


class Kubelet(Struct, frozen=True, eq=False, dict=True):
    """What does not change while a kubelet runs. Policies that are None leave their resource alone.

    Equal only to itself: kubelets of equal machines and configurations are the same object (`dractl.kubelet.starting`),
    so that their answers are shared.
    """

    machine: Machine
    configuration: KubeletConfiguration
    gates: frozenset[str]
    topology: TopologyPolicy
    cpu: CpuPolicy | None
    memory: MemoryPolicy | None
    inventory: Inventory

    @cached_property
    def pod_level(self) -> PodLevelGates:
        """The gates that decide about pods with pod-level resources."""
        return pod_level_gates(self.gates)

    def demand_of(self, pod: Pod) -> PodDemand:
        """What a pod asks of this kubelet."""
        return demand_of(pod, self.pod_level, self.inventory.resources)


class KubeletState(Struct, frozen=True):
    """A kubelet and its books at one moment.

    `hints` are the merged hints on record, by pod UID and container; they are lost when the kubelet stops. `ready` is
    false while the pods that ran before a start are admitted again: nothing is given back until then (§1, step 3).
    """

    kubelet: Kubelet
    cpus: CpuBooks = field(default_factory=CpuBooks)
    memory: MemoryBooks = field(default_factory=MemoryBooks)
    devices: DeviceBooks = field(default_factory=DeviceBooks)
    active: Mapping[str, Pod] = field(default_factory=dict)
    hints: Mapping[str, Mapping[str, Hint]] = field(default_factory=dict)
    ready: bool = True

    def hint_of(self, uid: str, container: str) -> Hint:
        """The merged hint on record for a container."""
        return self.hints.get(uid, {}).get(container, NO_HINT)
