"""PCI devices of a sysfs tree, with the NUMA node and the CPUs that the kernel holds to be near."""

import re
from typing import Final

from dractl.machine.idsets import CpuSet
from dractl.machine.machine import PciDevice
from dractl.topology.dumps import Unreadable
from dractl.topology.files import FileTree
from dractl.topology.masks import parse_mask

_ADDRESS: Final = re.compile(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_ROOT: Final = re.compile(r"pci[0-9a-f]{4,8}:[0-9a-f]{2}")
_CLASS_DIGITS: Final = 4
"""Of the six that sysfs gives, as `lspci -n` shows them: class and subclass."""


def read_pci_devices(tree: FileTree, sys: str) -> tuple[PciDevice, ...]:
    """All PCI functions of a tree, by address; none where the tree was gathered without `bus/pci`."""
    folder = f"{sys}bus/pci/devices"
    return tuple(_device(tree, folder, name) for name in tree.entries(folder) if _ADDRESS.fullmatch(name))


def _device(tree: FileTree, folder: str, address: str) -> PciDevice:
    path = f"{folder}/{address}"
    parts = (tree.resolve(path) or "").split("/")
    above = [part for part in parts[:-1] if _ADDRESS.fullmatch(part)]
    node = _number(tree, f"{path}/numa_node")
    return PciDevice(
        address,
        node if node is not None and node >= 0 else None,
        _local_cpus(tree, path),
        root=next((part for part in parts if _ROOT.fullmatch(part)), ""),
        parent=above[-1] if above else "",
        class_id=_hexadecimal(tree, f"{path}/class")[:_CLASS_DIGITS],
        vendor_id=_hexadecimal(tree, f"{path}/vendor"),
        device_id=_hexadecimal(tree, f"{path}/device"),
    )


def _local_cpus(tree: FileTree, path: str) -> CpuSet | None:
    for name, parse in (("local_cpulist", CpuSet.parse), ("local_cpus", parse_mask)):
        text = tree.text(f"{path}/{name}")
        if text:
            try:
                return parse(text)
            except ValueError as error:
                raise Unreadable(f"cannot be understood: {error}", subject=f"{path}/{name}") from None
    return None


def _number(tree: FileTree, path: str) -> int | None:
    text = tree.text(path)
    try:
        return int(text) if text else None
    except ValueError:
        raise Unreadable(f"{text!r} is no number", subject=path) from None


def _hexadecimal(tree: FileTree, path: str) -> str:
    return (tree.text(path) or "").removeprefix("0x")
