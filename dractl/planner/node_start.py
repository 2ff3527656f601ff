"""The kubelets as they are when planning begins: started, with the pods that run already (kubelet.md §1, §5)."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dractl.api.base import ObjectMeta
from dractl.api.core import Pod
from dractl.api.identities import PodRef
from dractl.api.objects import ObjectSet
from dractl.api.pods import is_terminal
from dractl.cluster.node_machine import NodeMachine
from dractl.gates import Gates
from dractl.kubelet import (
    KubeletState,
    MissingFacts,
    Restart,
    StartFailure,
    readmitted,
    removed,
    running,
    start,
    uid_of,
)
from dractl.kubelet.cpus import CpuBooks, PodCpus
from dractl.kubelet.device_turn import DeviceBooks
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.devices import HeldResources
from dractl.machine.idsets import NO_CPUS, CpuSet
from dractl.machine.machine import Machine
from dractl.machine.state_files import StateFiles

_DEFAULTS: Final = KubeletConfiguration()


class StartedNode(Struct, frozen=True, eq=False):
    """A node whose machine is known, and its kubelet: running, or why nothing can be said about it.

    `running` are the pods that it has let in, `pending` those that name the node and are still to come, both in the
    order of creation. `strangers` are UIDs that the state files name and no pod of the input has: `are_kept` says that
    they count as pods that run, because the input has no pod of this node. `is_worked_out` says that what the running
    pods hold is not recorded, and was worked out in the order of their creation.
    """

    name: str
    known: NodeMachine
    machine: Machine
    kubelet: KubeletState | StartFailure | MissingFacts
    running: tuple[PodRef, ...] = ()
    pending: tuple[PodRef, ...] = ()
    strangers: tuple[str, ...] = ()
    are_kept: bool = False
    is_worked_out: bool = False

    @property
    def configuration(self) -> KubeletConfiguration:
        """The kubelet's configuration, or its defaults."""
        return self.known.configuration or _DEFAULTS


def start_nodes(machines: Mapping[str, NodeMachine], objects: ObjectSet, gates: Gates) -> Mapping[str, StartedNode]:
    """Start the kubelet of every node whose machine is known."""
    pods = _pods_by_node(objects)
    started: dict[str, StartedNode] = {}
    for name, known in machines.items():
        if known.machine is not None:
            started[name] = _start(name, known, known.machine, pods.get(name, {}), gates)
    return started


def _pods_by_node(objects: ObjectSet) -> dict[str, dict[PodRef, Pod]]:
    """Pods that are on a node and not finished, in the order of creation."""
    on_nodes = [
        (PodRef(pod.ref.namespace, pod.ref.name), pod.object)
        for pod in objects.of(Pod)
        if pod.object.spec.nodeName and not is_terminal(pod.object)
    ]
    on_nodes.sort(
        key=lambda each: (each[1].metadata.creationTimestamp is None, each[1].metadata.creationTimestamp or "")
    )
    found: dict[str, dict[PodRef, Pod]] = {}
    for ref, pod in on_nodes:
        found.setdefault(pod.spec.nodeName or "", {})[ref] = pod
    return found


def _start(name: str, known: NodeMachine, machine: Machine, pods: Mapping[PodRef, Pod], gates: Gates) -> StartedNode:
    configuration = known.configuration or _DEFAULTS
    kubelet = start(machine, configuration, known.states, gates, known.devices)
    recorded = _uids_in(known.states)
    there: dict[PodRef, Pod] = {}
    coming: dict[PodRef, Pod] = {}
    holders = {PodRef(each.namespace, each.pod) for each in known.held}
    for ref, pod in pods.items():
        is_there = uid_of(pod) in recorded or ref in holders or pod.status.phase == "Running" or pod.status.startTime
        (there if is_there else coming)[ref] = pod
    if not isinstance(kubelet, KubeletState):
        return StartedNode(name, known, machine, kubelet, tuple(there), tuple(coming))
    strangers = tuple(sorted(recorded - {uid_of(pod) for pod in pods.values()} - known.gone))
    occupied = _Occupied(kubelet, known, there, () if pods else strangers)
    return StartedNode(
        name,
        known,
        machine,
        occupied.state(),
        tuple(there),
        tuple(coming),
        strangers,
        are_kept=not pods,
        is_worked_out=occupied.is_worked_out,
    )


def _uids_in(files: StateFiles) -> set[str]:
    found: set[str] = set()
    for file in (files.cpu, files.memory):
        if file is not None:
            found |= {*file.entries, *file.pod_entries}
    return found


class _Occupied(Struct, frozen=True):
    """A kubelet that has just started, and the pods that are on its node."""

    fresh: KubeletState
    known: NodeMachine
    pods: Mapping[PodRef, Pod]
    strangers: Sequence[str]

    @property
    def is_worked_out(self) -> bool:
        """Whether the managers' decisions about pods that run are not recorded anywhere."""
        kubelet, files = self.fresh.kubelet, self.known.states
        lacks_cpus = kubelet.cpu is not None and files.cpu is None and not self._holds_cpus
        lacks_memory = kubelet.memory is not None and files.memory is None
        return bool(self.pods) and (lacks_cpus or lacks_memory)

    @property
    def _holds_cpus(self) -> bool:
        return any(each.cpus for each in self.known.held)

    def state(self) -> KubeletState:
        """The node with its pods; those whose share is not recorded are let in anew, as after a restart."""
        state = self._with_held_cpus(self.fresh)
        state = replace(state, devices=DeviceBooks(self._held_devices()))
        unknown = [Pod(metadata=ObjectMeta(name=uid, uid=uid)) for uid in self.strangers]
        if self.is_worked_out:
            again = readmitted(running(state, unknown), list(self.pods.values()))
            if isinstance(again, Restart):
                return self._without_gone(running(again.state, self.pods.values()))
        return self._without_gone(running(state, [*unknown, *self.pods.values()]))

    def _without_gone(self, state: KubeletState) -> KubeletState:
        """What pods held that have left is free; they may come back under the same UID, to be decided anew."""
        for uid in self.known.gone:
            state = removed(state, uid)
        return state

    def _with_held_cpus(self, state: KubeletState) -> KubeletState:
        """CPUs that PodResources lists, where there is no state file: exclusive ones are all that it lists."""
        if state.kubelet.cpu is None or self.known.states.cpu is not None or not self._holds_cpus:
            return state
        entries: dict[str, dict[str, CpuSet]] = {}
        taken = NO_CPUS
        for each in self.known.held:
            if each.cpus:
                entries.setdefault(self._uid(each), {})[each.container] = each.cpus
                taken |= each.cpus
        pods = {uid: PodCpus(containers) for uid, containers in entries.items()}
        return replace(state, cpus=CpuBooks(state.cpus.default - taken, pods))

    def _held_devices(self) -> dict[str, dict[str, dict[str, frozenset[str]]]]:
        books: dict[str, dict[str, dict[str, frozenset[str]]]] = {}
        for each in self.known.held:
            for device in each.devices:
                held = books.setdefault(self._uid(each), {}).setdefault(each.container, {})
                held[device.resource] = held.get(device.resource, frozenset()) | {device.device}
        return books

    def _uid(self, held: HeldResources) -> str:
        """The UID of the pod, or one derived from its name where the input lacks it."""
        pod = self.pods.get(PodRef(held.namespace, held.pod))
        return uid_of(pod or Pod(metadata=ObjectMeta(namespace=held.namespace, name=held.pod)))
