"""A pod comes to a node, goes, or has a container started: one step of a kubelet's life (kubelet.md §1, §6.4)."""

from collections.abc import Hashable, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.core import Pod
from dractl.api.identities import PodRef
from dractl.kubelet.cpu_topology import union
from dractl.kubelet.cpu_turn import CPU
from dractl.kubelet.deciding import Decision, Held, Provided, View, decide
from dractl.kubelet.demand import MEMORY, ContainerDemand, PodDemand, Role
from dractl.kubelet.device_turn import DEVICE, ByResource
from dractl.kubelet.faults import KubeletFault
from dractl.kubelet.figures import Counts
from dractl.kubelet.hints import NO_HINT, Hint
from dractl.kubelet.kubelet import KubeletState, uid_of
from dractl.kubelet.memory_books import Blocks
from dractl.kubelet.refusal import Refusal
from dractl.kubelet.stopped import Stopped
from dractl.machine.idsets import NO_CPUS, CpuSet
from dractl.machine.state_files import MemoryBlock


class Isolation(StrEnum):
    """With whom a container of a pod with pod-level resources shares what it uses."""

    HOST = "host"
    POD = "pod"
    CONTAINER = "container"


class Grant(Struct, frozen=True):
    """What is on record for one container: CPUs (empty: a shared pool of the node), memory, devices, merged hint."""

    cpus: CpuSet = NO_CPUS
    memory: Blocks = ()
    devices: ByResource | None = None
    hint: Hint = NO_HINT
    cpu_isolation: Isolation = Isolation.HOST
    memory_isolation: Isolation = Isolation.HOST


class Admission(Struct, frozen=True):
    """How the kubelet answers for one pod, and what is on record right after.

    `refusal` is None where the pod is let in. A refused pod has failed and is gone; what it was given shows in
    `containers` and comes back with the next admission. `state` is the node afterwards.
    """

    pod: PodRef
    uid: str
    demand: PodDemand
    refusal: Refusal | None
    containers: Mapping[str, Grant]
    pod_cpus: CpuSet
    pod_memory: Blocks
    provided: tuple[Provided, ...]
    open_choices: frozenset[tuple[str, str]]
    faults: frozenset[KubeletFault]
    counts: Counts
    state: KubeletState

    @property
    def admitted(self) -> bool:
        """Whether the pod may run."""
        return self.refusal is None

    @property
    def unused_cpus(self) -> CpuSet:
        """CPUs of the pod's own pool that no container uses while the pod runs: they stay with the pod (§9)."""
        staying = (container.name for container in self.demand.containers if container.role is not Role.INIT)
        return self.pod_cpus - CpuSet.of_mask(union(self.containers[name].cpus.mask for name in staying))

    @property
    def unused_memory(self) -> Blocks:
        """Memory of the pod's own pool that no container uses while the pod runs."""
        if any(grant.memory_isolation is Isolation.POD for grant in self.containers.values()):
            return ()
        left = [(block, block.size - self._used(block.resource)) for block in self.pod_memory]
        return tuple(MemoryBlock(block.resource, block.nodes, size) for block, size in left if size > 0)

    def _used(self, resource: str) -> int:
        staying = (container for container in self.demand.containers if container.role is not Role.INIT)
        return sum(dict(container.memory).get(resource, 0) for container in staying)


def admit(state: KubeletState, pod: Pod, *, demand: PodDemand | None = None) -> Admission | Stopped:
    """The kubelet's answer to a pod that was bound to its node, or that it admits again after a start.

    The pod must have its defaults; `demand` saves working it out again (`Kubelet.demand_of`).
    """
    uid = uid_of(pod)
    demand = demand or state.kubelet.demand_of(pod)
    purged = _purged(state, {*state.active, uid})
    decision = decide(state.kubelet, demand, _view(purged), _held(purged, uid))
    if isinstance(decision, Stopped):
        return decision
    after = _after(state, purged, uid, pod, decision)
    return Admission(
        PodRef(pod.metadata.namespace, pod.metadata.name),
        uid,
        demand,
        decision.refusal,
        {container.name: _grant(after, uid, container) for container in demand.containers},
        decision.held.cpus.pod,
        decision.held.memory.pod,
        decision.provided,
        decision.open_choices,
        decision.faults,
        decision.counts,
        after,
    )


