"""cAdvisor's MachineInfo: what the kubelet plans on, if cAdvisor is as new as it is (topology-dumps.md §2.5)."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, TypeAlias

import msgspec

from dractl.errors import Origin
from dractl.machine.idsets import LARGEST_ID, CpuSet
from dractl.machine.machine import Cache, HugePages
from dractl.topology.description import CoreKey, CpuFacts, Description, DumpFormat, NumaFacts, UncoreKnowledge
from dractl.topology.dumps import Unreadable
from dractl.topology.json_values import to_typed, without_nulls

_KIB = 1024


_Amount: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]


class _Cache(msgspec.Struct, frozen=True):
    level: int
    id: int = 0
    size: _Amount | None = None
    type: str = "Unified"


class _Core(msgspec.Struct, frozen=True):
    core_id: int
    thread_ids: list[int]
    socket_id: int = 0
    book_id: int | str = ""
    drawer_id: int | str = ""
    caches: list[_Cache] = []
    uncore_caches: list[_Cache] = []


class _HugePages(msgspec.Struct, frozen=True):
    page_size: _Amount
    num_pages: _Amount


class _Node(msgspec.Struct, frozen=True):
    node_id: int
    memory: _Amount | None = None
    hugepages: list[_HugePages] | None = None
    distances: list[_Amount] | None = None
    cores: list[_Core] = []
    caches: list[_Cache] = []


class _MachineInfo(msgspec.Struct, frozen=True):
    topology: list[_Node]
    num_sockets: _Amount = 0
    memory_capacity: _Amount = 0


def is_machine_info(data: Any) -> bool:
    """Whether JSON data are a MachineInfo, from cAdvisor's API version 1 or 2."""
    if not isinstance(data, dict) or not isinstance(data.get("topology"), list):
        return False
    return "num_cores" in data or any(isinstance(node, dict) and "node_id" in node for node in data["topology"])


def read_machine_info(data: Any, origin: Origin) -> Description:
    """What a MachineInfo says. Old ones lack distances, huge pages and uncore caches: these are then not known.

    `num_physical_cores` is not used: old ones count core ids once for all sockets. Nor is `num_cores`.
    """
    info = to_typed(without_nulls(data), _MachineInfo)
    if not any(node.cores for node in info.topology):
        raise Unreadable("the topology has no cores", "cAdvisor has to see the host's /sys", path=("topology",))
    cpus = _cpus(info.topology)
    return Description(
        origin,
        DumpFormat.MACHINE_INFO,
        cpus,
        {node.node_id: _numa_facts(node) for node in info.topology},
        uncore=_uncore_knowledge(info.topology),
        caches=tuple(_caches(info.topology)),
        memory_capacity=info.memory_capacity or None,
        socket_count=info.num_sockets or None,
    )


def _cpus(nodes: Sequence[_Node]) -> dict[int, CpuFacts]:
    cpus: dict[int, CpuFacts] = {}
    seen_nodes: set[int] = set()
    for number, node in enumerate(nodes):
        if node.node_id in seen_nodes or not 0 <= node.node_id <= LARGEST_ID:
            what = "is there twice" if node.node_id in seen_nodes else "is no NUMA node"
            raise Unreadable(f"node_id {node.node_id} {what}", path=("topology", number, "node_id"))
        seen_nodes.add(node.node_id)
        for at, core in enumerate(node.cores):
            key = CoreKey(core.core_id, core.socket_id, _number(core.book_id), _number(core.drawer_id))
            uncore = core.uncore_caches[0].id if core.uncore_caches else None
            for thread in core.thread_ids:
                if thread in cpus or not 0 <= thread <= LARGEST_ID:
                    path = ("topology", number, "cores", at, "thread_ids")
                    raise Unreadable(
                        f"CPU {thread} is there twice" if thread in cpus else f"{thread} is no CPU", path=path
                    )
                cpus[thread] = CpuFacts(key, node.node_id, first_uncore=uncore)
    return cpus


def _number(text: int | str) -> int:
    return int(text) if isinstance(text, int) or text.isdigit() else -1


def _numa_facts(node: _Node) -> NumaFacts:
    pages = node.hugepages
    return NumaFacts(
        node.memory,
        huge_pages=tuple(sorted(HugePages(each.page_size * _KIB, each.num_pages) for each in pages))
        if pages is not None
        else None,
        distances=tuple(node.distances) if node.distances else None,
    )


def _uncore_knowledge(nodes: Sequence[_Node]) -> UncoreKnowledge:
    """An old cAdvisor does not know uncore caches; where a node has its own cache the kubelet needs none."""
    has_uncore = any(core.uncore_caches for node in nodes for core in node.cores)
    if has_uncore or all(node.caches for node in nodes if node.cores):
        return UncoreKnowledge.PICKED
    return UncoreKnowledge.NOTHING


def _caches(nodes: Sequence[_Node]) -> Iterator[Cache]:
    """Caches of cores, uncore caches, and those of whole nodes. cAdvisor does not fill in the ids of all."""
    shared: dict[tuple[int, str, int], tuple[_Cache, set[int]]] = {}
    ids = [(cache.level, cache.id) for node in nodes for cache in node.caches]
    for node in nodes:
        everyone = {thread for core in node.cores for thread in core.thread_ids}
        for cache in node.caches:
            is_told_apart = ids.count((cache.level, cache.id)) == 1
            number = cache.id if is_told_apart else None
            yield Cache(cache.level, CpuSet(everyone), cache.type.lower(), cache.size, number)
        for core in node.cores:
            for cache in core.caches:
                yield Cache(cache.level, CpuSet(core.thread_ids), cache.type.lower(), cache.size)
            for cache in core.uncore_caches:
                shared.setdefault((cache.level, cache.type, cache.id), (cache, set()))[1].update(core.thread_ids)
    for cache, threads in shared.values():
        yield Cache(cache.level, CpuSet(threads), cache.type.lower(), cache.size, cache.id)
