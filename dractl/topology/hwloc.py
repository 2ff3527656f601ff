"""hwloc's XML, schemas 1, 2 and 3, as `lstopo --of xml` writes it (topology-dumps.md §2.3).

Schema 1 has no version; there NUMA nodes contain their cores. In 2 and 3 a NUMA node stands beside the cores, and one
without CPUs carries the CPU set of those that are nearest to it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, field

from dractl.errors import Origin, Place
from dractl.finding import Finding, Severity
from dractl.machine.idsets import LARGEST_ID, NO_CPUS, CpuSet
from dractl.machine.machine import Cache, CoreKind, HugePages
from dractl.topology.description import CoreKey, CpuFacts, Description, DumpFormat, NumaFacts, UncoreKnowledge
from dractl.topology.dumps import Unreadable
from dractl.topology.hwloc_distances import read_distances
from dractl.topology.hwloc_pci import read_pci_devices
from dractl.topology.masks import parse_mask
from dractl.topology.xml_tree import Element, parse_xml

_CACHE_TYPE: Final = re.compile(r"L(?P<level>\d)(?P<kind>i?)Cache")
_CACHE_KINDS: Final = {"0": "unified", "1": "data", "2": "instruction"}
_PACKAGES: Final = ("Package", "Socket")
_CORE_TYPES: Final = {"IntelCore": CoreKind.PERFORMANCE, "IntelAtom": CoreKind.EFFICIENCY}
_SHARED_CACHE_LEVEL: Final = 3
_ORDINARY_MEMORY: Final = ("", "DRAM")
_WITH_GPU_NODES: Final = ("ppc64le", "aarch64")
_X86: Final = ("x86_64", "i686", "i386")


class _Above(Struct, frozen=True):
    """What a walk down the tree has passed."""

    package: int | None = None
    core: Element | None = None
    numa: int | None = None


class _Objects(Struct):
    """The objects of the tree that count, in the order of the file."""

    threads: dict[int, tuple[Element, _Above]] = field(default_factory=dict)
    numa: list[Element] = field(default_factory=list)
    caches: list[tuple[Element, int, str]] = field(default_factory=list)


def is_hwloc(content: bytes) -> bool:
    """Whether XML bytes are a topology of hwloc."""
    return re.search(rb"<topology[\s>]", content[:2000]) is not None


def read_hwloc(content: bytes, origin: Origin) -> Description:
    """What an XML of hwloc says about the machine it was taken on."""
    root = parse_xml(content)
    objects = list(root.named("object"))
    machine = next((each for each in objects if each.attributes.get("type") in ("Machine", "System")), None)
    if root.name != "topology" or machine is None:
        raise Unreadable("the XML holds no machine", "write it with `lstopo --of xml FILE`", line=root.line)
    return _Reader(root, machine, origin).description()


class _Reader:
    def __init__(self, root: Element, machine: Element, origin: Origin) -> None:
        self._root = root
        self._machine = machine
        self._origin = origin
        self._is_first_schema = "version" not in root.attributes
        self._infos = _infos(machine) | _infos(root)
        self._objects = _Objects()
        self._findings: list[Finding] = []
        self._guesses: dict[str, str] = {}
        self._collect(machine, _Above())
        if not self._objects.threads:
            raise Unreadable("the XML holds no CPU", "write it with `lstopo --of xml FILE`", line=machine.line)

    def description(self) -> Description:
        objects = self._objects
        online = CpuSet(objects.threads)
        node_of = self._node_of(online)
        kinds = self._kinds()
        hidden, offline = self._missing(online)
        skipped = _skipped(online | hidden | (offline or NO_CPUS))
        caches = tuple(self._caches(online))
        cgroup = self._infos.get("LinuxCgroup", "/")
        self._remark(hidden, skipped, cgroup)
        return Description(
            self._origin,
            DumpFormat.HWLOC,
            {cpu: self._cpu(cpu, node_of.get(cpu), kinds.get(cpu, CoreKind.STANDARD)) for cpu in online},
            self._numa_facts(),
            (self._infos["HostName"],) if self._infos.get("HostName") else (),
            is_partial=bool(hidden or skipped) or cgroup != "/",
            uncore=self._uncore_knowledge(caches),
            offline=offline,
            caches=caches,
            pci_devices=read_pci_devices(self._machine, node_of),
            architecture=self._infos.get("Architecture", ""),
            model=self._model(),
            guesses=self._guesses,
            findings=tuple(self._findings),
        )

    # --- collecting ----------------------------------------------------------------------------------------------

    def _collect(self, element: Element, above: _Above) -> None:
        """Sort an object and those below it; depth is bounded by the XML reader."""
        kind = element.attributes.get("type", "")
        cache = _cache_of(element, kind)
        if kind == "PU":
            cpu = _index(element)
            if cpu in self._objects.threads:
                raise Unreadable(f"CPU {cpu} is there twice", line=element.line)
            self._objects.threads[cpu] = (element, above)
        elif kind == "NUMANode":
            self._objects.numa.append(element)
            above = _Above(above.package, above.core, _index(element))
        elif kind in _PACKAGES:
            above = _Above(_package_index(element), above.core, above.numa)
        elif kind == "Core":
            above = _Above(above.package, element, above.numa)
        elif cache is not None:
            self._objects.caches.append((element, *cache))
        for child in element.named("object"):
            self._collect(child, above)

    def _cpu(self, cpu: int, node: int | None, kind: CoreKind) -> CpuFacts:
        """Where the XML has no cores every CPU is one; where it has no packages there is one."""
        _, above = self._objects.threads[cpu]
        named = _cpuset(above.core) if above.core is not None else CpuSet([cpu])
        siblings = named or CpuSet([cpu])
        number = int(above.core.attributes.get("os_index", min(siblings))) if above.core is not None else cpu
        package = above.package if above.package is not None else 0
        return CpuFacts(CoreKey(number, package), node, siblings & CpuSet(self._objects.threads), kind=kind)

    # --- NUMA nodes ----------------------------------------------------------------------------------------------

    def _node_of(self, online: CpuSet) -> dict[int, int]:
        if self._is_first_schema:
            nodes = {cpu: above.numa for cpu, (_, above) in self._objects.threads.items() if above.numa is not None}
            return nodes if self._objects.numa else dict.fromkeys(online, 0)
        return self._nearest_nodes(online)

    def _nearest_nodes(self, online: CpuSet) -> dict[int, int]:
        """Of the nodes whose set holds a CPU: that with the smallest set, then ordinary memory, then the lowest id."""
        ordered = sorted(self._objects.numa, key=lambda node: (len(_cpuset(node)), _is_special(node), _index(node)))
        found: dict[int, int] = {}
        rivals: dict[int, list[int]] = {}
        for node in ordered:
            for cpu in _cpuset(node) & online:
                owner = found.setdefault(cpu, _index(node))
                if owner != _index(node):
                    rivals.setdefault(owner, [])
                    if _index(node) not in rivals[owner]:
                        rivals[owner].append(_index(node))
        for owner, others in sorted(rivals.items()):
            self._remark_rivals(owner, others)
        return found

    def _remark_rivals(self, owner: int, others: Sequence[int]) -> None:
        names = ", ".join(str(other) for other in sorted(others))
        self._guesses["numa nodes"] = "several NUMA nodes name the same CPUs"
        self._find(
            "topology/shared-cpus",
            Severity.INFO,
            f"NUMA nodes {owner} and {names} name the same CPUs; dractl gives them to node {owner}",
            "a dump of /sys/devices/system/node would tell for sure",
        )

    def _numa_facts(self) -> dict[int, NumaFacts]:
        if not self._objects.numa:
            memory = _amount(self._machine, "local_memory")
            return {0: NumaFacts(memory, huge_pages=_huge_pages(self._machine))}
        distances = read_distances(self._root, self._objects.numa)
        facts = {}
        for node in self._objects.numa:
            number = _index(node)
            if number in facts:
                raise Unreadable(f"NUMA node {number} is there twice", line=node.line)
            facts[number] = NumaFacts(
                _amount(node, "local_memory"), huge_pages=_huge_pages(node), distances=distances.get(number)
            )
        return facts

    # --- CPUs that are not described -----------------------------------------------------------------------------

    def _missing(self, online: CpuSet) -> tuple[CpuSet, CpuSet | None]:
        """CPUs that exist and are not described: hidden by a cgroup, and offline (None: the XML does not tell)."""
        complete = _cpuset(self._machine, "complete_cpuset") | online
        if "online_cpuset" in self._machine.attributes:
            up = _cpuset(self._machine, "online_cpuset")
            return up - online, complete - up - online
        missing = complete - online
        if missing and self._infos.get("LinuxCgroup", "/") != "/":
            return missing, None
        return NO_CPUS, missing

    def _remark(self, hidden: CpuSet, skipped: CpuSet, cgroup: str) -> None:
        if hidden:
            self._find(
                "topology/hidden-cpus",
                Severity.WARNING,
                f"CPUs {hidden} exist but are not described: the dump was taken where a cgroup ({cgroup}) hides them",
                "take the dump outside containers and batch jobs, or with `lstopo --disallowed`",
            )
        elif cgroup != "/":
            self._find(
                "topology/cgroup",
                Severity.INFO,
                f"the dump was taken inside the cgroup {cgroup}: it may lack CPUs that the kubelet has",
                "take the dump outside containers and batch jobs",
            )
        elif skipped:
            self._find(
                "topology/skipped-cpus",
                Severity.WARNING,
                f"CPUs {skipped} are not described, though higher ones are: the dump is of a part of the machine, "
                "or it leaves out CPUs that are offline",
                "take the dump on the whole node, outside containers, without `lstopo --restrict`",
            )
        if not self._is_first_schema and self._hides_gpu_nodes():
            self._find(
                "topology/gpu-nodes",
                Severity.WARNING,
                "hwloc leaves out the NUMA nodes of GPU memory, which the kubelet counts",
                "add the output of `numactl -H`, or a dump of /sys/devices/system/node",
            )
        backends = {
            info.attributes.get("value")
            for element in (self._machine, self._root)
            for info in element.named("info")
            if info.attributes.get("name") == "Backend"
        }
        if "x86" in backends and "Linux" not in backends:
            self._guesses["numa nodes"] = "the dump was made from CPUID alone"
            self._find(
                "topology/no-numa",
                Severity.WARNING,
                "the dump was made from CPUID alone: its NUMA node is made up, the machine may have several",
                "write it with `lstopo --of xml FILE` on the node itself",
            )

    def _hides_gpu_nodes(self) -> bool:
        """POWER and Grace machines give GPU memory NUMA nodes of its own, and hwloc hides them by default."""
        has_gpus = any(_is_nvidia_gpu(each) for each in _walk(self._machine))
        shown = any(node.attributes.get("subtype") == "GPUMemory" for node in self._objects.numa)
        return has_gpus and not shown and self._infos.get("Architecture") in _WITH_GPU_NODES

    # --- caches, kinds, names ------------------------------------------------------------------------------------

    def _caches(self, online: CpuSet) -> Iterator[Cache]:
        for element, level, kind in self._objects.caches:
            if element.attributes.get("subtype") == "MemorySideCache":
                continue
            number = _number(element, "os_index")
            cache_id = number if number is not None and number >= 0 else None
            yield Cache(level, _cpuset(element) & online, kind, _amount(element, "cache_size") or None, cache_id)

    def _uncore_knowledge(self, caches: Sequence[Cache]) -> UncoreKnowledge:
        """Without ids in the XML the kernel's may be missing too; on x86 it has them."""
        shared = [cache for cache in caches if cache.level >= _SHARED_CACHE_LEVEL]
        if any(cache.cache_id is not None for cache in shared):
            return UncoreKnowledge.KERNEL_IDS
        is_x86 = self._infos.get("Architecture", "x86_64") in _X86
        return UncoreKnowledge.GROUPS if shared and is_x86 else UncoreKnowledge.NOTHING

    def _kinds(self) -> dict[int, CoreKind]:
        kinds: dict[int, CoreKind] = {}
        for element in self._root.named("cpukind"):
            kind = _CORE_TYPES.get(_infos(element).get("CoreType", ""))
            if kind is not None:
                kinds |= dict.fromkeys(_cpuset(element), kind)
        return kinds

    def _model(self) -> str:
        models = (_infos(element).get("CPUModel") for element in _walk(self._machine))
        return next((" ".join(model.split()) for model in models if model), "")

    def _find(self, rule: str, severity: Severity, message: str, remedy: str) -> None:
        self._findings.append(Finding(rule, severity, message, Place(self._origin), remedy=remedy))


