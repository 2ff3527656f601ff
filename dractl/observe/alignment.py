"""Where a pod's devices are, beside its CPUs and memory: the kubelet does not align DRA devices with CPUs (K9)."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from msgspec import Struct

from dractl.api.identities import DeviceId
from dractl.api.resource import Device, ResourceSlice
from dractl.machine.idsets import NumaSet
from dractl.machine.machine import Machine
from dractl.solution.node_share import NodeShare

NUMA_NODE: Final = "resource.kubernetes.io/numaNode"
BUS_ID: Final = "resource.kubernetes.io/pciBusID"
ROOT: Final = "resource.kubernetes.io/pcieRoot"
_NUMA_NAMES: Final = ("numaNode", "numaNodeID", "numa")
"""Names that drivers give the number of a NUMA node, whatever their domain."""


class Located(Struct, frozen=True):
    """A device and the NUMA nodes that it is near; `because` names the attribute that tells."""

    name: str
    nodes: NumaSet
    because: str


class Alignment(Struct, frozen=True):
    """A pod's NUMA nodes, and those of its devices as far as anything tells them."""

    nodes: NumaSet
    devices: tuple[Located, ...]

    @property
    def away(self) -> tuple[Located, ...]:
        """The devices that are near none of the pod's NUMA nodes."""
        return tuple(each for each in self.devices if each.nodes.isdisjoint(self.nodes))

    @property
    def is_aligned(self) -> bool:
        """Whether CPUs, memory and all devices are on one and the same NUMA node, as far as is known."""
        everything = self.nodes
        for each in self.devices:
            everything |= each.nodes
        return len(everything) == 1


class DeviceLocations:
    """Tells the NUMA nodes of devices: by their attributes, or by the PCI tree of the node's dump."""

    def __init__(self, slices: Iterable[ResourceSlice]) -> None:
        self._devices: Final = {
            DeviceId(slice_.spec.driver, slice_.spec.pool.name, device.name): device
            for slice_ in slices
            for device in slice_.spec.devices or ()
        }

    def locate(self, device: DeviceId, machine: Machine) -> Located | None:
        """Where a device is, or None if nothing tells."""
        known = self._devices.get(device)
        if known is None:
            return None
        for name, nodes in _claims_about(known, machine):
            if nodes:
                return Located(device.device, nodes, name)
        return None

    def alignment(self, share: NodeShare, devices: Iterable[DeviceId], machine: Machine) -> Alignment | None:
        """How a pod's devices lie to its CPUs and memory; None if there is nothing to compare."""
        located = [found for device in devices if (found := self.locate(device, machine)) is not None]
        plugins = (each for each in share.devices if each.nodes)
        located += [Located(f"{each.resource}:{each.device}", each.nodes, "its plugin") for each in plugins]
        if not share.numa or not located:
            return None
        return Alignment(share.numa, tuple(located))


def _claims_about(device: Device, machine: Machine) -> Iterator[tuple[str, NumaSet]]:
    """What each attribute says: the standard one first, then a driver's own of the same name, then the PCI tree.

    Of a list of NUMA nodes the first is the one where the device is; those behind it are as good to its driver.
    """
    attributes = device.attributes or {}
    for name in sorted(attributes, key=lambda name: (name != NUMA_NODE, name)):
        if name.rpartition("/")[2] in _NUMA_NAMES:
            first = [*(attributes[name].ints or ())[:1], attributes[name].int][0]
            yield name, NumaSet(each for each in (first,) if each is not None and each in machine.numa_nodes)
    for name in (BUS_ID, ROOT):
        if name in attributes:
            texts = [*(attributes[name].strings or ()), attributes[name].string]
            yield name, _near(machine, [text for text in texts if text])


def _near(machine: Machine, names: Collection[str]) -> NumaSet:
    """The NUMA nodes of PCI devices by address, or of all that hang below a root."""
    found = (each for each in machine.pci_devices if each.address in names or each.root in names)
    return NumaSet(each.numa_node for each in found if each.numa_node is not None)
