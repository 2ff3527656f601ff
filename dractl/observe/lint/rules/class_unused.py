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
from dractl.observe.lint.rules.extended_resource_not_found import IMPLICIT_PREFIX, offered_resources
from dractl.observe.lint.usage import USERS, knows_all_makers


def check(context: LintContext) -> Iterator[Remark]:
    """Classes of manifests that nobody names, not even nearly."""
    specs = [claim.object.spec for claim in context.objects.of(ResourceClaim)]
    specs += [template.object.spec.spec for template in context.objects.of(ResourceClaimTemplate)]
    if not specs or not context.devices or not context.pod_writings or not knows_all_makers(context):
        return
    named = {name for spec in specs for name in _classes(spec)}
    requested = {name for pod in context.pod_writings for name in _resources(pod.spec)}
    not_offered = requested - set(offered_resources(context))
    unknown = [name for name in named if name not in context.cluster.classes]
    for each in context.objects.of(DeviceClass):
        name = each.ref.name
        resources = {f"{IMPLICIT_PREFIX}{name}", each.object.spec.extendedResourceName}
        is_meant = any(nearest(wrong, [name]) == name for wrong in unknown)
        is_meant = is_meant or _is_nearly_requested(each.object, not_offered) or _is_selected(context, each.object)
        if not each.metadata.is_dump and name not in named and not resources & requested and not is_meant:
            yield Remark("nothing asks for this class", each.place, str(each.ref))


def _is_selected(context: LintContext, device_class: DeviceClass) -> bool:
    """Whether a request names another class that has none of the devices that it selects, and this one has them."""
    own = context.matching(context.chain_of_class(device_class))
    for asked in context.asked:
        named = asked.demand.device_class
        if own and named is not None and not context.matching(asked.demand.selectors):
            selectors = asked.demand.selectors.selectors[len(named.spec.selectors or ()) :]
            if selectors and context.answers.all_true(selectors, own):
                return True
    return False


def _is_nearly_requested(device_class: DeviceClass, wrong: Collection[str]) -> bool:
    resource = device_class.spec.extendedResourceName
    return resource is not None and any(nearest(name, [resource]) for name in wrong)


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
