"""What a pod has of its node's CPUs, memory and plugin devices, or why its kubelet does not let it in (kubelet.md)."""

from enum import StrEnum

from msgspec import Struct

from dractl.machine.devices import PluginDevice
from dractl.machine.idsets import NO_CPUS, NO_NODES, CpuSet, NumaSet
from dractl.machine.state_files import MemoryBlock


class Pool(StrEnum):
    """Whose CPUs a container runs on: its own, its pod's, or those that the node has left."""

    OWN = "own"
    POD = "pod"
    NODE = "node"


class ContainerShare(Struct, frozen=True):
    """What one container has.

    `cpus` is empty for a container in the node's shared pool; `numa` are the NUMA nodes of the CPUs. `runs_first` marks
    an init container that ends before the pod's work begins.
    """

    name: str
    cpus: CpuSet = NO_CPUS
    pool: Pool = Pool.NODE
    numa: NumaSet = NO_NODES
    memory: tuple[MemoryBlock, ...] = ()
    devices: tuple[PluginDevice, ...] = ()
    runs_first: bool = False


class NodeShare(Struct, frozen=True):
    """What a pod has while it works. `pool` and `pool_memory` belong to the pod as a whole (pod-level resources).

    `cpus` are all that the pod has for itself, `numa` their NUMA nodes, or those of its memory where it has no CPUs.
    """

    containers: tuple[ContainerShare, ...] = ()
    pool: CpuSet = NO_CPUS
    pool_memory: tuple[MemoryBlock, ...] = ()
    cpus: CpuSet = NO_CPUS
    numa: NumaSet = NO_NODES

    @property
    def memory(self) -> tuple[MemoryBlock, ...]:
        """The blocks of the pod, or of its containers where it has none as a whole."""
        return self.pool_memory or tuple(block for each in self.containers for block in each.memory)

    @property
    def devices(self) -> tuple[PluginDevice, ...]:
        """The devices of all containers, each once."""
        return tuple(dict.fromkeys(device for each in self.containers for device in each.devices))


class KubeletRefusal(Struct, frozen=True):
    """The pod was bound to the node, and fails there: the kubelet's reason and its message, in its own words."""

    node: str
    reason: str
    message: str


class KubeletStop(Struct, frozen=True):
    """The pod was bound to the node, whose kubelet hangs or crashes on it; `because` names the fault."""

    node: str
    how: str
    because: str
