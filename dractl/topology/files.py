"""A tree of small files and symbolic links, held in memory; what a gathered sysfs tree is to its readers.

Nothing here touches a disk: links are followed inside the tree only, and one that leads outside leads nowhere.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

_MOST_LINKS: Final = 40
"""As many links as Linux follows for one path."""

_AROUND: Final = " \t\r\n\0"
"""Some gathering tools copy a buffer with its unused end."""

MOST_BYTES_OF_A_FILE: Final = 1024 * 1024
MOST_FILES: Final = 400_000

_WANTED: Final = re.compile(
    r"""(?:^|/)(?:
        cpu/(?:online|offline|possible|present|isolated)
      | cpu/cpu\d+/(?:online|node\d+)
      | cpu/cpu\d+/topology/(?:core_id|physical_package_id|book_id|drawer_id|thread_siblings|core_cpus)(?:_list)?
      | cpu/cpu\d+/cache/index\d+/(?:id|level|size|type|shared_cpu_list|shared_cpu_map)
      | node/(?:online|possible)
      | node/node\d+/(?:cpu\d+|cpulist|cpumap|meminfo|distance)
      | node/node\d+/hugepages/hugepages-\d+kB/nr_hugepages
      | bus/pci/devices/[^/]+
      | devices/(?:[^/]+/)*[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]/
        (?:numa_node|local_cpulist|local_cpus|class|vendor|device)
      | devices/cpu_(?:core|atom)/cpus
      | proc/(?:meminfo|cpuinfo|sys/kernel/hostname)
      | sys/kernel/hostname
      | etc/hostname
      | uname
      | machineinfo\.json
    )$""",
    re.VERBOSE,
)


def is_wanted(path: str) -> bool:
    """Whether a file or link of a tree says anything about topology; all others need not be kept."""
    return _WANTED.search(path) is not None


class FileTree:
    """Files and symbolic links by path; paths are relative to the tree's root, with `/` between names.

    A path that climbs out of the root is left out.
    """

    def __init__(self, files: Mapping[str, bytes], links: Mapping[str, str]) -> None:
        self._files = {_clean(path): content for path, content in files.items() if not _climbs(path)}
        self._links = {_clean(path): target for path, target in links.items() if not _climbs(path)}
        self._entries: dict[str, dict[str, None]] = {"": {}}
        for path in (*self._files, *self._links):
            self._enter(path)

    def _enter(self, path: str) -> None:
        while path:
            parent, _, name = path.rpartition("/")
            known = parent in self._entries
            self._entries.setdefault(parent, {})[name] = None
            if known:
                return
            path = parent

    def __iter__(self) -> Iterator[str]:
        """The paths of all files, links left out."""
        return iter(self._files)

    def folders(self) -> Iterator[str]:
        """The paths of all folders that hold something; the root is the empty path."""
        return iter(self._entries)

    def entries(self, folder: str) -> list[str]:
        """The names in a folder, sorted as text; empty where there is no such folder."""
        found = self.resolve(folder)
        return sorted(self._entries.get(found, ())) if found is not None else []

    def text(self, path: str) -> str | None:
        """What a file says, without white space and null bytes around it; None where there is no such file."""
        found = self.resolve(path)
        content = self._files.get(found) if found is not None else None
        return None if content is None else content.decode("utf-8", "replace").strip(_AROUND)

    def content(self, path: str) -> bytes | None:
        """The bytes of a file; None where there is no such file."""
        found = self.resolve(path)
        return self._files.get(found) if found is not None else None

    def exists(self, path: str) -> bool:
        """Whether there is a file, a folder or a link of this path; a link may lead nowhere."""
        path = _clean(path)
        return path in self._files or path in self._links or path in self._entries

    def resolve(self, path: str) -> str | None:
        """The path with every link followed; None where a link leads out of the tree or round in circles."""
        waiting = _clean(path).split("/")[::-1]
        done: list[str] = []
        followed = 0
        while waiting:
            name = waiting.pop()
            if name in ("", "."):
                continue
            if name == "..":
                if not done:
                    return None
                done.pop()
                continue
            target = self._links.get("/".join([*done, name]))
            if target is None:
                done.append(name)
                continue
            followed += 1
            if followed > _MOST_LINKS:
                return None
            if target.startswith("/"):
                done.clear()
            waiting += target.split("/")[::-1]
        return "/".join(done)


def _clean(path: str) -> str:
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def _climbs(path: str) -> bool:
    return ".." in path.split("/")
