"""A static kubelet policy without the reservation that it needs.

A KubeletConfiguration has the CPU manager policy `static` and reserves no CPU, or the memory manager policy `Static`,
no `reservedMemory` with memory, and does not say either how much that would have to be.

Why: with these policies the kubelet starts only if something is reserved. The command line or another file may do so;
if not, the node does not come back.

Example:

    cpuManagerPolicy: static                       # and neither reservedSystemCPUs nor a cpu in kubeReserved

Instead: `reservedSystemCPUs`, or `cpu` in `kubeReserved` or `systemReserved`; `reservedMemory` that adds up to
`kubeReserved`, `systemReserved` and `evictionHard`. Where the file has one of these, or a dump describes the node's
machine, the configuration is taken to be all that there is, and DRA502 says that the kubelet does not start.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.kubelet import cpu_policy, memory_policy
from dractl.machine.configuration import KubeletConfiguration
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.rules.kubelet_does_not_start import sets_memory_aside

_ELSEWHERE = "the kubelet starts only if its command line or another file reserves"


def check(context: LintContext) -> Iterator[Remark]:
    """Configurations of nodes without a machine, as far as they leave it open."""
    for each in context.configurations:
        written = each.configuration
        if any(context.machines[name].machine is not None for name in each.nodes):
            continue
        if written.cpuManagerPolicy == cpu_policy.STATIC and not _reserves_cpus(written):
            yield Remark(
                f"{_ELSEWHERE} CPUs: the policy {cpu_policy.STATIC} needs one at least",
                each.place.at("cpuManagerPolicy"),
                "KubeletConfiguration",
                'write for example reservedSystemCPUs: "0"',
            )
        is_open = not _reserves_memory(written) and not sets_memory_aside(written)
        if written.memoryManagerPolicy == memory_policy.STATIC and is_open:
            yield Remark(
                f"{_ELSEWHERE} memory by NUMA node: the policy {memory_policy.STATIC} needs it",
                each.place.at("memoryManagerPolicy"),
                "KubeletConfiguration",
                "write reservedMemory, in all as much as kubeReserved, systemReserved and evictionHard",
            )


def _reserves_cpus(written: KubeletConfiguration) -> bool:
    by_amount = "cpu" in (written.kubeReserved or {}) or "cpu" in (written.systemReserved or {})
    return bool(written.reservedSystemCPUs) or by_amount


def _reserves_memory(written: KubeletConfiguration) -> bool:
    return any("memory" in (entry.limits or {}) for entry in written.reservedMemory or ())


RULE = Rule("DRA507", "kubelet-reservation-missing", Severity.INFO, __doc__, check)