def removed(state: KubeletState, uid: str) -> KubeletState:
    """The node when a pod has ended and every manager has looked at its books since."""
    active = {key: pod for key, pod in state.active.items() if key != uid}
    return replace(_purged(state, set(active)), active=active)


def container_started(state: KubeletState, uid: str, name: str) -> KubeletState:
    """The node when a container of an active pod was started: memory of earlier init containers is released (§6.4)."""
    pod = state.active.get(uid)
    if pod is None:
        return state
    earlier: list[str] = []
    for container in state.kubelet.demand_of(pod).containers:
        if container.name == name:
            return replace(state, memory=state.memory.without_containers(uid, earlier))
        if container.role is Role.INIT:
            earlier.append(container.name)
    return state


def settled(state: KubeletState) -> KubeletState:
    """The node when every manager has given back what pods held that are not active."""
    return _purged(state, set(state.active))


def sight(state: KubeletState) -> Hashable:
    """All that the admission of a pod that holds nothing sees: nodes with equal ones answer alike."""
    return state.kubelet, _view(settled(state))


def _purged(state: KubeletState, active: set[str]) -> KubeletState:
    if not state.ready:
        return state
    return replace(
        state,
        cpus=state.cpus.without(state.cpus.pods.keys() - active),
        memory=state.memory.without(state.memory.pods.keys() - active),
        devices=state.devices.without(state.devices.pods.keys() - active),
    )


def _view(state: KubeletState) -> View:
    return View(state.cpus.default, tuple(state.memory.machine.items()), tuple(state.devices.in_use().items()))


def _held(state: KubeletState, uid: str) -> Held:
    held = Held(devices=state.devices.pods.get(uid, {}))
    if uid in state.cpus.pods:
        held = replace(held, cpus=state.cpus.pods[uid])
    if uid in state.memory.pods:
        held = replace(held, memory=state.memory.pods[uid])
    return held


def _after(state: KubeletState, purged: KubeletState, uid: str, pod: Pod, decision: Decision) -> KubeletState:
    """The node after a decision; managers that were not asked have not given anything back either."""
    active = {**state.active, uid: pod}
    if decision.refusal is not None:
        del active[uid]
    held, reached = decision.held, decision.reached
    return replace(
        state,
        cpus=purged.cpus.with_pod(uid, decision.default, held.cpus) if CPU in reached else state.cpus,
        memory=purged.memory.with_pod(uid, decision.memory, held.memory) if MEMORY in reached else state.memory,
        devices=purged.devices.with_pod(uid, held.devices) if DEVICE in reached else state.devices,
        active=active,
        hints={**state.hints, uid: decision.hints} if decision.hints else state.hints,
    )


def _grant(state: KubeletState, uid: str, container: ContainerDemand) -> Grant:
    name = container.name
    cpus = state.cpus.pods[uid].containers.get(name, NO_CPUS) if uid in state.cpus.pods else NO_CPUS
    memory = state.memory.pods[uid].containers.get(name, ()) if uid in state.memory.pods else ()
    return Grant(
        cpus,
        memory,
        state.devices.pods.get(uid, {}).get(name),
        state.hint_of(uid, name),
        _isolation(held=bool(cpus), alone=container.cpus > 0),
        _isolation(held=bool(memory), alone=bool(container.memory)),
    )


def _isolation(*, held: bool, alone: bool) -> Isolation:
    if not held:
        return Isolation.HOST
    return Isolation.CONTAINER if alone else Isolation.POD
