"""What a node's PodResources API would answer, as far as the resource managers know (kubelet.md §14.2)."""

from collections.abc import Iterator

from msgspec import Struct

from dractl.api.core import Pod
from dractl.api.identities import PodRef
from dractl.kubelet.cpus import PodCpus
from dractl.kubelet.demand import ContainerDemand, Role
from dractl.kubelet.kubelet import KubeletState
from dractl.kubelet.memory_books import Blocks, PodMemory
from dractl.machine.devices import PluginDevice
from dractl.machine.idsets import NO_CPUS, CpuSet, NumaSet
from dractl.machine.state_files import MemoryBlock


class ContainerResources(Struct, frozen=True):
    """One container of the `List` answer; CPUs and memory only where it has them for itself."""

    name: str
    cpus: CpuSet
    memory: Blocks
    devices: tuple[PluginDevice, ...]


class PodResources(Struct, frozen=True):
    """One pod of the `List` answer; CPUs and memory of the pod as a whole only where it has a pool of its own."""

    pod: PodRef
    cpus: CpuSet
    memory: Blocks
    containers: tuple[ContainerResources, ...]


class AllocatableResources(Struct, frozen=True):
    """The `GetAllocatableResources` answer: what containers can have in all."""

    cpus: CpuSet
    memory: Blocks
    devices: tuple[PluginDevice, ...]


def pod_resources(state: KubeletState) -> tuple[PodResources, ...]:
    """The `List` answer, for all active pods in the order in which they came."""
    return tuple(_pod_resources(state, uid, pod) for uid, pod in state.active.items())


def allocatable_resources(state: KubeletState) -> AllocatableResources:
    """What containers can have on this node; unhealthy devices are left out, and amounts of 0."""
    kubelet = state.kubelet
    return AllocatableResources(
        NO_CPUS if kubelet.cpu is None else kubelet.cpu.allocatable,
        () if kubelet.memory is None else tuple(_allocatable_memory(state)),
        tuple(device for device in kubelet.inventory.all() if device.healthy),
    )


def _allocatable_memory(state: KubeletState) -> Iterator[MemoryBlock]:
    for node_id, node in state.memory.machine.items():
        for resource, table in sorted(node.tables.items()):
            if table.allocatable:
                yield MemoryBlock(resource, NumaSet((node_id,)), table.allocatable)


def _pod_resources(state: KubeletState, uid: str, pod: Pod) -> PodResources:
    demand = state.kubelet.demand_of(pod)
    cpus, memory = state.cpus.pods.get(uid, PodCpus()), state.memory.pods.get(uid, PodMemory())
    listed = [container for container in demand.containers if container.role is not Role.INIT]
    return PodResources(
        PodRef(pod.metadata.namespace, pod.metadata.name),
        cpus.pod,
        memory.pod,
        tuple(_container_resources(state, uid, container, cpus, memory) for container in listed),
    )


def _container_resources(
    state: KubeletState, uid: str, container: ContainerDemand, cpus: PodCpus, memory: PodMemory
) -> ContainerResources:
    held = state.devices.pods.get(uid, {}).get(container.name, {})
    known = state.kubelet.inventory.devices
    return ContainerResources(
        container.name,
        cpus.containers.get(container.name, NO_CPUS) if container.cpus else NO_CPUS,
        memory.containers.get(container.name, ()) if container.memory else (),
        tuple(known[resource][name] for resource, names in sorted(held.items()) for name in sorted(names)),
    )
