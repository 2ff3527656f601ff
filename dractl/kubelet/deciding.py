"""One pod before the managers of one node: hints, merging, allocation, in the kubelet's order (kubelet.md §1, §8.5)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct, field

from dractl.kubelet.cpu_turn import CPU, CpuTurn
from dractl.kubelet.cpus import PodCpus
from dractl.kubelet.demand import MEMORY, ContainerDemand, PodDemand
from dractl.kubelet.device_turn import DEVICE, ByResource, DeviceTurn, Ids
from dractl.kubelet.faults import KubeletFault
from dractl.kubelet.figures import Counts, Tally
from dractl.kubelet.hints import NO_HINT, Hint, Hints
from dractl.kubelet.kubelet import Kubelet
from dractl.kubelet.memory_books import PodMemory
from dractl.kubelet.memory_turn import MemoryTurn
from dractl.kubelet.merging import Scope, TopologyPolicyName
from dractl.kubelet.pooling import allocate_pod_cpus, allocate_pod_memory, cpu_pool_refusal, memory_pool_refusal
from dractl.kubelet.refusal import Reason, Refusal
from dractl.kubelet.stopped import KubeletStopped, Stopped
from dractl.machine.idsets import NO_CPUS, CpuSet
from dractl.machine.state_files import NumaMemory

_SHARED_ANSWERS: Final = 16384


class View(Struct, frozen=True):
    """All that an admission sees of a node besides what the pod itself holds: the shared pool, the memory tables, the
    devices in use. Two nodes with equal views and kubelets answer alike."""

    default: CpuSet
    memory: tuple[tuple[int, NumaMemory], ...]
    in_use: tuple[tuple[str, Ids], ...]


class Held(Struct, frozen=True):
    """What one pod holds of everything."""

    cpus: PodCpus = field(default_factory=PodCpus)
    memory: PodMemory = field(default_factory=PodMemory)
    devices: Mapping[str, ByResource] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.cpus.containers or self.cpus.pod or self.memory.containers or self.memory.pod or self.devices)


class Provided(Struct, frozen=True):
    """What one provider answered, for one container or (empty name) for the whole pod."""

    provider: str
    container: str
    hints: Hints | None


class Decision(Struct, frozen=True):
    """How an admission ends. A refused pod keeps what it was given until the managers look again (§1, step 3).

    `reached` are the managers that were asked at all; `open_choices` containers and resources for which the kubelet
    might have chosen other devices, `faults` those of the release that had a part in it.
    """

    refusal: Refusal | None
    default: CpuSet
    memory: Mapping[int, NumaMemory]
    held: Held
    hints: Mapping[str, Hint]
    provided: tuple[Provided, ...]
    reached: frozenset[str]
    open_choices: frozenset[tuple[str, str]]
    faults: frozenset[KubeletFault]
    counts: Counts


def decide(kubelet: Kubelet, demand: PodDemand, view: View, held: Held) -> Decision | Stopped:
    """Admit or refuse. Equal questions about pods that hold nothing yet are answered once."""
    return _decide_afresh(kubelet, demand, view) if not held else _decide(kubelet, demand, view, held)


@lru_cache(maxsize=_SHARED_ANSWERS)
def _decide_afresh(kubelet: Kubelet, demand: PodDemand, view: View) -> Decision | Stopped:
    return _decide(kubelet, demand, view, Held())


def _decide(kubelet: Kubelet, demand: PodDemand, view: View, held: Held) -> Decision | Stopped:
    try:
        return _Turn(kubelet, demand, view, held).decision()
    except KubeletStopped as stop:
        return stop.stopped


class _Turn:
    """One pod's turn with all managers."""

    def __init__(self, kubelet: Kubelet, demand: PodDemand, view: View, held: Held) -> None:
        self._topology = kubelet.topology
        self._demand = demand
        self._view = view
        self._before = held
        noted: set[KubeletFault] = set()
        self._noted = noted
        self._cpus = None if kubelet.cpu is None else CpuTurn(kubelet.cpu, demand, view.default, held.cpus, noted)
        self._memory = None if kubelet.memory is None else MemoryTurn(demand, dict(view.memory), held.memory, noted)
        self._devices = DeviceTurn(kubelet.inventory, demand, dict(view.in_use), held.devices)
        self._has_devices = bool(kubelet.inventory.devices)
        self._hints: dict[str, Hint] = {}
        self._provided: list[Provided] = []
        self._reached: set[str] = set()
        self._tally = Tally(kubelet)

    def decision(self) -> Decision:
        self._tally.asked()
        refusal = self._refusal()
        self._tally.answered(refusal)
        cpus, memory = self._cpus, self._memory
        return Decision(
            refusal,
            self._view.default if cpus is None else cpus.default,
            dict(self._view.memory) if memory is None else memory.machine,
            Held(
                self._before.cpus if cpus is None else cpus.held,
                self._before.memory if memory is None else memory.held,
                self._devices.containers,
            ),
            self._hints,
            tuple(self._provided),
            frozenset(self._reached),
            frozenset(self._devices.open_choices),
            frozenset(self._noted),
            self._tally.counts(),
        )

    def _refusal(self) -> Refusal | None:
        if self._topology.name is TopologyPolicyName.NONE:
            return self._allocate_one_by_one(self._demand.containers)
        if self._topology.scope is Scope.POD:
            return self._in_pod_scope()
        for container in self._demand.containers:
            merged = self._merged(container.name, self._container_hints(container))
            refusal = merged if isinstance(merged, Refusal) else self._allocate(container, merged)
            if refusal is not None:
                return refusal
        return None

    def _in_pod_scope(self) -> Refusal | None:
        """One hint for the whole pod; pods with a pool of their own are allocated in one piece, devices not at all."""
        merged = self._merged("", self._pod_hints())
        if isinstance(merged, Refusal):
            return merged
        if not self._demand.pooled:
            return self._allocate_one_by_one(self._demand.containers, merged)
        self._hints = {container.name: merged for container in self._demand.containers}
        if self._demand.devices:
            self._noted.add(KubeletFault.DEVICES_LEFT_OUT)
        return self._allocate_in_one_piece(merged)

    def _allocate_in_one_piece(self, hint: Hint) -> Refusal | None:
        refusal = None
        if self._cpus is not None:
            refusal = allocate_pod_cpus(self._cpus, hint.nodes)
            self._tally.pod_cpus(self._demand.containers, refusal, self._cpus.pod)
        if refusal is None and self._memory is not None and self._demand.memory:
            refusal = allocate_pod_memory(self._memory, hint)
            self._tally.pod_memory(self._demand.containers, refusal)
        return refusal

    def _merged(self, container: str, provided: Iterable[tuple[str, Hints | None]]) -> Hint | Refusal:
        """What the answers of all providers come to, or why the pod is refused for it."""
        asked = [Provided(provider, container, hints) for provider, hints in provided]
        self._provided += asked
        self._reached.update(answer.provider for answer in asked)
        merged = self._topology.merge([answer.hints for answer in asked])
        admitted = self._topology.admits(merged)
        self._tally.merged("container" if container else "pod", admitted=admitted)
        return merged if admitted else Refusal(Reason.AFFINITY, self._affinity_text())

    def _container_hints(self, container: ContainerDemand) -> Iterator[tuple[str, Hints | None]]:
        if self._has_devices:
            yield DEVICE, self._devices.container_hints(container)
        yield CPU, None if self._cpus is None else self._cpus.container_hints(container)
        yield MEMORY, None if self._memory is None else self._memory.container_hints(container)

    def _pod_hints(self) -> Iterator[tuple[str, Hints | None]]:
        if self._has_devices:
            yield DEVICE, self._devices.pod_hints()
        yield CPU, None if self._cpus is None else self._cpus_of_pod(self._cpus)
        yield MEMORY, None if self._memory is None else self._memory_of_pod(self._memory)

    def _cpus_of_pod(self, turn: CpuTurn) -> Hints | None:
        if self._demand.pooled and self._demand.cpus and cpu_pool_refusal(self._demand) is not None:
            return {CPU: ()}
        return turn.pod_hints()

    def _memory_of_pod(self, turn: MemoryTurn) -> Hints | None:
        if self._demand.pooled and memory_pool_refusal(self._demand) is not None:
            return {resource: () for resource, _ in self._demand.memory}
        return turn.pod_hints()

    def _allocate_one_by_one(self, containers: Sequence[ContainerDemand], hint: Hint | None = None) -> Refusal | None:
        refusals = (self._allocate(container, hint) for container in containers)
        return next((refusal for refusal in refusals if refusal is not None), None)

    def _allocate(self, container: ContainerDemand, hint: Hint | None) -> Refusal | None:
        """Put the hint on record; then devices, CPUs, memory. What was taken before a refusal is not put back."""
        if hint is not None:
            self._hints[container.name] = hint
        aim = hint or NO_HINT
        if container.devices:
            self._reached.add(DEVICE)
        refusal = self._devices.allocate(container, aim.nodes)
        if refusal is None and self._cpus is not None:
            self._reached.add(CPU)
            before = container.name in self._cpus.containers
            refusal = self._cpus.allocate(container, aim.nodes)
            own = self._cpus.containers.get(container.name, NO_CPUS)
            self._tally.container_cpus(container, refusal, own, before=before)
        if refusal is None and self._memory is not None:
            self._reached.add(MEMORY)
            before = container.name in self._memory.containers
            refusal = self._memory.allocate(container, aim)
            self._tally.container_memory(container, refusal, before=before)
        return refusal

    def _affinity_text(self) -> str:
        if not self._demand.pooled:
            return "Resources cannot be allocated with Topology locality"
        if self._topology.scope is Scope.POD:
            return "Pod Scope pod with pod-level resources failed admission under pod-scope topology manager"
        return "Pod Scope pod with pod-level resources failed admission with a container-level topology manager"
