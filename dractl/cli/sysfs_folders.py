"""A folder that is `/sys`, or holds one: what matters of it is read as one dump."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dractl.topology import MOST_BYTES_OF_A_FILE, MOST_FILES, FileTree, is_wanted

_CPU_FOLDER: Final = Path("devices/system/cpu")
_SYSTEM_FOLDERS: Final = ("cpu", "node")
_DEEPEST_TREE: Final = 4
_SIBLINGS: Final = ("proc/meminfo", "proc/cpuinfo", "proc/sys/kernel/hostname", "etc/hostname", "machineinfo.json")


def sysfs_root(folder: Path) -> Path | None:
    """The folder that is `/sys`, in a folder or a little below it; None if it holds no sysfs tree."""
    level = [folder]
    for _ in range(_DEEPEST_TREE):
        for each in level:
            if (each / _CPU_FOLDER).is_dir():
                return each
            if (each / "cpu" / "cpu0" / "topology").is_dir():
                return each
        level = [below for each in level for below in _folders(each)]
    return None


def tree_in(folder: Path) -> FileTree | None:
    """The tree of a folder that is `/sys` or has it as `sys`; None for any other, whatever lies deeper."""
    for root in (folder, folder / "sys"):
        if (root / _CPU_FOLDER).is_dir() or (root / "cpu" / "cpu0" / "topology").is_dir():
            return read_tree(folder, root)
    return None


def _folders(folder: Path) -> Iterator[Path]:
    try:
        yield from (entry for entry in sorted(folder.iterdir()) if entry.is_dir() and not entry.is_symlink())
    except OSError:
        return


def read_tree(folder: Path, root: Path) -> FileTree:
    """What matters of the tree below `root`, with the paths that it has in `folder`; nothing outside is read."""
    files: dict[str, bytes] = {}
    links: dict[str, str] = {}
    starts = [root / name for name in _SYSTEM_FOLDERS]
    if (root / _CPU_FOLDER).is_dir():
        system = root / _CPU_FOLDER.parent
        starts = [*(system / name for name in _SYSTEM_FOLDERS), root / "bus" / "pci", root / "devices"]
    for start in starts:
        _walk(folder, start, files, links)
    for top in {root, root.parent} if root != folder else {root}:
        for name in _SIBLINGS:
            _read_file(folder, top / name, files)
    return FileTree(files, links)


def _walk(folder: Path, start: Path, files: dict[str, bytes], links: dict[str, str]) -> None:
    for parent, folders, names in os.walk(start, followlinks=False):
        here = Path(parent)
        if start.name == "devices" and here == start:
            folders[:] = [name for name in folders if name.startswith(("pci", "cpu_"))]
        for name in [*folders, *names]:
            path = here / name
            if path.is_symlink():
                links[path.relative_to(folder).as_posix()] = str(path.readlink())
            elif name in names:
                _read_file(folder, path, files)
        if len(files) + len(links) > MOST_FILES:
            return


def _read_file(folder: Path, path: Path, files: dict[str, bytes]) -> None:
    """A file that says something about topology; the kernel refuses to read some, which are then not there."""
    relative = path.relative_to(folder).as_posix()
    if not is_wanted(relative):
        return
    try:
        if stat.S_ISREG(path.lstat().st_mode):
            with path.open("rb") as opened:
                files[relative] = opened.read(MOST_BYTES_OF_A_FILE)
    except OSError:
        return
