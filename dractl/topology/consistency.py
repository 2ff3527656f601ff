"""Whether state files, PodResources and exporters speak of the machine that is described (topology-dumps.md §4)."""

from collections.abc import Iterator

from dractl.errors import Fault, Place
from dractl.finding import Finding, Severity
from dractl.machine.idsets import NO_CPUS, CpuSet
from dractl.machine.machine import Machine
from dractl.machine.state_files import CpuManagerState
from dractl.topology.agreement import Remark
from dractl.topology.reading import Configured, NodeDumps

_OTHER_NODE = "the two are of different nodes: give each its own with --topology NODE=FILE, or leave one out"


def check_states(dumps: NodeDumps, cpu_place: Place | None, resources_place: Place | None) -> Iterator[Remark]:
    """A CPU that the machine does not have, in its state file or in what containers hold, is an error."""
    machine = dumps.machine
    if machine is None or any(each.is_partial for each in dumps.descriptions[:1]):
        return
    if dumps.states.cpu is not None and cpu_place is not None:
        yield from _unknown(dumps, machine, _cpus_of(dumps.states.cpu), cpu_place, "the CPU manager's state")
    if resources_place is not None:
        held = _union(each.cpus for each in dumps.resources.held)
        yield from _unknown(dumps, machine, held | (dumps.resources.cpus or NO_CPUS), resources_place, "PodResources")


def check_settings(dumps: NodeDumps, configured: Configured | None) -> Iterator[Finding]:
    """A NodeResourceTopology tells the topology manager's policy and scope too."""
    reported = dumps.reported
    if reported is None or configured is None:
        return
    configuration = configured.configuration
    pairs = (
        ("topologyManagerPolicy", reported.policy, configuration.topologyManagerPolicy or "none"),
        ("topologyManagerScope", reported.scope, configuration.topologyManagerScope or "container"),
    )
    for name, said, value in pairs:
        if said and said != value:
            yield Finding(
                "topology/settings-differ",
                Severity.WARNING,
                f"the NodeResourceTopology says {name} {said}, the kubelet's configuration {value}; the latter is used",
                configured.place.at(name),
                f"node {dumps.node}",
                "the exporter may not have been restarted since the configuration changed",
            )


def check_capacity(dumps: NodeDumps, cpus: int | None, place: Place | None) -> Iterator[Finding]:
    """The Node object counts the CPUs that the kubelet has found."""
    machine = dumps.machine
    if machine is None or cpus is None or cpus == len(machine.cpus):
        return
    yield Finding(
        "topology/node-capacity",
        Severity.WARNING,
        f"the Node has {cpus} CPUs, but its dump describes {len(machine.cpus)}",
        place,
        f"node {dumps.node}",
        "check that the dump is of this node, and that no CPU went offline in between",
    )


def _unknown(dumps: NodeDumps, machine: Machine, named: CpuSet, place: Place, what: str) -> Iterator[Fault]:
    unknown = named - machine.cpus - machine.offline
    if unknown:
        source = dumps.descriptions[0].label
        yield Fault(
            f"{what} names CPUs {unknown}, but by {source} the node has CPUs {machine.cpus}",
            _OTHER_NODE,
            file=place.origin.file,
            subject=f"node {dumps.node}",
        )


def _cpus_of(state: CpuManagerState) -> CpuSet:
    exclusive = _union(cpus for containers in state.entries.values() for cpus in containers.values())
    return state.default | exclusive | _union(iter(state.pod_entries.values()))


def _union(sets: Iterator[CpuSet]) -> CpuSet:
    everything = NO_CPUS
    for each in sets:
        everything |= each
    return everything
