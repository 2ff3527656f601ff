"""A quota limits something that nothing counts for.

A key of `spec.hard` names a resource that no API server counts, and nearly one that it does; or the devices of a
DeviceClass that is not there; or an extended resource otherwise than as `requests.NAME`.

Why: the API server takes any name with a domain. The quota is stored, never used up, and limits nobody.

Example:

    hard:
      gpu.deviceclass.resource.k8s.io/device: "4"        # …/devices
      count/resourceclaim.resource.k8s.io: "10"          # resourceclaims
      limits.nvidia.com/gpu: "4"                         # requests.nvidia.com/gpu

Instead: `CLASS.deviceclass.resource.k8s.io/devices` for the devices of a class, `count/RESOURCE.GROUP` for a number of
objects, `requests.NAME` for an extended resource. The rule is silent about names that are like none of these.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from dractl.api.core import Node
from dractl.api.quota import ResourceQuota
from dractl.api.resource import DeviceClass
from dractl.finding import Severity
from dractl.near_misses import nearest
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.dumped import is_dumped
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.served import SERVED, group_of
from dractl.observe.quotas import IMPLICIT, PER_CLASS, REQUESTS
from dractl.phrases import listed

_COUNT: Final = "count/"
_LIMITS: Final = "limits."
_LABELS_OF_SUFFIX: Final = 4
"""`deviceclass.resource.k8s.io` has so many."""
_OF_CLASSES: Final = "deviceclass"


def check(context: LintContext) -> Iterator[Remark]:
    """Every key of every quota."""
    extended = _extended_resources(context)
    for quota in context.objects.of(ResourceQuota):
        for name in quota.object.spec.hard or {}:
            what, remedy = _flaw(context, name, extended)
            if remedy:
                place = quota.place.at("spec", "hard").key_at(name)
                yield Remark(f"{what}: {name} limits nothing", place, str(quota.ref), remedy)


def _flaw(context: LintContext, name: str, extended: Sequence[str]) -> tuple[str, str]:
    """What is wrong with a key, and what to write instead; without a remedy nothing is wrong for certain."""
    if name.startswith(_COUNT):
        return _of_count(name.removeprefix(_COUNT))
    if name.endswith(PER_CLASS):
        return _of_class(context, name.removesuffix(PER_CLASS))
    if name.startswith(REQUESTS):
        return _of_extended(name.removeprefix(REQUESTS), extended)
    resource = name.removeprefix(_LIMITS)
    if resource in extended:
        return "quotas count what is requested of an extended resource", f"write {REQUESTS}{resource}"
    return _of_suffix(name)


def _of_count(counted: str) -> tuple[str, str]:
    resource, dot, group = counted.partition(".")
    if group not in SERVED:
        meant = nearest(group, list(SERVED))
        return f"Kubernetes has no group {group}", f"did you mean {_COUNT}{resource}.{meant}?" if meant else ""
    if resource in SERVED[group]:
        return "", ""
    message = f"{group or 'the core group'} has no resource {resource}"
    meant = nearest(resource.lower(), list(SERVED[group]))
    if meant:
        return message, f"did you mean {_COUNT}{meant}{dot}{group}?"
    elsewhere = group_of(resource)
    return message, f"did you mean {_COUNT}{resource}.{elsewhere}?" if elsewhere else ""


def _of_class(context: LintContext, name: str) -> tuple[str, str]:
    known = list(context.cluster.classes)
    if not known or name in known or context.may_be_unread("DeviceClass", "", name):
        return "", ""
    meant, others = nearest(name, known), f"the input has {listed(known)}" if is_dumped(context, DeviceClass) else ""
    remedy = f"did you mean {meant}{PER_CLASS}?" if meant else others
    return f"there is no device class {name} in the input", remedy


def _of_extended(resource: str, extended: Sequence[str]) -> tuple[str, str]:
    if resource in extended:
        return "", ""
    meant = nearest(resource, extended)
    what = f"nothing in the input offers or requests {resource}"
    return what, f"did you mean {REQUESTS}{meant}?" if meant else ""


def _of_suffix(name: str) -> tuple[str, str]:
    """`CLASS.deviceclass.resource.k8s.io/devices`, not quite so written."""
    labels = name.partition("/")[0].split(".")
    class_name, suffix = ".".join(labels[:-_LABELS_OF_SUFFIX]), labels[-_LABELS_OF_SUFFIX:]
    is_meant = class_name and nearest(suffix[0], [_OF_CLASSES])
    return "no API server counts by this name", f"did you mean {class_name}{PER_CLASS}?" if is_meant else ""


def _extended_resources(context: LintContext) -> list[str]:
    """Those of classes, of nodes, and of containers: a quota may be for devices of a node that is not in the input."""
    names: dict[str, None] = {}
    for device_class in context.objects.of(DeviceClass):
        names[f"{IMPLICIT}{device_class.ref.name}"] = None
        names[device_class.object.spec.extendedResourceName or ""] = None
    for node in context.objects.of(Node):
        names.update(dict.fromkeys({**(node.object.status.capacity or {}), **(node.object.status.allocatable or {})}))
    for pod in context.pod_writings:
        for container in (*(pod.spec.initContainers or ()), *(pod.spec.containers or ())):
            names.update(dict.fromkeys(container.resources.requests or ()))
            names.update(dict.fromkeys(container.resources.limits or ()))
    return [name for name in names if "/" in name]


RULE = Rule("DRA119", "quota-counts-nothing", Severity.WARNING, __doc__, check, needs_all=("DeviceClass",))
