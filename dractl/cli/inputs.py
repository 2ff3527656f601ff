"""Finding and reading the input: files, folders, globs and standard input; manifests apart from dumps."""

import glob
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from dractl.cli.sysfs_folders import tree_in
from dractl.errors import Fault, UsageError
from dractl.manifests import Source
from dractl.topology import Dump, Holds, what_it_holds

STDIN: Final = "-"
STDIN_NAME: Final = "<stdin>"

DUMP_ENDINGS: Final = frozenset(
    {"", ".json", ".xml", ".txt", ".yaml", ".yml", ".tar", ".gz", ".tgz", ".bz2", ".tbz", ".xz", ".txz", ".log", ".out"}
)
"""Of files in a folder; a file that is named itself may end in anything."""
LARGEST_DUMP: Final = 1 << 30
"""Bytes of one file: no dump is nearly as large, and it is held in memory."""

_MANIFESTS: Final = frozenset({".yaml", ".yml", ".json"})
_TEMPLATES: Final = frozenset({".tmpl", ".tpl"})
_WILDCARDS: Final = frozenset("*?[")
_RENDER: Final = "render it first, for example by `helm template …`, and give dractl the result"


class Inputs(Struct, frozen=True):
    """The files that were read, in the order in which they count, and how many others a folder held.

    `dumps` describe nodes; a file that holds a kubelet's configuration beside other objects is among the sources too.
    `folders_left_out` are folders that were not descended into: all without `-R`, hidden ones with it.
    `faults` are files that could not be read, or are templates: with any, the input is bad. `unrendered_files`
    were left out: Helm or kustomize make manifests from them.
    """

    sources: tuple[Source, ...]
    dumps: tuple[Dump, ...] = ()
    skipped_files: int = 0
    folders_left_out: int = 0
    faults: tuple[Fault, ...] = ()
    unrendered_files: int = 0

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files that were read, or should have been."""
        return (
            *(source.name for source in self.sources),
            *(dump.name for dump in self.dumps),
            *(fault.file for fault in self.faults),
        )


class _Finding(Struct):
    """What was read so far, each file once, and what was passed by."""

    recursive: bool
    seen: set[Path] = field(default_factory=set)
    named: set[Path] = field(default_factory=set)
    sources: list[Source] = field(default_factory=list)
    dumps: list[Dump] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    skipped_files: int = 0
    folders_left_out: int = 0

    def add(self, path: Path) -> None:
        """A file that is named, or that looks like a manifest: what it holds is told by its content."""
        if _is_template(path):
            self.faults.append(Fault("this is a template, not a manifest", remedy=_RENDER, file=str(path)))
        elif self._is_new(path):
            content = self._read(path)
            if content is not None:
                self.take(str(path), content, is_known=path.resolve() in self.named)

    def add_named(self, path: Path, node: str) -> None:
        """A dump that the user calls one, and whose it is, if that was said."""
        self.named.add(path.resolve())
        content = tree_in(path) if path.is_dir() else self._read(path)
        if content is not None:
            self.dumps.append(Dump(str(path), content, node))
        elif path.is_dir():
            self.faults.append(Fault("no sysfs tree is in this folder", "name the folder that is /sys", file=str(path)))

    def add_folder(self, folder: Path) -> None:
        tree = tree_in(folder)
        if tree is not None:
            if folder.resolve() not in self.named and self._is_new(folder):
                self.dumps.append(Dump(str(folder), tree))
            return
        for entry in sorted(self._entries(folder), key=lambda path: path.name):
            if entry.is_dir():
                if self.recursive and not entry.is_symlink() and not entry.name.startswith("."):
                    self.add_folder(entry)
                else:
                    self.folders_left_out += 1
            elif entry.is_file() and _looks_like_manifest(entry):
                self.add(entry)
            elif not self._is_dump(entry):
                self.skipped_files += 1

    def take(self, name: str, content: bytes, *, is_known: bool = False) -> None:
        """A file's content as what it is; `is_known` says that it is among the dumps already."""
        holds = what_it_holds(content)
        if holds is not Holds.DUMP:
            self.sources.append(Source(name, content))
        if holds is not Holds.OBJECTS and not is_known:
            self.dumps.append(Dump(name, content, is_asked_for=holds is Holds.DUMP))

    def _is_dump(self, entry: Path) -> bool:
        """Whether a file of another name in a folder is a dump; then it is one from now on."""
        if not entry.is_file() or entry.name.startswith(".") or entry.suffix.lower() not in DUMP_ENDINGS:
            return False
        if entry.resolve() in self.named or not self._is_new(entry):
            return True
        content = self._read(entry)
        if content is None or what_it_holds(content) is not Holds.DUMP:
            return False
        self.dumps.append(Dump(str(entry), content))
        return True

    def _is_new(self, path: Path) -> bool:
        key = path.resolve()
        if key in self.seen:
            return False
        self.seen.add(key)
        return True

    def _read(self, path: Path) -> bytes | None:
        try:
            if path.stat().st_size > LARGEST_DUMP:
                self.faults.append(Fault("larger than any manifest or dump", "leave it out", file=str(path)))
                return None
            return path.read_bytes()
        except OSError as error:
            self.faults.append(unreadable(str(path), error))
            return None

    def _entries(self, folder: Path) -> list[Path]:
        try:
            return list(folder.iterdir())
        except OSError as error:
            self.faults.append(unreadable(str(folder), error))
            return []


