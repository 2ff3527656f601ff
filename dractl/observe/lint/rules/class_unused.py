"""A device class that nothing asks for.

No claim and no template names the DeviceClass, and no container requests its extended resource.

Why: usually the claim that was meant names another class, and gets other devices than it should.

Example: a class `gpu-large`, and only templates with `deviceClassName: gpu`.

Instead: name it in `deviceClassName`, or leave it out. The rule speaks of classes that are to be created, not of those
that a cluster has, and is silent where the input has no pods, no claims or no devices, or objects of unknown kinds
which might ask for it.
"""

from collections.abc import Collection, Iterator

from dractl.api.core import PodSpec
from dractl.api.resource import DeviceClass, ResourceClaim, ResourceClaimSpec, ResourceClaimTemplate
from dractl.finding import Severity
from dractl.near_misses import nearest
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.usage import USERS, knows_all_makers

_PREFIX = "deviceclass.resource.kubernetes.io/"


def check(context: LintContext) -> Iterator[Remark]:
    """Classes of manifests that nobody names, not even nearly."""
    specs = [claim.object.spec for claim in context.objects.of(ResourceClaim)]
    specs += [template.object.spec.spec for template in context.objects.of(ResourceClaimTemplate)]
    if not specs or not context.devices or not context.pod_writings or not knows_all_makers(context):
        return
    named = {name for spec in specs for name in _classes(spec)}
    requested = {name for pod in context.pod_writings for name in _resources(pod.spec)}
    unknown = [name for name in named if name not in context.cluster.classes]
    for each in context.objects.of(DeviceClass):
        name = each.ref.name
        resources = {f"{_PREFIX}{name}", each.object.spec.extendedResourceName}
        is_meant = any(nearest(wrong, [name]) == name for wrong in unknown)
        if not each.metadata.is_dump and name not in named and not resources & requested and not is_meant:
            remedy = _nearly_requested(context, each.object.spec.extendedResourceName or "", requested)
            yield Remark("nothing asks for this class", each.place, str(each.ref), remedy)


def _nearly_requested(context: LintContext, resource: str, requested: Collection[str]) -> str:
    """What a container requests that neither nodes nor classes offer, and that is nearly the class's resource."""
    offered = {each.spec.extendedResourceName for each in context.cluster.classes.values()}
    for node in context.cluster.nodes.values():
        offered.update(node.status.allocatable or node.status.capacity or ())
    wrong = [name for name in sorted(requested) if name not in offered and nearest(name, [resource]) == resource]
    return f"a container requests {wrong[0]}; did you mean {resource}?" if resource and wrong else ""


def _classes(spec: ResourceClaimSpec) -> Iterator[str]:
    for request in spec.devices.requests or ():
        if request.exactly is not None:
            yield request.exactly.deviceClassName
        yield from (alternative.deviceClassName for alternative in request.firstAvailable or ())


def _resources(spec: PodSpec) -> Iterator[str]:
    for container in (*(spec.initContainers or ()), *(spec.containers or ())):
        yield from container.resources.requests or ()
        yield from container.resources.limits or ()


RULE = Rule(
    "DRA118",
    "class-unused",
    Severity.INFO,
    __doc__,
    check,
    needs_slices=True,
    needs_all=(*USERS, "ResourceClaim", "ResourceClaimTemplate"),
)
