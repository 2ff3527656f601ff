"""The uncore cache that the kubelet finds for a core: the first above level 2 and not its node's (kubelet.md §2)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Cache, Core, Exactness, Provenance
from dractl.topology.description import Description, DumpFormat, UncoreKnowledge

ASPECT: Final = "uncore ids"
_NOT_UNCORE: Final = 2
"""Caches up to this level belong to a core."""


_UNKNOWN: Final = Provenance(ASPECT, Exactness.MISSING, "", "no dump has caches")


class UncoreIds(Struct, frozen=True):
    """The cache of each core that has one, by the core's CPUs, and how that is known."""

    of: Mapping[CpuSet, int] = field(default_factory=dict)
    provenance: Provenance = _UNKNOWN


def uncore_ids(ranked: Sequence[Description], cores: Mapping[int, Sequence[Core]]) -> UncoreIds:
    """From the most trusted dump that knows; `ranked` is in that order, `cores` are those of each NUMA node."""
    for each in ranked:
        if each.uncore is UncoreKnowledge.PICKED:
            return _picked(each, cores)
        if each.uncore is UncoreKnowledge.KERNEL_IDS:
            return UncoreIds(_by_rule(each, each.caches, cores), Provenance(ASPECT, Exactness.EXACT, each.label))
        if each.format is DumpFormat.SYSFS and each.caches:
            return UncoreIds({}, Provenance(ASPECT, Exactness.EXACT, each.label, "the kernel gives caches no ids"))
        if each.uncore is UncoreKnowledge.GROUPS:
            return _numbered(each, cores)
        if any(cache.level > _NOT_UNCORE for cache in each.caches):
            return UncoreIds({}, Provenance(ASPECT, Exactness.DERIVED, each.label, "the dump has no ids of caches"))
    return UncoreIds()


def _picked(description: Description, cores: Mapping[int, Sequence[Core]]) -> UncoreIds:
    found = {}
    for core in _all(cores):
        facts = description.cpus.get(min(core.cpus))
        if facts is not None and facts.first_uncore is not None:
            found[core.cpus] = facts.first_uncore
    return UncoreIds(found, Provenance(ASPECT, Exactness.EXACT, description.label))


def _numbered(description: Description, cores: Mapping[int, Sequence[Core]]) -> UncoreIds:
    """Which cores share a cache is known; ids are counted in the order of CPUs, as most kernels do."""
    shared = sorted((cache for cache in description.caches if cache.level > _NOT_UNCORE), key=_place)
    caches = [replace(cache, cache_id=number) for number, cache in enumerate(shared)]
    found = _by_rule(description, caches, cores)
    if not found:
        return UncoreIds(
            {}, Provenance(ASPECT, Exactness.EXACT, description.label, "every NUMA node has its own cache")
        )
    return UncoreIds(
        found, Provenance(ASPECT, Exactness.GUESSED, description.label, "the caches are known, their ids are not")
    )


def _place(cache: Cache) -> tuple[int, int]:
    return cache.level, min(cache.cpus, default=0)


def _by_rule(
    description: Description, caches: Iterable[Cache], cores: Mapping[int, Sequence[Core]]
) -> dict[CpuSet, int]:
    ordered = sorted(caches, key=_place)
    found: dict[CpuSet, int] = {}
    for in_node in cores.values():
        if _lacks_an_id(description, ordered, in_node):
            continue
        for core in in_node:
            first = _first_uncore(core, len(in_node), ordered)
            if first is not None and first.cache_id is not None:
                found[core.cpus] = first.cache_id
    return found


def _lacks_an_id(description: Description, caches: Sequence[Cache], cores: Sequence[Core]) -> bool:
    """One cache without an id ends the kubelet's scan of the node. hwloc gives ids to the shared ones only."""
    cpus = CpuSet(cpu for core in cores for cpu in core.cpus)
    counted = [cache for cache in caches if cache.level > _NOT_UNCORE or description.format is DumpFormat.SYSFS]
    return any(cache.cache_id is None and not cache.cpus.isdisjoint(cpus) for cache in counted)


def _first_uncore(core: Core, cores_in_node: int, caches: Sequence[Cache]) -> Cache | None:
    """A cache shared by as many CPUs as the node would have if all its cores were like this one is the node's."""
    of_node = cores_in_node * len(core.cpus)
    lowest = min(core.cpus)
    for cache in caches:
        if cache.level > _NOT_UNCORE and lowest in cache.cpus and len(cache.cpus) != of_node:
            return cache
    return None


def _all(cores: Mapping[int, Sequence[Core]]) -> Iterable[Core]:
    return (core for in_node in cores.values() for core in in_node)
