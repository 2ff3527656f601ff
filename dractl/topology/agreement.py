"""Whether several accounts of one machine agree. What contradicts is an error that names both files.

Huge pages and a little memory may differ between two boots; such differences are findings.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from msgspec import Struct

from dractl.errors import Fault, Place
from dractl.finding import Finding, Severity
from dractl.machine.idsets import NO_CPUS, CpuSet
from dractl.machine.machine import HugePages
from dractl.topology.description import Description, NumaFacts

Remark: TypeAlias = Fault | Finding

_BOOT_DIFFERENCE: Final = 100
"""One part in so many of a node's memory may differ: the kernel takes a little more or less at each boot."""

_LEAVE_OUT: Final = "leave out the dump that is not of this node, or gather both at the same time"


def compare(node: str, ranked: Sequence[Description]) -> list[Remark]:
    """What any two dumps of a node contradict each other in; `ranked` has the most trusted first."""
    remarks: list[Remark] = []
    for trusted, other in combinations(ranked, 2):
        remarks += _Comparison(node, trusted, other).remarks()
    return remarks


class _Comparison(Struct, frozen=True):
    """Two dumps of one node: the more trusted one first; the other is where an error points."""

    node: str
    trusted: Description
    other: Description

    def remarks(self) -> Iterator[Remark]:
        if self.trusted.cpus and self.other.cpus:
            different = list(self._cpus())
            yield from different
            if not different:
                yield from self._groups()
        yield from self._nodes_of_cpus()
        yield from self._node_sets()
        for number in self.trusted.numa:
            if number in self.other.numa:
                yield from self._amounts(number, self.trusted.numa[number], self.other.numa[number])

    # --- CPUs ----------------------------------------------------------------------------------------------------

    def _cpus(self) -> Iterator[Fault]:
        """A CPU that one has and the other lacks; one without a NUMA node may be missing where nodes are listed."""
        missing = NO_CPUS if self.other.is_partial else self.trusted.visible - self.other.online
        extra = NO_CPUS if self.trusted.is_partial else self.other.visible - self.trusted.online
        if missing or extra:
            said, against = self.other.online, self.trusted.online
            yield self._fault(f"CPUs {said} are online", f"CPUs {against}")

    def _groups(self) -> Iterator[Remark]:
        common = self.trusted.online & self.other.online
        sockets = _groups(self.trusted, common, "socket"), _groups(self.other, common, "socket")
        if not _agree(*sockets):
            yield from self._group_fault("socket", *sockets)
        elif self.trusted.has_kernel_ids and self.other.has_kernel_ids:
            yield from self._socket_ids(common)
        cores = _groups(self.trusted, common, "core"), _groups(self.other, common, "core")
        if not _agree(*cores):
            yield from self._cores(common, *cores)

    def _socket_ids(self, common: CpuSet) -> Iterator[Fault]:
        for cpu in common:
            mine, theirs = self.trusted.cpus[cpu].core.socket, self.other.cpus[cpu].core.socket
            if mine != theirs:
                yield self._fault(f"CPU {cpu} is in socket {theirs}", f"in socket {mine}")
                return

    def _cores(self, common: CpuSet, mine: "_Groups", theirs: "_Groups") -> Iterator[Remark]:
        """The kubelet groups by core_id, hardware by siblings; both can be right (topology-dumps.md §2.1)."""
        siblings = _siblings(self.trusted, common), _siblings(self.other, common)
        is_explained = (
            _agree(*siblings) if siblings[0] and siblings[1] else _refines(mine, theirs) or _refines(theirs, mine)
        )
        if not is_explained:
            yield from self._group_fault("core", mine, theirs)
            return
        yield self._finding(
            "topology/cores-by-id",
            f"the CPUs' siblings make {len(set(theirs.values()))} cores here, but {self.trusted.label} has "
            f"{len(set(mine.values()))}; the kubelet goes by the kernel's core_id",
            "nothing is to be done; the CPU manager will plan with the kubelet's cores",
        )

    def _group_fault(self, what: str, mine: "_Groups", theirs: "_Groups") -> Iterator[Fault]:
        cpu = _first_difference(mine, theirs)
        if cpu is not None:
            yield self._fault(f"CPU {cpu} shares its {what} with CPUs {theirs[cpu]}", f"with CPUs {mine[cpu]}")

    # --- NUMA nodes ----------------------------------------------------------------------------------------------

    def _nodes_of_cpus(self) -> Iterator[Fault]:
        mine, theirs = _nodes(self.trusted), _nodes(self.other)
        wrong = [cpu for cpu in mine if cpu in theirs and mine[cpu] != theirs[cpu]]
        if wrong and not (self.trusted.guesses or self.other.guesses):
            cpu = min(wrong)
            more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
            yield self._fault(f"CPU {cpu} is on NUMA node {theirs[cpu]}", f"on NUMA node {mine[cpu]}{more}")

    def _node_sets(self) -> Iterator[Fault]:
        """Dumps that name every node must name the same; others may lack those without CPUs."""
        mine, theirs = set(self.trusted.numa), set(self.other.numa)
        if not mine or not theirs:
            return
        extra = theirs - mine if self.trusted.format.names_every_node else set()
        missing = mine - theirs if self.other.format.names_every_node else set()
        if extra or missing:
            yield self._fault(f"the NUMA nodes are {_listed(theirs)}", _listed(mine))

    def _amounts(self, number: int, mine: NumaFacts, theirs: NumaFacts) -> Iterator[Remark]:
        if mine.distances and theirs.distances and mine.distances != theirs.distances:
            yield self._fault(f"the distances of NUMA node {number} are {_row(theirs.distances)}", _row(mine.distances))
        if mine.memory is not None and theirs.memory is not None:
            yield from self._memory(number, mine, theirs)
        if mine.huge_pages is not None and theirs.huge_pages is not None:
            yield from self._huge_pages(number, mine.huge_pages, theirs.huge_pages)
        count = theirs.cpu_count
        owned = _count(self.trusted, number) if mine.cpu_count is None else mine.cpu_count
        if count is not None and owned is not None and count != owned and not self.trusted.is_partial:
            yield self._fault(f"NUMA node {number} has {count} CPUs", f"{owned}")

    def _memory(self, number: int, mine: NumaFacts, theirs: NumaFacts) -> Iterator[Remark]:
        here, there = theirs.memory or 0, mine.memory or 0
        apart = abs(here - there)
        if apart < max(mine.memory_step, theirs.memory_step):
            return
        said, against = f"NUMA node {number} has {here} bytes of memory", f"{there}"
        if apart * _BOOT_DIFFERENCE > there:
            yield self._fault(said, against)
            return
        yield self._finding(
            "topology/memory-differs",
            f"{said}, but in {self.trusted.label} {against}: {apart // 1024} KiB apart",
            "the dumps come from two boots; a memory_manager_state of the other boot keeps the kubelet from starting",
        )

    def _huge_pages(self, number: int, mine: tuple[HugePages, ...], theirs: tuple[HugePages, ...]) -> Iterator[Finding]:
        """Only sizes that both name: some dumps leave out sizes without pages."""
        counts = {pages.size: pages.count for pages in mine}
        for pages in theirs:
            if counts.get(pages.size, pages.count) != pages.count:
                yield self._finding(
                    "topology/huge-pages-differ",
                    f"NUMA node {number} has {pages.count} pages of {pages.resource}, but in {self.trusted.label} "
                    f"{counts[pages.size]}; the latter is used",
                    "their number can change while a node runs: gather both at the same time",
                )

    # --- texts ---------------------------------------------------------------------------------------------------

    def _fault(self, said: str, against: str) -> Fault:
        return Fault(
            f"{said}, but {self.trusted.label} says {against}",
            _LEAVE_OUT,
            file=self.other.origin.file,
            subject=f"node {self.node}" if self.node else "",
        )

    def _finding(self, rule: str, message: str, remedy: str) -> Finding:
        return Finding(rule, Severity.WARNING, message, Place(self.other.origin), f"node {self.node}", remedy)


