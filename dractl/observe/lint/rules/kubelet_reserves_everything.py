"""A kubelet that keeps all CPUs or all memory for itself.

`reservedSystemCPUs`, or `kubeReserved` and `systemReserved` together, take as many CPUs as the node has; or what is
reserved of memory, with the eviction threshold, takes all of it.

Why: the node then offers nothing that a pod could request, and the static CPU manager policy has no CPU to give away.

Example: `reservedSystemCPUs: 0-79` on a node with 80 CPUs.

Instead: reserve what the system needs, mostly one or two cores. How many CPUs there are comes from a dump of the node
(`--topology NODE=FILE`) or from the capacity of its Node object; the rule is silent without.
"""

from collections.abc import Iterator

from msgspec import Struct

from dractl.api.quantity import Quantity
from dractl.finding import Severity
from dractl.kubelet import StartFailure, start
from dractl.kubelet.reservations import Reservation, StartFault, reservation_of
from dractl.machine.configuration import KubeletConfiguration
from dractl.machine.idsets import CpuSet
from dractl.machine.machine import Core, Machine, NumaNode
from dractl.observe.lint.context import Configuration, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import counted


class _Kept(Struct, frozen=True):
    """What is reserved of a node, in words, and the field that says so."""

    message: str
    field: str


def check(context: LintContext) -> Iterator[Remark]:
    """Each thing once for each configuration, with the first node of which it is true."""
    for each in context.configurations:
        told: set[str] = set()
        for name in each.nodes:
            for kept in _kept(context, each, name):
                if kept.field not in told:
                    told.add(kept.field)
                    yield Remark(kept.message, each.place.at(kept.field), "KubeletConfiguration")


def _kept(context: LintContext, each: Configuration, node: str) -> Iterator[_Kept]:
    """Nothing where the kubelet does not start: then that is said."""
    known = context.machines[node].machine
    if known is not None and isinstance(start(known, each.configuration, gates=context.gates), StartFailure):
        return
    machine = known or _counted_machine(context, node)
    reservation = _reservation(machine, each.configuration)
    if reservation is None:
        return
    cpus = len(machine.cpus)
    if cpus and reservation.cpu >= Quantity.of(cpus):
        message = f"{counted(cpus, 'CPU')} of {cpus} of {node} are reserved: none is left for pods"
        yield _Kept(message, "reservedSystemCPUs" if reservation.cpus else _field(each.configuration, "cpu"))
    if machine.memory and reservation.memory >= Quantity.of(machine.memory):
        message = f"all memory of {node} is reserved: none is left for pods"
        yield _Kept(message, _field(each.configuration, "memory"))


def _counted_machine(context: LintContext, node: str) -> Machine:
    """So many CPUs as the Node object counts, numbered from 0; of memory nothing is known."""
    known = context.cluster.nodes.get(node)
    capacity = (known.status.capacity or {}).get("cpu") if known is not None else None
    cpus = range(capacity.rounded_up() if capacity is not None else 0)
    return Machine((NumaNode(0, tuple(Core(cpu, 0, CpuSet((cpu,))) for cpu in cpus)),))


def _reservation(machine: Machine, configuration: KubeletConfiguration) -> Reservation | None:
    try:
        return reservation_of(machine, configuration)
    except StartFault:
        return None


def _field(configuration: KubeletConfiguration, resource: str) -> str:
    """The first field that sets some of it aside."""
    fields = ("kubeReserved", "systemReserved")
    return next((field for field in fields if resource in (getattr(configuration, field) or {})), "evictionHard")


RULE = Rule("DRA506", "kubelet-reserves-everything", Severity.WARNING, __doc__, check)
