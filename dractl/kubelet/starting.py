"""The kubelet starts: configuration, managers and state files, in the order in which it looks (kubelet.md §5)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as replace_machine
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from dractl.api.codec import to_plain
from dractl.api.core import Pod
from dractl.api.quantity import Quantity
from dractl.errors import FieldPath
from dractl.gates import Gates, resolve
from dractl.kubelet import cpu_policy, memory_policy
from dractl.kubelet.admission import Admission, admit
from dractl.kubelet.checkpoints import POD_ENTRIES_GATE, state_files_of
from dractl.kubelet.cpu_policy import cpu_policy_of
from dractl.kubelet.cpus import CpuBooks, check_cpu_file, cpu_books_of
from dractl.kubelet.demand import HUGE_PAGES, MEMORY
from dractl.kubelet.device_turn import inventory_of
from dractl.kubelet.gates import gates_of_kubelet
from dractl.kubelet.kubelet import Kubelet, KubeletState, uid_of
from dractl.kubelet.memory_books import MemoryBooks, check_memory_file, memory_books_of
from dractl.kubelet.memory_policy import memory_policy_of
from dractl.kubelet.merging import looks_at_distances, topology_policy_of
from dractl.kubelet.reservations import Stage, StartFault, reservation_of
from dractl.kubelet.stopped import Stopped
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.devices import PluginDevice
from dractl.machine.machine import Exactness, HugePages, Machine, NumaNode
from dractl.machine.state_files import MemoryManagerState, MemoryTable, StateFiles

_SHARED_KUBELETS: Final = 4096
_NO_FILES: Final = StateFiles()


class StartFailure(Struct, frozen=True):
    """The kubelet does not start: where it gave up, its own words, and the fields of the configuration at fault."""

    stage: Stage
    message: str
    fields: tuple[FieldPath, ...] = ()


class MissingFacts(Struct, frozen=True):
    """What no dump says of the machine, but the managers decide by: nothing can be predicted without."""

    facts: tuple[str, ...]


class Restart(Struct, frozen=True):
    """The kubelet stopped and started: its answers to the pods that ran, in order, and the node afterwards."""

    readmitted: tuple[Admission, ...]
    state: KubeletState


def start(
    machine: Machine,
    configuration: KubeletConfiguration,
    files: StateFiles = _NO_FILES,
    gates: Gates | None = None,
    devices: Iterable[PluginDevice] = (),
) -> KubeletState | StartFailure | MissingFacts:
    """The node when the kubelet has started and no pod has come yet.

    Equal arguments give the same `Kubelet`, so that later answers are shared between equal nodes. Memory and huge pages
    that the dump lacks are taken from the memory manager's state file, where the kubelet recorded them.
    """
    machine = _with_recorded_memory(machine, files.memory)
    missing = tuple(_missing_facts(machine, configuration))
    if missing:
        return MissingFacts(missing)
    try:
        kubelet = _kubelet_of(machine, configuration, gates or resolve(), tuple(devices))
        pod_entries = POD_ENTRIES_GATE in kubelet.gates
        cpus = CpuBooks()
        if kubelet.cpu is not None:
            cpus = cpu_books_of(kubelet.cpu, files.cpu, pod_entries=pod_entries)
        elif files.cpu is not None:
            check_cpu_file(files.cpu, cpu_policy.NONE)
        memory = MemoryBooks()
        if kubelet.memory is not None:
            memory = memory_books_of(kubelet.memory, files.memory, pod_entries=pod_entries)
        elif files.memory is not None:
            check_memory_file(files.memory, memory_policy.NONE)
    except StartFault as fault:
        return StartFailure(fault.stage, fault.message, fault.fields)
    return KubeletState(kubelet, cpus, memory)


def running(state: KubeletState, pods: Iterable[Pod]) -> KubeletState:
    """The node with pods that run there already and hold what the state files say: the kubelet does not stop."""
    return replace(state, active={**state.active, **{uid_of(pod): pod for pod in pods}})


def restart(
    state: KubeletState, configuration: KubeletConfiguration | None = None, gates: Gates | None = None
) -> Restart | StartFailure | MissingFacts | Stopped:
    """The kubelet stops and starts on its state files, perhaps configured anew, and admits all active pods again.

    Nothing is given back before the last of them was looked at; a refused one is gone (kubelet.md §1, step 3).
    """
    started = start(
        state.kubelet.machine,
        state.kubelet.configuration if configuration is None else configuration,
        state_files_of(state),
        gates,
        state.kubelet.inventory.all(),
    )
    if not isinstance(started, KubeletState):
        return started
    return readmitted(started, tuple(state.active.values()))


def readmitted(started: KubeletState, pods: Sequence[Pod]) -> Restart | Stopped:
    """A kubelet that has just started admits the pods that ran before."""
    now = replace(running(started, pods), ready=False)
    answers = []
    for pod in pods:
        answer = admit(now, pod)
        if isinstance(answer, Stopped):
            return answer
        answers.append(answer)
        now = answer.state
    return Restart(tuple(answers), replace(now, ready=True))


def _missing_facts(machine: Machine, configuration: KubeletConfiguration) -> Iterator[str]:
    if configuration.cpuManagerPolicy == cpu_policy.STATIC and not machine.cpus:
        yield "CPUs"
    if configuration.memoryManagerPolicy == memory_policy.STATIC:
        unknown = [str(node.node_id) for node in machine.nodes if node.memory is None]
        if unknown:
            yield f"memory of NUMA node {', '.join(unknown)}"
    if looks_at_distances(configuration) and any(
        aspect.aspect == "distances" and aspect.exactness is Exactness.MISSING for aspect in machine.provenance
    ):
        yield "distances between NUMA nodes"


def _with_recorded_memory(machine: Machine, state: MemoryManagerState | None) -> Machine:
    recorded = state.machine if state is not None else {}
    if all(node.memory is not None for node in machine.nodes) or not recorded:
        return machine
    nodes = tuple(
        _completed(node, recorded[node.node_id].tables) if node.node_id in recorded else node for node in machine.nodes
    )
    return replace_machine(machine, nodes=nodes)


def _completed(node: NumaNode, tables: Mapping[str, MemoryTable]) -> NumaNode:
    memory = tables[MEMORY].total if node.memory is None and MEMORY in tables else node.memory
    sizes = {name: Quantity.parse(name.removeprefix(HUGE_PAGES)).rounded_up() for name in tables if name != MEMORY}
    pages = tuple(HugePages(size, tables[name].total // size) for name, size in sizes.items())
    return replace(node, memory=memory, huge_pages=node.huge_pages or pages)


def _kubelet_of(
    machine: Machine, configuration: KubeletConfiguration, gates: Gates, devices: tuple[PluginDevice, ...]
) -> Kubelet:
    written = msgspec.json.encode(to_plain(configuration))
    return _shared_kubelet(machine, _Written(configuration, written), gates.release, gates.enabled, devices)


class _Written:
    """A configuration, equal to another when it says the same."""

    __slots__ = ("configuration", "text")

    def __init__(self, configuration: KubeletConfiguration, text: bytes) -> None:
        self.configuration: Final = configuration
        self.text: Final = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Written) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


@lru_cache(maxsize=_SHARED_KUBELETS)
def _shared_kubelet(
    machine: Machine, written: _Written, release: str, enabled: frozenset[str], devices: tuple[PluginDevice, ...]
) -> Kubelet:
    """Raises StartFault at the first thing that keeps the kubelet from starting."""
    configuration = written.configuration
    on = gates_of_kubelet(release, enabled, configuration.featureGates or {})
    reservation = reservation_of(machine, configuration)
    topology = topology_policy_of(machine, configuration)
    cpu = cpu_policy_of(machine, configuration, on, reservation)
    memory = memory_policy_of(machine, configuration, reservation)
    return Kubelet(machine, configuration, on, topology, cpu, memory, inventory_of(machine.numa_nodes, devices))
