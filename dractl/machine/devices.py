"""Devices of device plugins, as their plugin reports them (kubelet.md §7)."""

from dataclasses import dataclass

from dractl.machine.idsets import NO_CPUS, NO_NODES, CpuSet, NumaSet
from dractl.machine.state_files import MemoryBlock


@dataclass(frozen=True, slots=True)
class PluginDevice:
    """One device of an extended resource; `nodes` is empty where the plugin names no NUMA node."""

    resource: str
    device: str
    nodes: NumaSet = NO_NODES
    healthy: bool = True


@dataclass(frozen=True, slots=True)
class HeldResources:
    """What the PodResources API says that one container holds (kubelet.md §14.2)."""

    namespace: str
    pod: str
    container: str
    cpus: CpuSet = NO_CPUS
    memory: tuple[MemoryBlock, ...] = ()
    devices: tuple[PluginDevice, ...] = ()
