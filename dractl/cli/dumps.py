"""Finding and reading dumps: files, folders of files, and folders that are a sysfs tree."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from dractl.cli.inputs import DUMP_ENDINGS, LARGEST_DUMP, STDIN, STDIN_NAME, expanded, split_named, unreadable
from dractl.cli.sysfs_folders import read_tree, sysfs_root
from dractl.errors import BadInput, Fault, Place, UsageError
from dractl.manifests import Source
from dractl.manifests.document import read_document
from dractl.manifests.source import decode, split
from dractl.topology import Dump, kubelet_objects


class _Finding(Struct):
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
            if path.stat().st_size > LARGEST_DUMP:
                self.faults.append(Fault("larger than any dump", "name the dump itself", file=str(path)))
                return
            self.dumps[key] = Dump(str(path), path.read_bytes(), node, is_asked_for)
        except OSError as error:
            self.faults.append(unreadable(str(path), error))

    def add_folder(self, folder: Path, node: str) -> None:
        root = sysfs_root(folder)
        if root is not None:
            if node or folder.resolve() not in self.dumps:
                self.dumps[folder.resolve()] = Dump(str(folder), read_tree(folder, root), node)
            return
        for entry in sorted(self._entries(folder), key=lambda path: path.name):
            if entry.is_dir():
                if self.recursive and not entry.is_symlink() and not entry.name.startswith("."):
                    self.add_folder(entry, node)
                else:
                    self.folders_left_out += 1
            elif entry.is_file() and not entry.name.startswith(".") and entry.suffix.lower() in DUMP_ENDINGS:
                self.add(entry, node, is_asked_for=False)
            else:
                self.skipped_files += 1

    def _entries(self, folder: Path) -> list[Path]:
        try:
            return list(folder.iterdir())
        except OSError as error:
            self.faults.append(unreadable(str(folder), error))
            return []


class FoundDumps(Struct, frozen=True):
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


def read_kubelet_objects(name: str, content: bytes) -> Iterable[tuple[Place, Any]]:
    """Of a file with all sorts of objects those that describe a node's kubelet; the others are read elsewhere."""
    return [found for place, data in read_objects(name, content) for found in kubelet_objects(place, data)]


def _add(finding: _Finding, path: str, node: str, read_stdin: Callable[[], bytes]) -> None:
    if path == STDIN:
        finding.dumps.setdefault(Path(STDIN_NAME), Dump(STDIN_NAME, read_stdin(), node))
        return
    for match in expanded(path):
        finding.add_folder(match, node) if match.is_dir() else finding.add(match, node, is_asked_for=True)
