# FEATURE: A4
"""Archives that mean harm, or are damaged: bounded, refused, and nothing outside is ever touched."""

import gzip
import io
import tarfile

import pytest

from dractl.topology import Dump, FileTree
from dractl.topology.archive import read_archive
from dractl.topology.dumps import Unreadable
from tests.topology.reading import fault, machine
from tests.topology.trees import SYSTEM, cpu, links, node, tarball


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_plain_and_compressed(mode: str) -> None:
    seen = machine(Dump("n1.tar", tarball(cpu(0, 0, 0) | node(0, "0"), mode=mode)))
    assert len(seen.cpus) == 1


def test_an_archive_that_unpacks_without_end() -> None:
    bomb = gzip.compress(tarball({}, mode="w") + b"\0" * (8 << 20))
    entry = tarfile.TarInfo("sys/filler")
    entry.size = 64 << 20
    packed = io.BytesIO()
    with gzip.open(packed, "wb") as stream, tarfile.open(fileobj=stream, mode="w|") as archive:
        archive.addfile(entry, io.BytesIO(b"\0" * entry.size))
    assert len(bomb) < 100_000
    with pytest.raises(Unreadable, match="unpacks to more than 4 MiB"):
        read_archive(packed.getvalue(), most_bytes=4 << 20)


def test_links_that_lead_outside_lead_nowhere() -> None:
    files = cpu(0, 0, 0) | node(0, "0")
    outside = {
        "sys/bus/pci/devices/0000:00:00.0": "/etc",
        "sys/bus/pci/devices/0000:00:01.0": "../../../../../../../etc/passwd",
        "sys/bus/pci/devices/0000:00:02.0": "0000:00:02.0",
    }
    devices = machine(Dump("n1.tar", tarball(files, outside))).pci_devices
    assert [(device.numa_node, device.vendor_id, device.root) for device in devices] == [(None, "", "")] * 3


def test_member_names_that_climb_out() -> None:
    files = {f"../../{path}": content for path, content in (cpu(0, 0, 0) | node(0, "0")).items()}
    assert "no sysfs tree" in fault(Dump("n1.tar", tarball(files))).message
    tree = FileTree({"a/b": b"1"}, {"a/c": "../../b"})
    assert tree.text("a/c") is None
    assert tree.text("../a/b") is None


def test_circles_of_links_end() -> None:
    tree = FileTree({}, {"a": "b", "b": "a", "c": "c/c"})
    assert tree.text("a") is None
    assert tree.entries("c/c/c") == []


def test_cpus_beyond_reason_are_passed_over() -> None:
    files = cpu(0, 0, 0) | node(0, "0") | {f"{SYSTEM}/cpu/cpu99999999999999/topology/core_id": "0"}
    assert len(machine(Dump("n1.tar", tarball(files, links(0, 0)))).cpus) == 1
    files = cpu(0, 0, 0) | node(0, "0-999999999999")
    assert "too large" in fault(Dump("n1.tar", tarball(files))).message


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_an_archive_that_is_cut_short(part: float) -> None:
    whole = tarball(cpu(0, 0, 0) | node(0, "0"))
    wrong = fault(Dump("n1.tgz", whole[: int(part * len(whole))]))
    assert wrong.file == "n1.tgz"
    assert "damaged" in wrong.message or "no sysfs tree" in wrong.message


def test_kinds_of_archives_that_are_not_read() -> None:
    assert fault(Dump("n1.zip", b"PK\x03\x04rest")).message == "zip archives are not read"
    assert fault(Dump("n1.tar.zst", b"\x28\xb5\x2f\xfdrest")).message == "zstd archives are not read"


def test_compressed_bytes_that_are_no_tar() -> None:
    assert "damaged or no tar" in fault(Dump("n1.gz", gzip.compress(b"hello" * 300))).message


def test_a_hard_link_is_followed_inside() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for path, content in (cpu(0, 0, 0) | node(0, "0")).items():
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content.encode()))
        entry = tarfile.TarInfo(f"{SYSTEM}/cpu/isolated")
        entry.type, entry.linkname = tarfile.LNKTYPE, f"{SYSTEM}/node/node0/cpulist"
        archive.addfile(entry)
    assert str(machine(Dump("n1.tar", packed.getvalue())).isolated) == "0"
