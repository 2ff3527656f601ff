"""PCI devices in hwloc's XML: where they hang in the tree says which CPUs are near (topology-dumps.md §2.3)."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dractl.machine.idsets import CpuSet
from dractl.machine.machine import PciDevice
from dractl.topology.dumps import Unreadable
from dractl.topology.masks import parse_mask
from dractl.topology.xml_tree import Element

_TYPE: Final = re.compile(r"(?P<class>[0-9a-f]{4}) \[(?P<vendor>[0-9a-f]{4}):(?P<device>[0-9a-f]{4})\]")
_HOST_BRIDGE: Final = re.compile(r"(?P<domain>[0-9a-f]{4,8}):\[(?P<bus>[0-9a-f]{2})-[0-9a-f]{2}\]")
_HOST_BRIDGE_TYPE: Final = "0-1"


class _Above(Struct, frozen=True):
    """The nearest object with CPUs, the PCIe root, and the bridge right above."""

    cpus: CpuSet | None = None
    root: str = ""
    bridge: str = ""


def read_pci_devices(machine: Element, node_of: Mapping[int, int]) -> tuple[PciDevice, ...]:
    """All PCI functions and bridges, by address; each with the NUMA node of its CPUs where that is one."""
    devices = sorted(_walk(machine, _Above()), key=lambda device: device.address)
    return tuple(replace(device, numa_node=_node(device.local_cpus, node_of)) for device in devices)


def _node(cpus: CpuSet | None, node_of: Mapping[int, int]) -> int | None:
    nodes = {node_of[cpu] for cpu in cpus or () if cpu in node_of}
    return next(iter(nodes)) if len(nodes) == 1 else None


def _walk(element: Element, above: _Above) -> Iterator[PciDevice]:
    if "cpuset" in element.attributes:
        above = replace(above, cpus=_cpus(element))
    if element.attributes.get("bridge_type") == _HOST_BRIDGE_TYPE:
        match = _HOST_BRIDGE.match(element.attributes.get("bridge_pci", ""))
        above = replace(above, root=f"pci{match['domain']}:{match['bus']}" if match else "")
    address = element.attributes.get("pci_busid", "")
    if address:
        yield _device(element, address, above)
        above = replace(above, bridge=address)
    for child in element.named("object"):
        yield from _walk(child, above)


def _cpus(element: Element) -> CpuSet:
    try:
        return parse_mask(element.attributes["cpuset"])
    except ValueError as error:
        raise Unreadable(f"cpuset cannot be understood: {error}", line=element.line) from None


def _device(element: Element, address: str, above: _Above) -> PciDevice:
    match = _TYPE.match(element.attributes.get("pci_type", ""))
    ids = match.groupdict() if match else {"class": "", "vendor": "", "device": ""}
    return PciDevice(
        address,
        local_cpus=above.cpus,
        root=above.root,
        parent=above.bridge,
        class_id=ids["class"],
        vendor_id=ids["vendor"],
        device_id=ids["device"],
        name=_name(element),
    )


def _name(element: Element) -> str:
    """What the device is called by the kernel or a library (`eth0`, `rsmi4`), else by the list of PCI ids."""
    names = [child.attributes.get("name", "") for child in element.named("object")]
    infos = [info.attributes for info in element.named("info") if info.attributes.get("name") == "PCIDevice"]
    return next((name for name in (*names, *(info.get("value", "") for info in infos)) if name), "")