# --- groups of CPUs --------------------------------------------------------------------------------------------------

_Groups: TypeAlias = Mapping[int, CpuSet]
"""For each CPU those that are with it."""


def _groups(description: Description, common: CpuSet, what: str) -> _Groups:
    members: dict[object, list[int]] = {}
    for cpu in common:
        facts = description.cpus[cpu]
        key: object = facts.core.socket if what == "socket" else (facts.core, facts.node)
        members.setdefault(key, []).append(cpu)
    return {cpu: group for cpus in members.values() for group in [CpuSet(cpus)] for cpu in cpus}


def _siblings(description: Description, common: CpuSet) -> _Groups:
    """What hardware calls siblings; empty where the dump does not say."""
    found = {cpu: description.cpus[cpu].siblings for cpu in common}
    known = {cpu: siblings & common for cpu, siblings in found.items() if siblings is not None}
    return known if len(known) == len(common) else {}


def _agree(mine: _Groups, theirs: _Groups) -> bool:
    return _first_difference(mine, theirs) is None


def _first_difference(mine: _Groups, theirs: _Groups) -> int | None:
    return next((cpu for cpu in mine if mine[cpu] != theirs[cpu]), None)


def _refines(fine: _Groups, coarse: _Groups) -> bool:
    return all(fine[cpu] <= coarse[cpu] for cpu in fine)


def _nodes(description: Description) -> dict[int, int]:
    listed = {cpu: node for node, facts in description.numa.items() for cpu in facts.cpus or NO_CPUS}
    return listed | {cpu: facts.node for cpu, facts in description.cpus.items() if facts.node is not None}


def _count(description: Description, node: int) -> int | None:
    if not description.cpus:
        return None
    return sum(owner == node for owner in _nodes(description).values())


def _listed(nodes: set[int]) -> str:
    return ", ".join(str(node) for node in sorted(nodes))


def _row(distances: Sequence[int]) -> str:
    return " ".join(str(distance) for distance in distances)
