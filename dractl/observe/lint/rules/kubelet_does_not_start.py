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

Instead: what the message says. Most checks need a dump of the node (`--topology NODE=FILE`).
"""

from collections.abc import Iterator
from typing import Final

from dractl.errors import Place
from dractl.finding import Severity
from dractl.kubelet import StartFailure, start
from dractl.kubelet.cpu_policy import STATIC
from dractl.kubelet.cpu_topology import cpu_topology
from dractl.kubelet.gates import gates_of_kubelet
from dractl.kubelet.options import OptionFault, cpu_options, topology_options
from dractl.kubelet.reservations import Stage, StartFault
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Core, Machine, NumaNode
from dractl.observe.lint.context import Configuration, LintContext
from dractl.observe.lint.rule import Remark, Rule

_FIELDS: Final = {
    Stage.RESERVED_CPUS: "reservedSystemCPUs",
    Stage.TOPOLOGY: "topologyManagerPolicyOptions",
    Stage.CPU: "cpuManagerPolicyOptions",
    Stage.MEMORY: "reservedMemory",
}
_ANY_MACHINE: Final = Machine((NumaNode(0, (Core(0, 0, CpuSet([0])),)),))
"""The smallest there is: what it refuses every machine refuses."""


def check(context: LintContext) -> Iterator[Remark]:
    """With the machines of its nodes where they are known, else as far as the configuration alone tells."""
    for each in context.configurations:
        machines = {name: machine for name in each.nodes if (machine := context.machines[name].machine) is not None}
        for name, machine in machines.items():
            started = start(machine, each.configuration, gates=context.gates, devices=context.machines[name].devices)
            if isinstance(started, StartFailure):
                yield _remark(each, f"the kubelet of {name} does not start: {started.message}", started.stage)
                break
        else:
            if not machines:
                yield from _of_options(context, each)


def _of_options(context: LintContext, each: Configuration) -> Iterator[Remark]:
    written = each.configuration
    try:
        gates = gates_of_kubelet(context.gates.release, context.gates.enabled, written.featureGates or {})
    except StartFault as fault:
        yield _remark(each, f"the kubelet does not start: {fault.message}", fault.stage)
        return
    try:
        topology_options(written.topologyManagerPolicyOptions or {})
    except OptionFault as fault:
        yield _remark(each, f"the kubelet does not start: {fault}", Stage.TOPOLOGY)
        return
    if written.cpuManagerPolicy == STATIC:
        try:
            topology = cpu_topology(_ANY_MACHINE)
            cpu_options(written.cpuManagerPolicyOptions or {}, gates, topology, written.topologyManagerPolicy)
        except OptionFault as fault:
            yield _remark(each, f"the kubelet does not start: {fault}", Stage.CPU)


def _remark(each: Configuration, message: str, stage: Stage) -> Remark:
    return Remark(message, _place(each.place, each.configuration, stage), "KubeletConfiguration")


def _place(place: Place, written: KubeletConfiguration, stage: Stage) -> Place:
    """The field that the kubelet was at when it gave up, if it is written."""
    field = _FIELDS.get(stage, str(stage))
    return place.at(field) if getattr(written, field, None) else place


RULE = Rule("DRA502", "kubelet-does-not-start", Severity.ERROR, __doc__, check, covers=("kubelet/does-not-start",))
