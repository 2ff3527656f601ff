"""A CPU driver on a node whose kubelet gives CPUs away itself.

A DRA driver publishes the CPUs of a node as devices (dra.cpu), and the node's KubeletConfiguration has
`cpuManagerPolicy: static`; or a driver publishes its memory (dra.memory), and `memoryManagerPolicy` is `Static`.

Why: both pin containers to the same CPUs, and neither knows of the other. The driver's own manual rules the
combination out. The scheduler knows nothing of it: the claim is allocated and the pod bound, then preparing the
devices fails or the kubelet undoes what the driver has set.

Example:

    kind: KubeletConfiguration
    cpuManagerPolicy: static
    ---
    kind: ResourceSlice
    spec: {driver: dra.cpu, …}

Instead: `cpuManagerPolicy: none` on nodes with the driver, or keep the driver off nodes with the static policy.
"""

from collections.abc import Iterator
from typing import Final

from dractl.cluster.pools import PoolDevice
from dractl.finding import Severity
from dractl.kubelet.cpu_policy import STATIC
from dractl.kubelet.memory_policy import STATIC as STATIC_MEMORY
from dractl.observe.lint.context import Configuration, LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed

_DRIVERS: Final = {"cpu": "dra.cpu", "memory": "dra.memory"}
"""The drivers that hand out what a manager of the kubelet hands out too (kubernetes-sigs)."""


def check(context: LintContext) -> Iterator[Remark]:
    """Once for each configuration and resource."""
    for each in context.configurations:
        for resource, policy in _managed(each):
            nodes = [name for name in each.nodes if _is_published(context, name, resource)]
            if nodes:
                field = f"{resource}ManagerPolicy"
                yield Remark(
                    f"{field} {policy} beside driver {_DRIVERS[resource]} on {listed(nodes)}: "
                    "the two exclude each other, claims are allocated but not prepared",
                    each.place.at(field),
                    "KubeletConfiguration",
                    f"write {field}: {'none' if resource == 'cpu' else 'None'}, or keep the driver off the node",
                )


def _managed(each: Configuration) -> Iterator[tuple[str, str]]:
    if each.configuration.cpuManagerPolicy == STATIC:
        yield "cpu", STATIC
    if each.configuration.memoryManagerPolicy == STATIC_MEMORY:
        yield "memory", STATIC_MEMORY


def _is_published(context: LintContext, node: str, resource: str) -> bool:
    there = context.devices_by_node.get(node, frozenset())
    return any(device.id in there and _is_of(device, resource) for device in context.devices)


def _is_of(device: PoolDevice, resource: str) -> bool:
    return device.id.driver == _DRIVERS[resource]


RULE = Rule("DRA501", "cpu-driver-with-static-policy", Severity.ERROR, __doc__, check, needs_slices=True)
