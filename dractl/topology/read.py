"""Dumps to nodes: every file recognised, each given to its node, and what is said of one node put together."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import Final, TypeVar

from msgspec import Struct, field

from dractl.errors import BadInput, Fault, Place
from dractl.finding import Finding
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.machine import HugePages, huge_page_resource
from dractl.machine.state_files import CpuManagerState, MemoryManagerState, StateFiles
from dractl.topology.agreement import compare
from dractl.topology.assemble import assemble, by_trust
from dractl.topology.consistency import check_capacity, check_settings, check_states
from dractl.topology.description import Description, DumpFormat, NumaFacts
from dractl.topology.dumps import Dump
from dractl.topology.naming import choose, folder_path, named
from dractl.topology.pieces import NodeObject, OtherObject, Piece, ReadObjects, pieces_of
from dractl.topology.pod_resources import PodResources
from dractl.topology.reading import Configured, DumpReading, NodeDumps
from dractl.topology.resource_topology import NodeResources

_T = TypeVar("_T")

_COMMON_PAGE_SIZES: Final = tuple(2**power for power in range(12, 35))
"""Every power of two from 4 KiB to 16 GiB: all sizes of huge pages that an architecture has."""


def read_dumps(
    dumps: Sequence[Dump],
    read_objects: ReadObjects,
    *,
    known_nodes: Mapping[str, int | None] | None = None,
    allows_alternatives: bool = False,
) -> DumpReading:
    """What all dumps say, by node (topology-dumps.md §2 to §4).

    `read_objects` reads YAML and JSON objects (NodeResourceTopology, KubeletConfiguration). `known_nodes` are the nodes
    of the rest of the input, each with its number of CPUs where that is known; dumps are matched with them by name.
    Kubelet configurations that differ and name no node are a fault, for nothing says which node has which; with
    `allows_alternatives` they are those of pools of nodes, and no node of the input has any of them.

    Raises BadInput with every fault of every dump, contradictions between dumps of one node among them.
    """
    faults: list[Fault] = []
    pieces = [piece for dump in dumps for piece in pieces_of(dump, read_objects, faults)]
    reader = _Reader(pieces, dict(known_nodes or {}))
    reading = reader.reading()
    faults += reader.faults
    if not allows_alternatives:
        faults += map(_ambiguous, reading.configurations[1:], repeat(reading.configurations[:1]))
    if faults:
        raise BadInput(faults)
    return reading


class _Node(Struct):
    """The pieces of one node, sorted by what they are."""

    descriptions: list[Description] = field(default_factory=list)
    configurations: list[tuple[KubeletConfiguration, Place]] = field(default_factory=list)
    cpu_states: list[tuple[CpuManagerState, Place]] = field(default_factory=list)
    memory_states: list[tuple[MemoryManagerState, Place]] = field(default_factory=list)
    resources: list[tuple[PodResources, Place]] = field(default_factory=list)
    reported: list[tuple[NodeResources, Place]] = field(default_factory=list)
    objects: list[tuple[NodeObject, Place]] = field(default_factory=list)


class _Reader:
    def __init__(self, pieces: Sequence[Piece], known: dict[str, int | None]) -> None:
        self.faults: list[Fault] = []
        self._findings = [finding for piece in pieces for finding in piece.findings]
        self._skipped: list[str] = []
        self._nodes: dict[str, _Node] = {}
        self._beside: dict[str, set[str]] = {}
        self._known = known
        self._only_known = next(iter(known)) if len(known) == 1 else ""
        objects = [piece for piece in pieces if isinstance(piece.content, NodeObject)]
        for piece in objects:
            self._meet_node(piece)
        rest = [piece for piece in pieces if not isinstance(piece.content, NodeObject)]
        for piece in rest:
            if not isinstance(piece.content, KubeletConfiguration):
                self._sort(piece)
        self._general: list[tuple[KubeletConfiguration, Place]] = []
        for piece in rest:
            if isinstance(piece.content, KubeletConfiguration):
                self._sort_configuration(piece, piece.content)

    def reading(self) -> DumpReading:
        general: list[Configured] = []
        for configuration, place in self._general:
            if all(configuration != each.configuration for each in general):
                general.append(Configured(configuration, place))
        for_all = general[0] if len(general) == 1 else None
        nodes = {name: self._node(name, node, for_all) for name, node in sorted(self._nodes.items())}
        return DumpReading(nodes, tuple(general), tuple(self._findings), tuple(self._skipped))

    # --- whose is it ---------------------------------------------------------------------------------------------

    def _meet_node(self, piece: Piece) -> None:
        assert isinstance(piece.content, NodeObject)
        name = piece.content.name
        self._beside.setdefault(folder_path(piece.dump.name), set()).add(name)
        self._known.setdefault(name, piece.content.cpus)
        self._nodes.setdefault(name, _Node()).objects.append((piece.content, piece.place))

    def _name(self, piece: Piece) -> str:
        beside = self._beside.get(folder_path(piece.dump.name), set())
        return choose(
            named(piece.dump.name, piece.dump.node, piece.names),
            self._known,
            beside=next(iter(beside)) if len(beside) == 1 else "",
            only=self._only_known,
        )

    def _sort(self, piece: Piece) -> None:
        content = piece.content
        if isinstance(content, OtherObject):
            self._skipped.append(content.kind)
            return
        name = self._name(piece)
        if not name:
            self.faults.append(
                Fault(
                    "nothing says which node this is a dump of",
                    f"say it: --topology NODE={piece.dump.name}",
                    file=piece.dump.name,
                )
            )
            return
        node = self._nodes.setdefault(name, _Node())
        if isinstance(content, Description):
            node.descriptions.append(content)
        elif isinstance(content, NodeResources):
            node.reported.append((content, piece.place))
        elif isinstance(content, CpuManagerState):
            node.cpu_states.append((content, piece.place))
        elif isinstance(content, MemoryManagerState):
            node.memory_states.append((content, piece.place))
        elif isinstance(content, PodResources):
            node.resources.append((content, piece.place))

    def _sort_configuration(self, piece: Piece, configuration: KubeletConfiguration) -> None:
        """A configuration holds for all nodes unless its file's name, its folder or the user names one."""
        names = named(piece.dump.name, piece.dump.node, piece.names)
        candidates = (names.given, names.from_file, names.folder)
        owner = names.given or next((name for name in candidates if name in self._nodes or name in self._known), "")
        if owner:
            self._nodes.setdefault(owner, _Node()).configurations.append((configuration, piece.place))
        else:
            self._general.append((configuration, piece.place))

    # --- one node ------------------------------------------------------------------------------------------------

    def _node(self, name: str, node: _Node, general: Configured | None) -> NodeDumps:
        configuration = self._only(node.configurations, "kubelet configuration", name)
        cpu = self._only(node.cpu_states, "cpu_manager_state", name)
        memory = self._only(node.memory_states, "memory_manager_state", name)
        reported = self._only(node.reported, "NodeResourceTopology", name)
        descriptions = list(node.descriptions)
        if reported:
            descriptions.append(reported[0].description)
        if memory and memory[0].machine:
            descriptions.append(_describe_memory(*memory))
        ranked = by_trust(descriptions)
        self._say(compare(name, ranked))
        self._findings += [finding for each in ranked for finding in each.findings]
        dumps = NodeDumps(
            name,
            assemble(ranked),
            tuple(ranked),
            Configured(*configuration) if configuration else None,
            StateFiles(cpu[0] if cpu else None, memory[0] if memory else None),
            _merged([resources for resources, _ in node.resources]),
            reported[0] if reported else None,
        )
        resources_place = node.resources[0][1] if node.resources else None
        self._say(check_states(dumps, cpu[1] if cpu else None, resources_place))
        self._findings += check_settings(dumps, dumps.configuration or general)
        place = node.objects[0][1].at("status", "capacity", "cpu") if node.objects else None
        self._findings += check_capacity(dumps, self._known.get(name), place)
        return dumps

    def _say(self, remarks: Iterator[Fault | Finding] | Sequence[Fault | Finding]) -> None:
        for remark in remarks:
            if isinstance(remark, Fault):
                self.faults.append(remark)
            else:
                self._findings.append(remark)

    def _only(self, found: Sequence[tuple[_T, Place]], what: str, node: str) -> tuple[_T, Place] | None:
        """The one there is; several have to be equal."""
        for value, place in found[1:]:
            if value != found[0][0]:
                self.faults.append(
                    Fault(
                        f"a second {what}, and it differs from that at {_where(found[0][1])}",
                        "leave one of them out, or say whose each is",
                        file=place.origin.file,
                        place=place,
                        subject=f"node {node}",
                    )
                )
        return found[0] if found else None


