"""A container requests an extended resource that nobody offers.

No DeviceClass and no Node of the input offers the resource, and its name is nearly that of one that is offered; or it
is `deviceclass.resource.kubernetes.io/NAME`, and there is no such DeviceClass.

Why: the scheduler looks for a node that has the resource, and the pod stays Pending with `Insufficient …` on every one.

Example:

    resources: {limits: {example.com/gpus: 1}}     # the class has extendedResourceName: example.com/gpu

Instead: the name as `extendedResourceName` of the class or `status.allocatable` of the node has it. The rule is silent
about names that are like none, as their nodes may not be in the input, and where a Node or a DeviceClass could not be
read.
"""

from collections.abc import Iterator

from dractl.api.core import PodSpec
from dractl.api.resource import DeviceClass
from dractl.errors import FieldPath
from dractl.finding import Severity
from dractl.near_misses import did_you_mean, nearest
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.dumped import is_dumped
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed

IMPLICIT_PREFIX = "deviceclass.resource.kubernetes.io/"


def check(context: LintContext) -> Iterator[Remark]:
    """Every resource once for each container, but for limits and requests that are to be one: that is refused."""
    offered = offered_resources(context)
    for pod in context.pod_writings:
        for name, path in _requested(pod.spec):
            if name in offered:
                continue
            remedy = _missing_class(context, name) if name.startswith(IMPLICIT_PREFIX) else did_you_mean(name, offered)
            if remedy:
                what = f"there is no device class {name.removeprefix(IMPLICIT_PREFIX)} in the input"
                message = what if name.startswith(IMPLICIT_PREFIX) else f"nothing in the input offers {name}"
                yield Remark(message, pod.place.at(*path), pod.subject, remedy)


def offered_resources(context: LintContext) -> list[str]:
    """The extended resources of classes, nodes and device plugins."""
    names: dict[str, None] = {}
    for device_class in context.objects.of(DeviceClass):
        names[f"{IMPLICIT_PREFIX}{device_class.ref.name}"] = None
        if device_class.object.spec.extendedResourceName:
            names[device_class.object.spec.extendedResourceName] = None
    for node in context.cluster.nodes.values():
        announced = {**(node.status.capacity or {}), **(node.status.allocatable or {})}
        names.update((name, None) for name in announced if "/" in name)
    for machine in context.machines.values():
        names.update((device.resource, None) for device in machine.devices)
    return list(names)


def _missing_class(context: LintContext, resource: str) -> str:
    """What to write where the class is missing for certain, as for the class of a request (DRA107)."""
    name, known = resource.removeprefix(IMPLICIT_PREFIX), list(context.cluster.classes)
    close = did_you_mean(name, known)
    return close or (f"the input has {listed(known)}" if known and is_dumped(context, DeviceClass) else "")


def _requested(spec: PodSpec) -> Iterator[tuple[str, FieldPath]]:
    for field in ("initContainers", "containers"):
        for number, container in enumerate(getattr(spec, field) or ()):
            limits, requests = container.resources.limits or {}, container.resources.requests or {}
            unlimited = [name for name in requests if name not in limits]
            names = [("limits", name) for name in limits if not nearest(name, unlimited)]
            names += [("requests", name) for name in unlimited if not nearest(name, limits)]
            yield from ((name, (field, number, "resources", part, name)) for part, name in names if "/" in name)


RULE = Rule(
    "DRA208", "extended-resource-not-found", Severity.WARNING, __doc__, check, needs_all=("Node", "DeviceClass")
)
