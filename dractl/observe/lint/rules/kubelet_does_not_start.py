"""A kubelet that does not start with its configuration.

The options of a KubeletConfiguration contradict each other, or do not suit the machine that a dump describes.

Why: the kubelet ends with an error, and the node does not come back after the change was rolled out.

Example:

    cpuManagerPolicy: static
    cpuManagerPolicyOptions:
      full-pcpus-only: "true"
      distribute-cpus-across-cores: "true"         # the two exclude each other

Other causes: an option whose gate is off, a reservation of no CPU beside the static policy, `reservedSystemCPUs` that
the machine does not have, `reservedMemory` that is not what `kubeReserved`, `systemReserved` and `evictionHard` add
up to, more than 8 NUMA nodes with a topology manager policy.

Instead: what the message says. What depends on the machine needs a dump of the node (`--topology NODE=FILE`).
"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from dractl.errors import Place
from dractl.finding import Severity
from dractl.kubelet import StartFailure, start
from dractl.kubelet.go_texts import parse_cpus
from dractl.kubelet.memory_policy import STATIC
from dractl.kubelet.reservations import MEMORY_AVAILABLE, Stage
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Core, Machine, NumaNode
from dractl.observe.lint.context import Configuration, LintContext
from dractl.observe.lint.rule import Remark, Rule

_FIELDS: Final = {
    Stage.RESERVED_CPUS: ("reservedSystemCPUs",),
    Stage.TOPOLOGY: ("topologyManagerPolicyOptions", "topologyManagerPolicy", "topologyManagerScope"),
    Stage.CPU: ("cpuManagerPolicyOptions", "cpuManagerPolicy"),
    Stage.MEMORY: ("reservedMemory", "memoryManagerPolicy"),
}
_SPARE_CPUS: Final = 1024
_PLENTY: Final = 1 << 50
"""Bytes of memory."""


def check(context: LintContext) -> Iterator[Remark]:
    """With the machines of its nodes where they are known, else as far as the configuration alone tells."""
    for each in context.configurations:
        machines = {name: machine for name in each.nodes if (machine := context.machines[name].machine) is not None}
        for name, machine in machines.items():
            started = start(machine, each.configuration, gates=context.gates, devices=context.machines[name].devices)
            if isinstance(started, StartFailure):
                yield _remark(each, f"the kubelet of {name} does not start: {started.message}", started)
                break
        else:
            if not machines:
                yield from _on_any_machine(context, each)


def _on_any_machine(context: LintContext, each: Configuration) -> Iterator[Remark]:
    """What a machine with more than enough of everything refuses, every machine refuses."""
    written = _completed(each.configuration)
    started = start(_roomy(written), written, gates=context.gates)
    if isinstance(started, StartFailure):
        yield _remark(each, f"the kubelet does not start: {started.message}", started)


def _completed(written: KubeletConfiguration) -> KubeletConfiguration:
    """What the file leaves to command lines and to other files is taken to be there: it may be one of several.

    So are reserved CPUs, and memory that is set aside where the file says nothing of it, or a share of the machine's.
    """
    kube, system, eviction = written.kubeReserved or {}, written.systemReserved or {}, written.evictionHard or {}
    if not written.reservedSystemCPUs and "cpu" not in kube and "cpu" not in system:
        written = replace(written, kubeReserved={**kube, "cpu": "1"})
    is_set_aside = "memory" in kube or "memory" in system or MEMORY_AVAILABLE in eviction
    if written.memoryManagerPolicy == STATIC and (not is_set_aside or eviction.get(MEMORY_AVAILABLE, "").endswith("%")):
        return replace(written, memoryManagerPolicy="")
    return written


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
    return Machine(tuple(NumaNode(node, its_cores, _PLENTY) for node, its_cores in enumerate(by_node)))


def _remark(each: Configuration, message: str, failure: StartFailure) -> Remark:
    return Remark(message, _place(each, failure), "KubeletConfiguration")


def _place(each: Configuration, failure: StartFailure) -> Place:
    """The field that the kubelet was at when it gave up: the one whose value it names, else the first that is there."""
    fields = _FIELDS.get(failure.stage, (str(failure.stage),))
    written = {field: value for field in fields if (value := getattr(each.configuration, field, None))}
    named = [field for field, value in written.items() if isinstance(value, str) and f'"{value}"' in failure.message]
    return next((each.place.at(field) for field in (*named, *written)), each.place)


RULE = Rule("DRA502", "kubelet-does-not-start", Severity.ERROR, __doc__, check, covers=("kubelet/does-not-start",))