def _ambiguous(second: Configured, first: Sequence[Configured]) -> Fault:
    return Fault(
        f"a second kubelet configuration that names no node, and it differs from that at {_where(first[0].place)}: "
        "nothing says which node has which",
        "put each into a file of its own, and say whose it is: --kubelet-config NODE=FILE",
        file=second.place.origin.file,
        place=second.place,
        subject="KubeletConfiguration",
    )


def _where(place: Place) -> str:
    return f"{place.origin.file}:{place.origin.line}"


def _describe_memory(state: MemoryManagerState, place: Place) -> Description:
    """The memory manager's own books hold every node's total (topology-dumps.md §1)."""
    facts = {}
    for number, node in state.machine.items():
        pages = [
            HugePages(size, table.total // size)
            for size in _COMMON_PAGE_SIZES
            if (table := node.tables.get(huge_page_resource(size))) is not None
        ]
        memory = node.tables.get("memory")
        facts[number] = NumaFacts(memory.total if memory else None, huge_pages=tuple(pages))
    return Description(place.origin, DumpFormat.MEMORY_STATE, numa=facts)


def _merged(answers: Sequence[PodResources]) -> PodResources:
    """`List` and `GetAllocatableResources` complete each other."""
    held = dict.fromkeys(each for answer in answers for each in answer.held)
    devices = dict.fromkeys(each for answer in answers for each in answer.devices)
    cpus = next((answer.cpus for answer in answers if answer.cpus is not None), None)
    return PodResources(tuple(held), tuple(devices), cpus)
