"""Finding and reading dumps: files, folders of files, and folders that are a sysfs tree."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dractl.cli.inputs import STDIN, STDIN_NAME, expanded, unreadable
from dractl.errors import BadInput, Fault, Place, UsageError
from dractl.manifests import Source
from dractl.manifests.document import read_document
from dractl.manifests.source import decode, split
from dractl.topology import MOST_BYTES_OF_A_FILE, MOST_FILES, Dump, FileTree, is_wanted

_ENDINGS: Final = frozenset(
    {"", ".json", ".xml", ".txt", ".yaml", ".yml", ".tar", ".gz", ".tgz", ".bz2", ".tbz", ".xz", ".txz", ".log", ".out"}
)
"""Of files in a folder; a file that is named itself may end in anything."""

_CPU_FOLDER: Final = Path("devices/system/cpu")
_SYSTEM_FOLDERS: Final = ("cpu", "node")
_DEEPEST_TREE: Final = 4
_SIBLINGS: Final = ("proc/meminfo", "proc/cpuinfo", "proc/sys/kernel/hostname", "etc/hostname", "machineinfo.json")
_MOST_BYTES: Final = 1 << 30
"""Of one file: no dump is nearly as large, and it is held in memory."""


@dataclass(slots=True)
class _Finding:
    """The dumps found so far, each once."""

    recursive: bool
    dumps: dict[Path, Dump] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    skipped_files: int = 0
    folders_left_out: int = 0

    def add(self, path: Path, node: str, *, is_asked_for: bool) -> None:
        key = path.resolve()
        if key in self.dumps and not node:
            return
        try:
            if path.stat().st_size > _MOST_BYTES:
                self.faults.append(Fault("larger than any dump", "name the dump itself", file=str(path)))
                return
            self.dumps[key] = Dump(str(path), path.read_bytes(), node, is_asked_for)
        except OSError as error:
            self.faults.append(unreadable(str(path), error))

    def add_folder(self, folder: Path, node: str) -> None:
        root = _sysfs_root(folder)
        if root is not None:
            if node or folder.resolve() not in self.dumps:
                self.dumps[folder.resolve()] = Dump(str(folder), _read_tree(folder, root), node)
            return
        for entry in sorted(self._entries(folder), key=lambda path: path.name):
            if entry.is_dir():
                if self.recursive and not entry.is_symlink() and not entry.name.startswith("."):
                    self.add_folder(entry, node)
                else:
                    self.folders_left_out += 1
            elif entry.is_file() and not entry.name.startswith(".") and entry.suffix.lower() in _ENDINGS:
                self.add(entry, node, is_asked_for=False)
            else:
                self.skipped_files += 1

    def _entries(self, folder: Path) -> list[Path]:
        try:
            return list(folder.iterdir())
        except OSError as error:
            self.faults.append(unreadable(str(folder), error))
            return []


@dataclass(frozen=True, slots=True)
class FoundDumps:
    """The dumps in the order in which they count, and what folders held besides."""

    dumps: tuple[Dump, ...]
    skipped_files: int = 0
    folders_left_out: int = 0


def find_dumps(
    paths: Sequence[str], named: Sequence[str], *, recursive: bool, read_stdin: Callable[[], bytes]
) -> FoundDumps:
    """Read every dump that the paths name; `named` are further ones as NODE=FILE, or FILE where the node is left open.

    Raises UsageError where a path names nothing, BadInput with every file that cannot be read.
    """
    finding = _Finding(recursive)
    for path in paths:
        _add(finding, path, "", read_stdin)
    for text in named:
        node, path = split_named(text)
        _add(finding, path, node, read_stdin)
    if finding.faults:
        raise BadInput(finding.faults)
    if not finding.dumps:
        remedy = "; -R also reads the subfolders" if finding.folders_left_out and not recursive else ""
        raise UsageError("no dumps" if paths or named else "no input", f"name files or folders with dumps{remedy}")
    return FoundDumps(tuple(finding.dumps.values()), finding.skipped_files, finding.folders_left_out)


def split_named(text: str) -> tuple[str, str]:
    """NODE=FILE as its parts; the node is empty in a mere FILE, which may hold a `=` in a folder's name."""
    node, equals, path = text.partition("=")
    if not equals or "/" in node:
        return "", text
    if not node or not path:
        raise UsageError(f"{text!r} is not NODE=FILE", "write for example --topology worker-1=worker-1.xml")
    return node, path


def read_objects(name: str, content: bytes) -> Iterable[tuple[Place, Any]]:
    """The objects of a YAML or JSON file as plain data, read as the API server reads them. Raises BadInput."""
    source = Source(name, content)
    faults: list[Fault] = []
    found: list[tuple[Place, Any]] = []
    for document in split(name, decode(source)):
        tree = read_document(document)
        faults += tree.faults
        if tree.value is not None:
            found.append((Place(document.origin), tree.value))
    if faults:
        raise BadInput(faults)
    return found


def _add(finding: _Finding, path: str, node: str, read_stdin: Callable[[], bytes]) -> None:
    if path == STDIN:
        finding.dumps.setdefault(Path(STDIN_NAME), Dump(STDIN_NAME, read_stdin(), node))
        return
    for match in expanded(path):
        finding.add_folder(match, node) if match.is_dir() else finding.add(match, node, is_asked_for=True)


# --- sysfs in a folder -----------------------------------------------------------------------------------------------


def _sysfs_root(folder: Path) -> Path | None:
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


def _folders(folder: Path) -> Iterator[Path]:
    try:
        yield from (entry for entry in sorted(folder.iterdir()) if entry.is_dir() and not entry.is_symlink())
    except OSError:
        return


def _read_tree(folder: Path, root: Path) -> FileTree:
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
