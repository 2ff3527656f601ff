"""Sysfs trees made file by file, and tarballs of them."""

import io
import tarfile
from collections.abc import Mapping

SYSTEM = "sys/devices/system"


def cpu(
    number: int,
    core: int,
    package: int,
    *,
    siblings: str = "",
    caches: Mapping[int, tuple[int | None, str]] | None = None,
) -> dict[str, str]:
    """The files of one CPU; caches are id and CPUs by level."""
    folder = f"{SYSTEM}/cpu/cpu{number}"
    files = {f"{folder}/topology/core_id": f"{core}\n", f"{folder}/topology/physical_package_id": f"{package}\n"}
    if siblings:
        files[f"{folder}/topology/thread_siblings_list"] = f"{siblings}\n"
    for index, (level, (number_of_cache, cpus)) in enumerate(sorted((caches or {}).items())):
        here = f"{folder}/cache/index{index}"
        files |= {f"{here}/level": f"{level}\n", f"{here}/shared_cpu_list": f"{cpus}\n", f"{here}/type": "Unified\n"}
        if number_of_cache is not None:
            files[f"{here}/id"] = f"{number_of_cache}\n"
    return files


def node(number: int, cpulist: str, *, memory: int = 1024, distance: str = "") -> dict[str, str]:
    """The files of one NUMA node, without links; memory in KiB."""
    folder = f"{SYSTEM}/node/node{number}"
    files = {f"{folder}/cpulist": f"{cpulist}\n", f"{folder}/meminfo": f"Node {number} MemTotal:  {memory} kB\n"}
    return files | ({f"{folder}/distance": f"{distance}\n"} if distance else {})


def links(number: int, *cpus: int) -> dict[str, str]:
    """The links of a NUMA node to its CPUs."""
    return {f"{SYSTEM}/node/node{number}/cpu{each}": f"../../cpu/cpu{each}" for each in cpus}


def tarball(files: Mapping[str, str], symbolic: Mapping[str, str] | None = None, mode: str = "w:gz") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:  # type: ignore[call-overload]
        for path, content in files.items():
            entry = tarfile.TarInfo(path)
            data = content.encode()
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
        for path, target in (symbolic or {}).items():
            entry = tarfile.TarInfo(path)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            archive.addfile(entry)
    return packed.getvalue()
