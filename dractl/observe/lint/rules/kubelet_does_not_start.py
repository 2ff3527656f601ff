"""A kubelet that does not start with its configuration.

The options of a KubeletConfiguration contradict each other, or do not suit the machine that a dump describes.

Why: the kubelet ends with an error, and the node does not come back after the change was rolled out.

Example:

    cpuManagerPolicy: static
    cpuManagerPolicyOptions:
      full-pcpus-only: "true"
      distribute-cpus-across-cores: "true"         # the two exclude each other

Everything of the kind is told, not only what the kubelet would say first. Other causes: policies, scopes, options and
gates that it does not know, an option whose gate is off, a reservation of no CPU beside the static policy,
`reservedSystemCPUs` that the machine does not have, `reservedMemory` that is not what `kubeReserved`, `systemReserved`
and `evictionHard` add up to, more than 8 NUMA nodes with a topology manager policy. A name that is nearly that of a
gate is a warning.

Instead: what the message says. What depends on the machine needs a dump of the node (`--topology NODE=FILE`).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from msgspec.structs import replace

from dractl.cluster.node_machine import NodeMachine
from dractl.errors import FieldPath
from dractl.finding import Severity
from dractl.gates import gates_of
from dractl.kubelet import MissingFacts, StartFailure, start
from dractl.kubelet.go_texts import parse_cpus
from dractl.kubelet.memory_policy import STATIC
from dractl.kubelet.obstacles import field_at_fault, remedy_of, start_failures
from dractl.kubelet.reservations import MEMORY_AVAILABLE
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Core, Machine, NumaNode
from dractl.near_misses import nearest
from dractl.observe.lint.context import Configuration, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed, verb

_SPARE_CPUS: Final = 1024
_DISTANCE: Final = 10
_PLENTY: Final = 1 << 50
"""Bytes of memory."""


def check(context: LintContext) -> Iterator[Remark]:
    """Everything at fault, with the machines of its nodes where they are known, else as far as it tells itself."""
    for each in context.configurations:
        yield from _misspelt_gates(context, each)
        machines = {name: context.machines[name] for name in each.nodes if context.machines[name].machine is not None}
        if not machines:
            yield from _on_any_machine(context, each)
        failures: dict[tuple[FieldPath, ...], tuple[StartFailure, list[str]]] = {}
        for names in _alike(machines):
            for failure in start_failures(each.configuration, partial(_started, context, machines[names[0]])):
                failures.setdefault(failure.fields, (failure, []))[1].extend(names)
        for failure, names in failures.values():
            kubelets = verb(len(names), "the kubelet of {} does", "the kubelets of {} do").format(listed(names))
            yield _remark(each, f"{kubelets} not start: {failure.message}", failure)


def _alike(machines: Mapping[str, NodeMachine]) -> Iterable[list[str]]:
    """The nodes by their kinds of machine."""
    found: dict[Machine | None, list[str]] = {}
    for name, known in machines.items():
        found.setdefault(known.machine, []).append(name)
    return found.values()


def _started(context: LintContext, known: NodeMachine, configuration: KubeletConfiguration) -> object:
    """On the node's machine; where it is not known, or not well enough, on one with more than enough of everything."""
    if known.machine is not None:
        started = start(known.machine, configuration, gates=context.gates, devices=known.devices)
        if not isinstance(started, MissingFacts):
            return started
    completed = _completed(configuration)
    return start(_roomy(completed), completed, gates=context.gates)


def _on_any_machine(context: LintContext, each: Configuration) -> Iterator[Remark]:
    """What a machine with more than enough of everything refuses, every machine refuses."""
    for failure in start_failures(each.configuration, partial(_started, context, NodeMachine())):
        yield _remark(each, f"the kubelet does not start: {failure.message}", failure)


def _completed(written: KubeletConfiguration) -> KubeletConfiguration:
    """What the file leaves to command lines and to other files is taken to be there: it may be one of several.

    So are reserved CPUs, and memory that is set aside where the file says nothing of it, or a share of the machine's.
    """
    kube, system = written.kubeReserved or {}, written.systemReserved or {}
    if not written.reservedSystemCPUs and "cpu" not in kube and "cpu" not in system:
        written = replace(written, kubeReserved={**kube, "cpu": "1"})
    if written.memoryManagerPolicy == STATIC and not sets_memory_aside(written):
        return replace(written, memoryManagerPolicy="")
    return written


def sets_memory_aside(written: KubeletConfiguration) -> bool:
    """Whether the file says how much memory has to be reserved by NUMA node, on whatever machine."""
    kube, system, eviction = written.kubeReserved or {}, written.systemReserved or {}, written.evictionHard or {}
    is_said = "memory" in kube or "memory" in system or MEMORY_AVAILABLE in eviction
    return is_said and not eviction.get(MEMORY_AVAILABLE, "").endswith("%")


def _roomy(configuration: KubeletConfiguration) -> Machine:
    """A machine that has every CPU and every NUMA node that the configuration names, and many more CPUs."""
    try:
        named = parse_cpus(configuration.reservedSystemCPUs)
    except ValueError:
        named = CpuSet(())
    cores = (max(named, default=0) + _SPARE_CPUS) // 2
    nodes = max((entry.numaNode for entry in configuration.reservedMemory or ()), default=0) + 1
    by_node = [
        tuple(Core(core, 0, CpuSet([2 * core, 2 * core + 1])) for core in range(node, cores, nodes))
        for node in range(nodes)
    ]
    distances = (_DISTANCE,) * nodes
    return Machine(
        tuple(NumaNode(node, its_cores, _PLENTY, distances=distances) for node, its_cores in enumerate(by_node))
    )


def _misspelt_gates(context: LintContext, each: Configuration) -> Iterator[Remark]:
    """Only names that are all but those of gates: dractl does not know every gate of the kubelet."""
    known = list(gates_of(context.gates.release))
    for name in each.configuration.featureGates or ():
        close = "" if name in known else nearest(name, known)
        if close:
            yield Remark(
                f"there is no feature gate {name}, as far as is known here: the kubelet does not start with one that "
                "it does not know",
                each.place.at("featureGates", name),
                "KubeletConfiguration",
                f"did you mean {close}?",
                Severity.WARNING,
            )


def _remark(each: Configuration, message: str, failure: StartFailure) -> Remark:
    place = each.place.at(*field_at_fault(each.configuration, failure))
    return Remark(message, place, "KubeletConfiguration", remedy_of(each.configuration, failure))


RULE = Rule("DRA502", "kubelet-does-not-start", Severity.ERROR, __doc__, check, covers=("kubelet/does-not-start",))