# --- single attributes ---------------------------------------------------------------------------------------------


def _cache_of(element: Element, kind: str) -> tuple[int, str] | None:
    """Level and kind of a cache object, in the words of either schema; None for other objects."""
    match = _CACHE_TYPE.fullmatch(kind)
    if match is None and kind != "Cache":
        return None
    level = int(match["level"]) if match else _number(element, "depth") or 0
    return level, _CACHE_KINDS.get(element.attributes.get("cache_type", "0"), "unified")


def _skipped(known: CpuSet) -> CpuSet:
    """Numbers that the kernel has passed over, as it counts CPUs without gaps."""
    return CpuSet(range(max(known) + 1)) - known


def _index(element: Element) -> int:
    number = _number(element, "os_index")
    if number is None or not 0 <= number <= LARGEST_ID:
        raise Unreadable(f"a {element.attributes.get('type')} without a usable os_index", line=element.line)
    return number


def _package_index(element: Element) -> int:
    number = _number(element, "os_index")
    return -1 if number is None or number == 2**32 - 1 else number


def _number(element: Element, name: str) -> int | None:
    text = element.attributes.get(name)
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        raise Unreadable(f"{name}={text!r} is no number", line=element.line) from None


def _amount(element: Element, name: str) -> int | None:
    number = _number(element, name)
    if number is not None and number < 0:
        raise Unreadable(f"{name}={number} is impossible", "write it with `lstopo --of xml FILE`", line=element.line)
    return number


def _cpuset(element: Element, name: str = "cpuset") -> CpuSet:
    try:
        return parse_mask(element.attributes.get(name, ""))
    except ValueError as error:
        raise Unreadable(f"{name} cannot be understood: {error}", line=element.line) from None


def _walk(element: Element) -> Iterator[Element]:
    yield element
    for child in element.named("object"):
        yield from _walk(child)


def _is_nvidia_gpu(element: Element) -> bool:
    return element.attributes.get("pci_type", "").startswith(("0302 [10de:", "0300 [10de:"))


def _is_special(node: Element) -> bool:
    return node.attributes.get("subtype", "") not in _ORDINARY_MEMORY


def _huge_pages(element: Element) -> tuple[HugePages, ...] | None:
    """All page sizes but the smallest, which is that of ordinary memory."""
    pages = [HugePages(_amount(page, "size") or 0, _amount(page, "count") or 0) for page in element.named("page_type")]
    return tuple(sorted(pages)[1:]) if pages else None


def _infos(element: Element) -> dict[str, str]:
    return {info.attributes.get("name", ""): info.attributes.get("value", "") for info in element.named("info")}
