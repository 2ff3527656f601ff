"""Finding and reading the input: files, folders, globs and standard input."""

import glob
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dractl.errors import BadInput, Fault, UsageError
from dractl.manifests import Source

STDIN: Final = "-"
STDIN_NAME: Final = "<stdin>"

_MANIFESTS: Final = frozenset({".yaml", ".yml", ".json"})
_TEMPLATES: Final = frozenset({".tmpl", ".tpl"})
_WILDCARDS: Final = frozenset("*?[")
_RENDER: Final = "render it first, for example `helm template … | dractl plan -`, and plan the result"


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that were read, in the order in which they count, and how many others a folder held.

    `folders_left_out` are folders that were not descended into: all without `-R`, hidden ones with it.
    """

    sources: tuple[Source, ...]
    skipped_files: int = 0
    folders_left_out: int = 0


@dataclass(slots=True)
class _Finding:
    """The files named so far, each once, and those that were passed by."""

    recursive: bool
    files: dict[Path, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    skipped_files: int = 0
    folders_left_out: int = 0

    def add(self, path: Path) -> None:
        if _is_template(path):
            self.faults.append(Fault("this is a template, not a manifest", remedy=_RENDER, file=str(path)))
        else:
            self.files.setdefault(path.resolve(), str(path))

    def add_folder(self, folder: Path) -> None:
        for entry in sorted(self._entries(folder), key=lambda path: path.name):
            if entry.is_dir():
                if self.recursive and not entry.is_symlink() and not entry.name.startswith("."):
                    self.add_folder(entry)
                else:
                    self.folders_left_out += 1
            elif entry.is_file() and (entry.suffix in _MANIFESTS or _is_template(entry)):
                self.add(entry)
            else:
                self.skipped_files += 1

    def _entries(self, folder: Path) -> list[Path]:
        try:
            return list(folder.iterdir())
        except OSError as error:
            self.faults.append(unreadable(str(folder), error))
            return []


def find_inputs(paths: Sequence[str], *, recursive: bool, read_stdin: Callable[[], bytes]) -> Inputs:
    """Read everything that the paths name; in a folder files come by path, and a file counts once.

    Raises UsageError where a path names nothing, BadInput with every file that cannot be read or is a template.
    """
    if not paths:
        raise UsageError("no input", "name files or folders with manifests, or - for standard input")
    finding = _Finding(recursive)
    sources: list[Source] = []
    for path in paths:
        if path == STDIN:
            sources += _stdin(read_stdin, sources)
            continue
        known = len(finding.files)
        for match in expanded(path):
            finding.add_folder(match) if match.is_dir() else finding.add(match)
        sources += _read(list(finding.files.values())[known:], finding.faults)
    if finding.faults:
        raise BadInput(finding.faults)
    if not sources:
        raise _nothing_found(paths, finding)
    return Inputs(tuple(sources), finding.skipped_files, finding.folders_left_out)


def expanded(path: str) -> list[Path]:
    """The files and folders that a path or glob names. Raises UsageError where it names none."""
    if Path(path).exists():
        return [Path(path)]
    if path.startswith(("http://", "https://")):
        raise UsageError(f"{path} is a URL", f"dractl reads no network: curl -s {path} | dractl plan -")
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


def _read(names: Iterable[str], faults: list[Fault]) -> Iterator[Source]:
    for name in names:
        try:
            yield Source(name, Path(name).read_bytes())
        except OSError as error:
            faults.append(unreadable(name, error))


def unreadable(name: str, error: OSError) -> Fault:
    """That a file cannot be read, in the system's words."""
    why = error.strerror or str(error)
    return Fault(f"cannot be read: {why[:1].lower()}{why[1:]}", remedy="check its permissions", file=name)


def _stdin(read_stdin: Callable[[], bytes], so_far: Sequence[Source]) -> list[Source]:
    if any(source.name == STDIN_NAME for source in so_far):
        return []
    content = read_stdin()
    if not content.strip():
        raise UsageError("nothing came on standard input", "did the command before the pipe fail?")
    return [Source(STDIN_NAME, content)]


def _nothing_found(paths: Sequence[str], finding: _Finding) -> UsageError:
    remedy = "manifests end in .yaml, .yml or .json"
    if finding.folders_left_out and not finding.recursive:
        remedy += "; -R also reads the subfolders"
    return UsageError(f"no manifests in {', '.join(paths)}", remedy)


def _is_template(path: Path) -> bool:
    """`deploy.yaml.tmpl` and its like: refused, where other names are only skipped."""
    return path.suffix in _TEMPLATES and Path(path.stem).suffix in _MANIFESTS
