"""PCI devices that pods could want, by NUMA node; bridges and the chip set's own are only counted."""

from collections.abc import Sequence
from itertools import groupby
from typing import TypeAlias

from dractl.machine.machine import Machine, PciDevice
from dractl.phrases import counted
from dractl.report.canvas import Canvas

_CLASSES = {
    "0100": "SCSI",
    "0104": "RAID",
    "0106": "SATA",
    "0107": "SAS",
    "0108": "NVMe",
    "0200": "Ethernet",
    "0207": "InfiniBand",
    "0280": "network",
    "0300": "VGA",
    "0302": "3D controller",
    "0380": "display",
    "0502": "CXL memory",
    "0b40": "co-processor",
    "1200": "accelerator",
}
_KINDS = {"01": "storage", "02": "network", "03": "display", "12": "accelerator"}

_Key: TypeAlias = tuple[int, str, str, str, str]


def draw_pci_devices(canvas: Canvas, machine: Machine) -> None:
    """One line for each run of equal devices on one NUMA node and PCIe root."""
    shown = [device for device in machine.pci_devices if _what(device)]
    if not machine.pci_devices:
        return
    canvas.line()
    if shown:
        ordered = sorted(shown, key=lambda device: (_key(device), device.address))
        rows = [_row(list(group)) for _, group in groupby(ordered, key=_key)]
        canvas.table(("NUMA", "PCI ADDRESS", "WHAT", "ID", "ROOT", "NAME"), rows)
    others = len(machine.pci_devices) - len(shown)
    if others:
        also = "also " if shown else ""
        canvas.line(
            f"{also}{counted(others, 'bridge or device of the chip set', 'bridges and devices of the chip set')}"
        )


def _key(device: PciDevice) -> _Key:
    node = device.numa_node if device.numa_node is not None else 1 << 30
    return node, device.class_id, device.vendor_id, device.device_id, device.root


def _row(group: Sequence[PciDevice]) -> Sequence[str]:
    first, last = group[0], group[-1]
    addresses = first.address if len(group) == 1 else f"{first.address} … {last.address} ({len(group)})"
    names = [device.name for device in group if device.name]
    name = names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}" if names else "–"
    node = "–" if first.numa_node is None else str(first.numa_node)
    return node, addresses, _what(first), f"{first.vendor_id}:{first.device_id}", first.root or "–", name


def _what(device: PciDevice) -> str:
    """Empty for what is no device that a pod would ask for."""
    return _CLASSES.get(device.class_id) or _KINDS.get(device.class_id[:2], "")
