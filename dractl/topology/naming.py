"""Whose dump it is: from its content, its file's name, or the Node object that lies beside it."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from msgspec import Struct

_EXTENSION: Final = re.compile(r"\.(?:json|xml|txt|ya?ml|tar|tgz|tbz2?|txz|gz|bz2|xz|log|out)$", re.IGNORECASE)
_FORMAT: Final = re.compile(
    r"(?:^|[._-])(?:machine-?info|cadvisor|lscpu[\w-]*|numactl[\w-]*|sysfs|sysinfo|lstopo|configz"
    r"|kubelet[._-]?conf(?:ig(?:uration)?)?|cpu_manager_state|memory_manager_state|pod-?resources[\w-]*)$"
    r"|(?:^|\.)(?:machine|sys|hwloc\d?|topology|kubelet|allocatable|nrt|node|dump|state)$",
    re.IGNORECASE,
)
_NO_NAMES: Final = frozenset({"localhost", "localhost.localdomain", "(none)", "none", "unknown"})


class Named(Struct, frozen=True):
    """Names that a dump may have, best first. `from_file` and `folder` are empty where they say nothing."""

    given: str = ""
    by_content: tuple[str, ...] = ()
    from_file: str = ""
    folder: str = ""

    @property
    def own(self) -> tuple[str, ...]:
        """What the dump and its file say by themselves."""
        said = (self.given, *self.by_content, self.from_file)
        return tuple(name for name in said if name and name.lower() not in _NO_NAMES)


def named(file: str, given: str, by_content: Sequence[str]) -> Named:
    """The names for a file: `n1.lscpu.json` is of n1, and `n1/lscpu.json` too (as is all of a folder's)."""
    parts = [part for part in file.replace("\\", "/").split("/") if part not in ("", ".")]
    stem = parts[-1] if parts else ""
    folder = parts[-2] if len(parts) > 1 and parts[-2] != ".." else ""
    while _EXTENSION.search(stem):
        stem = _EXTENSION.sub("", stem)
    while _FORMAT.search(stem):
        stem = _FORMAT.sub("", stem)
    return Named(given, tuple(by_content), "" if stem.startswith("<") else stem, folder)


def folder_path(file: str) -> str:
    """The folder that a file lies in, as written."""
    return file.replace("\\", "/").rpartition("/")[0]


def choose(names: Named, known: Collection[str], *, beside: str, only: str) -> str:
    """The node's name: the first that is known as a node, else the best that there is; empty if none.

    `beside` is the name of the only Node object in the same folder, `only` that of the only node of the whole input:
    a dump that names no node by itself is of that. Both may be empty.
    """
    if names.given:
        return names.given
    for name in names.own:
        match = _known_as(name, known)
        if match:
            return match
    content = [name for name in names.by_content if name.lower() not in _NO_NAMES]
    candidates = [*content, only, names.from_file, beside, names.folder]
    return next((name for name in candidates if name), "")


def _known_as(name: str, known: Collection[str]) -> str:
    """A node of that name, or the only one whose host name it is without its domain."""
    if name in known:
        return name
    short = name.partition(".")[0]
    matches = [node for node in known if node.partition(".")[0] == short and (node == short or name == short)]
    return matches[0] if len(matches) == 1 else ""
