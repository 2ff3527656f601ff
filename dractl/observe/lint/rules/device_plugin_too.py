"""A device plugin and a DRA driver announce the same hardware.

A node has an extended resource of a device plugin in `status.allocatable`, and on the same node devices of a
DeviceClass whose `extendedResourceName` it is, or of a driver that is named for the same hardware: `nvidia.com/gpu` and
driver `gpu.nvidia.com`.

Why: neither knows of the other. The plugin gives a GPU to a pod that asks for `nvidia.com/gpu`, and the scheduler
gives the same GPU to a claim. On a node of which the device plugin has some, the name always means the plugin's: the
class serves it only where `allocatable` has none of it. A pod that asks for it and has claims besides never starts on
such a node: writing down its claim for the extended resource, which asks for nothing there, fails each time.

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
from dractl.api.identities import DeviceId
from dractl.api.resource import DeviceClass
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed, verb


def check(context: LintContext) -> Iterator[Remark]:
    """Nodes by what they announce, which classes serve the same there, and which drivers have devices there."""
    for each in context.objects.of(Node):
        announced = _announced(each.object)
        if each.made_by is not None or not announced:
            continue
        there = context.devices_by_node.get(each.ref.name, frozenset())
        drivers = sorted({device.driver for device in there})
        for resource, field in announced.items():
            message = _of_classes(context, resource, there) or _of_drivers(resource, drivers)
            if message:
                place = each.place.at("status", field, resource)
                yield Remark(message, place, str(each.ref), "leave one of the two on the node")


def _announced(node: Node) -> Mapping[str, str]:
    """Extended resources of which the node has some, with the field that says so."""
    status = node.status
    field, amounts = ("allocatable", status.allocatable) if status.allocatable else ("capacity", status.capacity)
    return {name: field for name, amount in (amounts or {}).items() if "/" in name and amount.nano > 0}


def _of_classes(context: LintContext, resource: str, there: frozenset[DeviceId]) -> str:
    serving = [
        each.ref.name
        for each in context.objects.of(DeviceClass)
        if each.object.spec.extendedResourceName == resource
        and context.ids_of(context.matching(context.chain_of_class(each.object))) & there
    ]
    if not serving:
        return ""
    return (
        f"a device plugin announces {resource}, for which {verb(len(serving), 'class', 'classes')} {listed(serving)} "
        f"{verb(len(serving), 'has', 'have')} devices here: pods that ask for it get only the plugin's on this node, "
        "one that has claims besides never starts, and the same hardware can be given away twice"
    )


def _of_drivers(resource: str, drivers: list[str]) -> str:
    same = [driver for driver in drivers if _is_same(resource, driver)]
    if not same:
        return ""
    return (
        f"a device plugin announces {resource} and {verb(len(same), 'driver', 'drivers')} {listed(same)} "
        f"{verb(len(same), 'publishes', 'publish')} devices: the same hardware can be given away twice"
    )


def _is_same(resource: str, driver: str) -> bool:
    """`nvidia.com/gpu` and `gpu.nvidia.com`, or `gpu.intel.com/xe` and `gpu.intel.com`."""
    domain, _, name = resource.partition("/")
    return driver in (domain, f"{name}.{domain}")


RULE = Rule("DRA316", "device-plugin-too", Severity.WARNING, __doc__, check, needs_slices=True)
