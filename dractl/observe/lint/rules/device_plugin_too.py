"""A device plugin and a DRA driver announce the same hardware.

A node has both an extended resource of a device plugin in `status.allocatable` and a ResourceSlice whose driver is
named for the same hardware: `nvidia.com/gpu` and driver `gpu.nvidia.com`.

Why: neither knows of the other. The plugin gives a GPU to a pod that asks for `nvidia.com/gpu`, and the scheduler
gives the same GPU to a claim.

Example:

    kind: Node
    status: {allocatable: {nvidia.com/gpu: "8"}}
    ---
    kind: ResourceSlice
    spec: {driver: gpu.nvidia.com, nodeName: …}

Instead: one of the two on a node; a class with `extendedResourceName: nvidia.com/gpu` serves the old pods through
DRA.
"""

from collections.abc import Iterator, Mapping

from dractl.api.core import Node
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule


def check(context: LintContext) -> Iterator[Remark]:
    """Nodes by what they announce and which drivers have devices there."""
    for each in context.objects.of(Node):
        announced = _announced(each.object)
        if each.made_by is not None or not announced:
            continue
        for driver in sorted({device.driver for device in context.devices_by_node.get(each.ref.name, ())}):
            resource = next((name for name in announced if _is_same(name, driver)), None)
            if resource is not None:
                yield Remark(
                    f"a device plugin announces {resource} and driver {driver} publishes devices: "
                    "the same hardware can be given away twice",
                    each.place.at("status", announced[resource], resource),
                    str(each.ref),
                    "leave one of the two on the node",
                )


def _announced(node: Node) -> Mapping[str, str]:
    """Extended resources of which the node has some, with the field that says so."""
    status = node.status
    field, amounts = ("allocatable", status.allocatable) if status.allocatable else ("capacity", status.capacity)
    return {name: field for name, amount in (amounts or {}).items() if "/" in name and amount.nano > 0}


def _is_same(resource: str, driver: str) -> bool:
    """`nvidia.com/gpu` and `gpu.nvidia.com`, or `gpu.intel.com/xe` and `gpu.intel.com`."""
    domain, _, name = resource.partition("/")
    return driver in (domain, f"{name}.{domain}")


RULE = Rule("DRA316", "device-plugin-too", Severity.WARNING, __doc__, check, needs_slices=True)
