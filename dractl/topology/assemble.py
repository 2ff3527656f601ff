"""Several accounts of one machine to one `Machine`, as the kubelet would see it (kubelet.md §2, topology-dumps.md §4).

For each aspect the most trusted dump that speaks of it counts; whether the others agree is for `agreement`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from dractl.machine.idsets import NO_CPUS, CpuSet
from dractl.machine.machine import Cache, Core, CoreKind, Exactness, Machine, NumaNode, Provenance
from dractl.topology.description import CoreKey, Description, DumpFormat, NumaFacts
from dractl.topology.uncore import UncoreIds, uncore_ids

_T = TypeVar("_T")

RENUMBERED: Final = "lscpu numbers cores and sockets anew"


def by_trust(descriptions: Sequence[Description]) -> list[Description]:
    """Complete dumps before those from inside a cgroup, then by format, then as they came."""
    return sorted(descriptions, key=lambda each: (each.is_partial, each.format.trust))


def assemble(descriptions: Sequence[Description]) -> Machine | None:
    """The machine; None where no dump lists CPUs with their cores (numactl and NodeResourceTopology do not)."""
    ranked = by_trust(descriptions)
    base = next((each for each in ranked if each.cpus), None)
    return _Assembly(ranked, base).machine() if base is not None else None


class _Chosen(Struct, frozen=True):
    """One value and the dump it comes from."""

    value: NumaFacts
    source: Description


class _Assembly:
    def __init__(self, ranked: Sequence[Description], base: Description) -> None:
        self._ranked = ranked
        self._base = base
        self._provenance: list[Provenance] = []
        self._node_of = self._nodes_of_cpus()
        self._node_ids = self._all_nodes()

    def machine(self) -> Machine:
        base = self._base
        cores = self._cores()
        uncore = uncore_ids(self._ranked, cores)
        self._note_cpus()
        self._provenance.append(uncore.provenance)
        nodes = tuple(self._node(node, cores.get(node, []), uncore) for node in self._node_ids)
        self._note_amounts(nodes)
        visible_sockets = {core.socket for node in nodes for core in node.cores}
        counted = base.socket_count or len({facts.core.socket for facts in base.cpus.values()})
        offline = self._first(lambda each: each.offline)
        return Machine(
            nodes,
            socket_count=counted if counted != len(visible_sockets) else None,
            memory_capacity=self._first(lambda each: each.memory_capacity),
            offline=offline if offline is not None else NO_CPUS,
            isolated=self._first(lambda each: each.isolated or None) or NO_CPUS,
            caches=self._caches(),
            pci_devices=self._first(lambda each: each.pci_devices or None) or (),
            architecture=self._first(lambda each: each.architecture or None) or "",
            model=self._first(lambda each: each.model or None) or "",
            provenance=tuple(self._provenance),
        )

    def _caches(self) -> tuple[Cache, ...]:
        """MachineInfo leaves out some caches and the ids of others: a sysfs tree says more."""
        told = [each for each in self._ranked if each.caches]
        full = [each for each in told if each.format is DumpFormat.SYSFS]
        return (full or told)[0].caches if told else ()

    def _first(self, wanted: Callable[[Description], _T | None]) -> _T | None:
        return next((value for value in map(wanted, self._ranked) if value is not None), None)

    # --- NUMA nodes and cores ------------------------------------------------------------------------------------

    def _nodes_of_cpus(self) -> dict[int, int]:
        """The node of each CPU that has one; each package is a node where the kernel has none (kubelet.md §2)."""
        for each in (self._base, *self._ranked):
            found = {cpu: facts.node for cpu, facts in each.cpus.items() if facts.node is not None}
            by_list = {cpu: node for node, facts in each.numa.items() for cpu in facts.cpus or NO_CPUS}
            placed = {cpu: node for cpu, node in (found or by_list).items() if cpu in self._base.cpus}
            if placed:
                self._note("numa nodes", each, derived=not found)
                return placed
        self._note(
            "numa nodes", self._base, guess="" if self._base.format is DumpFormat.SYSFS else "no dump names them"
        )
        return {cpu: facts.core.socket for cpu, facts in self._base.cpus.items()}

    def _all_nodes(self) -> list[int]:
        """In the base's own order if it is a MachineInfo, else as folders are listed: node10 before node2."""
        nodes = {*self._node_of.values(), *(node for each in self._ranked for node in each.numa)}
        if self._base.format is DumpFormat.MACHINE_INFO:
            own = list(self._base.numa)
            return own + sorted(nodes - set(own), key=str)
        return sorted(nodes, key=str)

    def _cores(self) -> dict[int, list[Core]]:
        """Threads with equal ids inside one NUMA node are one core, whatever their siblings are (kubelet.md §2)."""
        threads: dict[tuple[int, CoreKey], list[int]] = {}
        for cpu, node in self._node_of.items():
            threads.setdefault((node, self._base.cpus[cpu].core), []).append(cpu)
        kinds = self._first(_kinds) or {}
        cores: dict[int, list[Core]] = {}
        for (node, key), cpus in sorted(threads.items(), key=lambda entry: min(entry[1])):
            kind = kinds.get(min(cpus), CoreKind.STANDARD)
            cores.setdefault(node, []).append(Core(key.core, key.socket, CpuSet(cpus), kind=kind))
        return cores

    def _node(self, node: int, cores: Sequence[Core], uncore: UncoreIds) -> NumaNode:
        memory = self._memory(node)
        pages = self._best(node, lambda facts: facts.huge_pages is not None)
        distances = self._best(node, lambda facts: facts.distances is not None)
        return NumaNode(
            node,
            tuple(replace(core, uncore_id=uncore.of.get(core.cpus)) for core in cores),
            memory.value.memory if memory else None,
            (pages.value.huge_pages or ()) if pages else (),
            (distances.value.distances or ()) if distances else (),
        )

    def _memory(self, node: int) -> _Chosen | None:
        """Exact to the byte if any dump is."""
        exact = self._best(node, lambda facts: facts.memory is not None and facts.memory_step == 1)
        return exact or self._best(node, lambda facts: facts.memory is not None)

    def _best(self, node: int, says: Callable[[NumaFacts], bool]) -> _Chosen | None:
        for each in self._ranked:
            facts = each.numa.get(node)
            if facts is not None and says(facts):
                return _Chosen(facts, each)
        return None

    # --- provenance ----------------------------------------------------------------------------------------------

    def _note(self, aspect: str, source: Description, *, derived: bool = False, guess: str = "") -> None:
        reason = source.guesses.get(aspect, "") or guess
        exactness = Exactness.GUESSED if reason else Exactness.DERIVED if derived else Exactness.EXACT
        self._provenance.append(Provenance(aspect, exactness, source.label, reason))

    def _note_cpus(self) -> None:
        base = self._base
        hidden = "taken inside a cgroup or of a part of the machine, CPUs may be missing" if base.is_partial else ""
        self._provenance.append(
            Provenance("cpus", Exactness.GUESSED if hidden else Exactness.EXACT, base.label, hidden)
        )
        exactness = Exactness.EXACT if base.has_kernel_ids else Exactness.DERIVED
        reason = "" if base.has_kernel_ids else RENUMBERED
        self._provenance.append(Provenance("cores and sockets", exactness, base.label, reason))

    def _note_amounts(self, nodes: Sequence[NumaNode]) -> None:
        for aspect, chosen in (
            ("memory", [self._memory(node.node_id) for node in nodes]),
            ("huge pages", [self._best(node.node_id, lambda facts: facts.huge_pages is not None) for node in nodes]),
            ("distances", [self._best(node.node_id, lambda facts: facts.distances is not None) for node in nodes]),
        ):
            self._provenance.append(_amount_provenance(aspect, chosen))
        pci = next((each for each in self._ranked if each.pci_devices), None)
        if pci is not None:
            self._provenance.append(Provenance("pci devices", Exactness.EXACT, pci.label))


def _amount_provenance(aspect: str, chosen: Sequence[_Chosen | None]) -> Provenance:
    found = [each for each in chosen if each is not None]
    if len(found) < len(chosen) or not found:
        missing = "no dump says" if not found else "not known of every NUMA node"
        return Provenance(aspect, Exactness.MISSING, found[0].source.label if found else "", missing)
    if aspect == "memory" and any(each.value.memory_step > 1 for each in found):
        return Provenance(aspect, Exactness.DERIVED, found[0].source.label, "rounded down to whole MiB")
    return Provenance(aspect, Exactness.EXACT, found[0].source.label)


def _kinds(description: Description) -> Mapping[int, CoreKind] | None:
    kinds = {cpu: facts.kind for cpu, facts in description.cpus.items() if facts.kind is not CoreKind.STANDARD}
    return kinds or None