def find_inputs(
    paths: Sequence[str], named: Sequence[str] = (), *, recursive: bool, read_stdin: Callable[[], bytes]
) -> Inputs:
    """Read everything that the paths name; in a folder files come by path, and a file counts once.

    `named` are dumps as NODE=FILE, or FILE where the node is left open.

    Raises UsageError where a path names nothing.
    """
    if not paths and not named:
        raise UsageError("no input", "name files or folders with manifests, or - for standard input")
    finding = _Finding(recursive)
    for text in named:
        node, path = split_named(text)
        for match in expanded(path):
            finding.add_named(match, node)
    for path in paths:
        if path == STDIN:
            _take_stdin(finding, read_stdin)
            continue
        for match in expanded(path):
            finding.add_folder(match) if match.is_dir() else finding.add(match)
    if not finding.sources and not finding.dumps and not finding.faults:
        raise _nothing_found(paths, finding)
    return Inputs(
        tuple(finding.sources),
        tuple(finding.dumps),
        finding.skipped_files,
        finding.folders_left_out,
        tuple(finding.faults),
    )


def named_source(path: str) -> str:
    """The name that the source of a single file has; nothing for no path."""
    return STDIN_NAME if path == "-" else str(Path(path)) if path else ""


def split_named(text: str) -> tuple[str, str]:
    """NODE=FILE as its parts; the node is empty in a mere FILE, which may hold a `=` in a folder's name."""
    node, equals, path = text.partition("=")
    if not equals or "/" in node:
        return "", text
    if not node or not path:
        raise UsageError(f"{text!r} is not NODE=FILE", "write for example --topology worker-1=worker-1.xml")
    return node, path


def expanded(path: str) -> list[Path]:
    """The files and folders that a path or glob names. Raises UsageError where it names none."""
    if Path(path).exists():
        return [Path(path)]
    if path.startswith(("http://", "https://")):
        raise UsageError(
            f"{path} is a URL", f"dractl reads no network: pipe it in, `curl -s {path} | dractl COMMAND -`"
        )
    if _WILDCARDS & set(path):
        matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 (a pattern may be absolute)
        if matches:
            return [Path(match) for match in matches]
        raise UsageError(f"{path} matches no file", "check the pattern and the folder that you are in")
    raise UsageError(f"{path} does not exist", _near(Path(path)))


def _near(path: Path) -> str:
    """What could have been meant: the nearest folder that exists, and a name in it that is almost the same."""
    parent = path.parent
    while not parent.exists():
        parent = parent.parent
    if parent != path.parent or not parent.is_dir():
        return f"the path ends at {parent}"
    import difflib

    close = difflib.get_close_matches(path.name, [entry.name for entry in parent.iterdir()], n=1)
    return f"did you mean {parent / close[0]}?" if close else "check the name and the folder that you are in"


def unreadable(name: str, error: OSError) -> Fault:
    """That a file cannot be read, in the system's words."""
    why = error.strerror or str(error)
    return Fault(f"cannot be read: {why[:1].lower()}{why[1:]}", remedy="check its permissions", file=name)


def _take_stdin(finding: _Finding, read_stdin: Callable[[], bytes]) -> None:
    if STDIN_NAME in {source.name for source in finding.sources} | {dump.name for dump in finding.dumps}:
        return
    content = read_stdin()
    if not content.strip():
        raise UsageError("nothing came on standard input", "did the command before the pipe fail?")
    finding.take(STDIN_NAME, content)


def _nothing_found(paths: Sequence[str], finding: _Finding) -> UsageError:
    remedy = "manifests end in .yaml, .yml or .json"
    if finding.folders_left_out and not finding.recursive:
        remedy += "; -R also reads the subfolders"
    return UsageError(f"no manifests in {', '.join(paths)}", remedy)


def _looks_like_manifest(path: Path) -> bool:
    """Files that are hidden hold the settings of programs, dractl's own among them."""
    return not path.name.startswith(".") and (path.suffix in _MANIFESTS or _is_template(path))


def _is_template(path: Path) -> bool:
    """`deploy.yaml.tmpl` and its like: refused, where other names are only skipped."""
    return path.suffix in _TEMPLATES and Path(path.stem).suffix in _MANIFESTS
