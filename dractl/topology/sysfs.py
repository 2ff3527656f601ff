"""A sysfs tree: all that the kubelet's source of machine data reads (topology-dumps.md §2.1, kubelet.md §2)."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from msgspec import Struct

from dractl.errors import Origin, Place
from dractl.finding import Finding, Severity
from dractl.machine.idsets import LARGEST_ID, NO_CPUS, CpuSet
from dractl.machine.machine import Cache, CoreKind, HugePages
from dractl.topology.description import CoreKey, CpuFacts, Description, DumpFormat, NumaFacts, UncoreKnowledge
from dractl.topology.dumps import Unreadable
from dractl.topology.files import FileTree
from dractl.topology.masks import parse_mask
from dractl.topology.sysfs_pci import read_pci_devices

_TOPOLOGY_FOLDER: Final = re.compile(r"(?P<system>(?:.*/)?)cpu/cpu\d+/topology")
_CPU: Final = re.compile(r"cpu(\d+)")
_NODE: Final = re.compile(r"node(\d+)")
_INDEX: Final = re.compile(r"index(\d+)")
_HUGE_PAGES: Final = re.compile(r"hugepages-(\d+)kB")
_MEM_TOTAL: Final = re.compile(r"MemTotal:\s*(\d+) kB")
_MODEL: Final = re.compile(r"^(?:model name|Model|cpu model|machine)\s*:\s*(.+)$", re.MULTILINE)
_KIB: Final = 1024
_LONGEST_NUMBER: Final = 10
_LARGEST_PAGE: Final = 1 << 26
"""In KiB."""
_T = TypeVar("_T")
_SIZE_UNITS: Final = {"": 1, "K": _KIB, "M": _KIB**2, "G": _KIB**3}


class _Roots(Struct, frozen=True):
    """Where things are in a tree: `system` is `/sys/devices/system/`, `sys` is `/sys/`, `top` is `/`."""

    system: str
    sys: str
    top: str


def sysfs_roots(tree: FileTree) -> list[str]:
    """The folders of a tree that are a `/sys/devices/system`, sorted; each is one machine."""
    matches = (_TOPOLOGY_FOLDER.fullmatch(folder) for folder in tree.folders())
    return sorted({match["system"] for match in matches if match})


def read_sysfs(tree: FileTree, origin: Origin, system: str) -> Description:
    """What the tree below one of `sysfs_roots` says. Raises Unreadable where a file of it makes no sense."""
    reader = _Reader(tree, origin, _roots(system))
    return reader.description()


def _roots(system: str) -> _Roots:
    sys = system.removesuffix("devices/system/")
    return _Roots(system, sys, sys.removesuffix("sys/"))


class _Reader:
    def __init__(self, tree: FileTree, origin: Origin, roots: _Roots) -> None:
        self._tree = tree
        self._origin = origin
        self._roots = roots
        self._findings: list[Finding] = []
        self._all_cpus = _numbers(tree.entries(f"{roots.system}cpu"), _CPU)
        self._node_ids = _numbers(tree.entries(f"{roots.system}node"), _NODE)

    def description(self) -> Description:
        tree, roots = self._tree, self._roots
        online = self._online()
        node_of = self._node_of(online)
        kinds = self._kinds()
        cpus = {cpu: self._cpu(cpu, node_of.get(cpu), kinds.get(cpu, CoreKind.STANDARD)) for cpu in online}
        caches, has_ids = self._caches(online)
        return Description(
            self._origin,
            DumpFormat.SYSFS,
            cpus,
            {node: self._node(node) for node in self._node_ids},
            self._names(),
            has_numa_nodes=bool(self._node_ids),
            uncore=UncoreKnowledge.KERNEL_IDS if has_ids else UncoreKnowledge.NOTHING,
            offline=self._offline(online),
            isolated=self._list("cpu/isolated") or NO_CPUS,
            caches=caches,
            pci_devices=read_pci_devices(tree, roots.sys),
            memory_capacity=_mem_total(tree.text(f"{roots.top}proc/meminfo")),
            model=self._model(),
            findings=tuple(self._findings),
        )

    # --- CPUs ----------------------------------------------------------------------------------------------------

    def _online(self) -> CpuSet:
        listed = self._list("cpu/online")
        if listed is not None:
            return CpuSet(cpu for cpu in listed if self._has_topology(cpu))
        offline = self._list("cpu/offline") or NO_CPUS
        candidates = CpuSet(self._all_cpus) - offline
        return CpuSet(cpu for cpu in candidates if self._has_topology(cpu) and self._is_on(cpu))

    def _has_topology(self, cpu: int) -> bool:
        return bool(self._tree.entries(f"{self._roots.system}cpu/cpu{cpu}/topology"))

    def _is_on(self, cpu: int) -> bool:
        return self._text(f"cpu/cpu{cpu}/online") != "0"

    def _offline(self, online: CpuSet) -> CpuSet:
        present = self._list("cpu/present") or CpuSet(self._all_cpus)
        return present - online

    def _cpu(self, cpu: int, node: int | None, kind: CoreKind) -> CpuFacts:
        folder = f"cpu/cpu{cpu}/topology"
        key = CoreKey(
            self._number(f"{folder}/core_id"),
            self._number(f"{folder}/physical_package_id"),
            self._number(f"{folder}/book_id", -1),
            self._number(f"{folder}/drawer_id", -1),
        )
        siblings = self._set(f"{folder}/thread_siblings_list", f"{folder}/thread_siblings")
        return CpuFacts(key, node, siblings, kind=kind)

    def _kinds(self) -> dict[int, CoreKind]:
        named = (("cpu_core", CoreKind.PERFORMANCE), ("cpu_atom", CoreKind.EFFICIENCY))
        kinds: dict[int, CoreKind] = {}
        for folder, kind in named:
            text = self._tree.text(f"{self._roots.sys}devices/{folder}/cpus")
            kinds |= dict.fromkeys(self._parse(CpuSet.parse, text or "", f"{folder}/cpus"), kind)
        return kinds

    # --- NUMA nodes ----------------------------------------------------------------------------------------------

    def _node_of(self, online: CpuSet) -> dict[int, int]:
        """The node of each online CPU: by the links of the node's folder, by its list where a tree has lost them."""
        folders = {node: f"node/node{node}" for node in self._node_ids}
        linked = {
            node: CpuSet(_numbers(self._tree.entries(self._roots.system + folder), _CPU))
            for node, folder in folders.items()
        }
        listed = {node: self._set(f"{folder}/cpulist", f"{folder}/cpumap") for node, folder in folders.items()}
        if any(linked.values()):
            self._warn_of_lists(linked, listed, online)
            chosen = linked
        else:
            chosen = {node: cpus for node, cpus in listed.items() if cpus is not None}
        placed = {cpu: node for node, cpus in sorted(chosen.items()) for cpu in cpus & online}
        self._warn_of_homeless(online - CpuSet(placed))
        return placed

    def _warn_of_homeless(self, cpus: CpuSet) -> None:
        if cpus and self._node_ids:
            self._warn(
                "topology/cpus-without-node",
                f"CPUs {cpus} are online but belong to no NUMA node: the kubelet does not see them",
                "is a NUMA node offline, or was its folder not gathered?",
            )

    def _warn_of_lists(self, linked: dict[int, CpuSet], listed: dict[int, CpuSet | None], online: CpuSet) -> None:
        for node, cpus in linked.items():
            by_list = listed[node]
            if by_list is None or by_list & online == cpus & online:
                continue
            self._warn(
                "topology/node-links",
                f"node{node} links CPUs {cpus & online or 'none'}, but its cpulist says {by_list & online or 'none'}; "
                "the kubelet goes by the links",
                "the firmware's tables are likely broken: check the BIOS version",
            )

    def _node(self, node: int) -> NumaFacts:
        folder = f"node/node{node}"
        meminfo = self._text(f"{folder}/meminfo")
        distance = self._text(f"{folder}/distance")
        return NumaFacts(
            memory=_mem_total(meminfo),
            huge_pages=self._huge_pages(f"{folder}/hugepages"),
            distances=self._parse(_distances, distance, f"{folder}/distance") if distance is not None else None,
        )

    def _huge_pages(self, folder: str) -> tuple[HugePages, ...] | None:
        names = self._tree.entries(self._roots.system + folder)
        if not names:
            return None
        sizes = _numbers(names, _HUGE_PAGES, largest=_LARGEST_PAGE)
        return tuple(
            HugePages(size * _KIB, self._number(f"{folder}/hugepages-{size}kB/nr_hugepages", 0)) for size in sizes
        )

    # --- caches --------------------------------------------------------------------------------------------------

    def _caches(self, online: CpuSet) -> tuple[tuple[Cache, ...], bool]:
        """Every cache once, and whether some have the kernel's ids."""
        found: dict[tuple[int, str, CpuSet], Cache] = {}
        for cpu in online:
            for cache in self._caches_of(cpu, online):
                found.setdefault((cache.level, cache.kind, cache.cpus), cache)
        caches = sorted(found.values(), key=lambda each: (each.level, each.kind, next(iter(each.cpus), 0)))
        return tuple(caches), any(cache.cache_id is not None for cache in caches)

    def _caches_of(self, cpu: int, online: CpuSet) -> Iterator[Cache]:
        folder = f"cpu/cpu{cpu}/cache"
        for index in _numbers(self._tree.entries(self._roots.system + folder), _INDEX):
            here = f"{folder}/index{index}"
            level = self._number(f"{here}/level", 0)
            shared = self._set(f"{here}/shared_cpu_map", f"{here}/shared_cpu_list")
            if not level or shared is None:
                continue
            kind = (self._text(f"{here}/type") or "Unified").lower()
            identity = self._number(f"{here}/id", -1)
            size = _cache_size(self._text(f"{here}/size"))
            yield Cache(level, shared & online, kind, size, identity if identity >= 0 else None)

    # --- names ---------------------------------------------------------------------------------------------------

    def _names(self) -> tuple[str, ...]:
        top = self._roots.top
        for path in (f"{top}proc/sys/kernel/hostname", f"{top}etc/hostname"):
            name = self._tree.text(path)
            if name:
                return (name.split()[0],)
        return ()

    def _model(self) -> str:
        match = _MODEL.search(self._tree.text(f"{self._roots.top}proc/cpuinfo") or "")
        return " ".join(match[1].split()) if match else ""

    # --- single files --------------------------------------------------------------------------------------------

    def _text(self, path: str) -> str | None:
        return self._tree.text(self._roots.system + path)

    def _number(self, path: str, default: int | None = None) -> int:
        """A file that holds one number. Without a default it has to be there."""
        text = self._text(path)
        if text is None and default is not None:
            return default
        if text is None:
            raise Unreadable("the file is missing", "gather the tree once more", subject=self._roots.system + path)
        return self._parse(_integer, text, path)

    def _list(self, path: str) -> CpuSet | None:
        text = self._text(path)
        return self._parse(CpuSet.parse, text, path) if text is not None else None

    def _set(self, *paths: str) -> CpuSet | None:
        """A set of CPUs from the first of several files that is there: a list of numbers, or a mask."""
        for path in paths:
            text = self._text(path)
            if text:
                return self._parse(CpuSet.parse if path.endswith("list") else parse_mask, text, path)
        return None

    def _parse(self, parse: Callable[[str], _T], text: str, path: str) -> _T:
        try:
            return parse(text)
        except ValueError as error:
            raise Unreadable(
                f"cannot be understood: {error}", "gather the tree once more", subject=self._roots.system + path
            ) from None

    def _warn(self, rule: str, message: str, remedy: str) -> None:
        self._findings.append(Finding(rule, Severity.WARNING, message, Place(self._origin), remedy=remedy))


def _numbers(names: Sequence[str], pattern: re.Pattern[str], *, largest: int = LARGEST_ID) -> list[int]:
    """The numbers of the names that match, ascending; one that no machine has is passed over."""
    numbers = (int(match[1]) for match in map(pattern.fullmatch, names) if match and len(match[1]) < _LONGEST_NUMBER)
    return sorted(number for number in numbers if number <= largest)


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is no number") from None


def _mem_total(meminfo: str | None) -> int | None:
    match = _MEM_TOTAL.search(meminfo or "")
    return int(match[1]) * _KIB if match else None


def _distances(text: str) -> tuple[int, ...]:
    return tuple(_integer(word) for word in text.split())


def _cache_size(text: str | None) -> int | None:
    match = re.fullmatch(r"(\d+)([KMG]?)", text or "")
    return int(match[1]) * _SIZE_UNITS[match[2]] if match else None
