"""Devices of device plugins, as their plugin reports them (kubelet.md §7)."""

from msgspec import Struct

from dractl.machine.idsets import NO_CPUS, NO_NODES, CpuSet, NumaSet
from dractl.machine.state_files import MemoryBlock


class PluginDevice(Struct, frozen=True):
    """One device of an extended resource; `nodes` is empty where the plugin names no NUMA node."""

    resource: str
    device: str
    nodes: NumaSet = NO_NODES
    healthy: bool = True


class HeldResources(Struct, frozen=True):
    """What the PodResources API says that one container holds (kubelet.md §14.2)."""

    namespace: str
    pod: str
    container: str
    cpus: CpuSet = NO_CPUS
    memory: tuple[MemoryBlock, ...] = ()
    devices: tuple[PluginDevice, ...] = ()
