"""A pod names a group that is not there, or a group a template that its Workload lacks.

A pod, or the template of a workload, names a PodGroup that the input lacks; or a PodGroup names a Workload, or a
template of one, that the input lacks.

Why: a pod whose group does not exist waits until somebody creates the group; groups are looked for in the pod's own
namespace.

Example:

    schedulingGroup: {podGroupName: pairs}       # and a PodGroup pair

Instead: the name as in `metadata.name` of the PodGroup, in the same namespace. Controllers may make groups: where the
input has none of the namespace that were read from a cluster, only names that are nearly right are told, and templates
of a Workload that is there.
"""

from collections.abc import Collection, Iterator
from typing import Any

from dractl.api.scheduling import PodGroup, Workload
from dractl.finding import Severity
from dractl.near_misses import did_you_mean
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.dumped import is_dumped
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.usage import knows_all_makers
from dractl.phrases import listed


def check(context: LintContext) -> Iterator[Remark]:
    """The groups of pods, then what groups come from."""
    for pod in context.pod_writings:
        name = pod.spec.schedulingGroup.podGroupName if pod.spec.schedulingGroup is not None else None
        remedy = _meant(context, PodGroup, pod.namespace, name) if name else ""
        if remedy:
            message = f"there is no PodGroup {name} in namespace {pod.namespace} of the input"
            yield Remark(message, pod.place.at("schedulingGroup", "podGroupName"), pod.subject, remedy)
    workloads = {(each.ref.namespace, each.ref.name): each.object for each in context.objects.of(Workload)}
    for group in context.objects.of(PodGroup):
        origin = group.object.spec.workloadRef
        if origin is None or group.made_by is not None:
            continue
        place = group.place.at("spec", "workloadRef")
        workload = workloads.get((group.ref.namespace, origin.workloadName))
        if workload is None:
            remedy = _meant(context, Workload, group.ref.namespace, origin.workloadName)
            if remedy:
                message = f"there is no Workload {origin.workloadName} in namespace {group.ref.namespace} of the input"
                yield Remark(message, place.at("workloadName"), str(group.ref), remedy)
        elif not workload.spec.compositePodGroupTemplates:
            known = [each.name for each in workload.spec.podGroupTemplates or ()]
            if origin.templateName not in known:
                message = f"the Workload {origin.workloadName} has no template {origin.templateName}"
                remedy = did_you_mean(origin.templateName, known) or f"it has {listed(known)}"
                yield Remark(message, place.at("templateName"), str(group.ref), remedy)


def _meant(context: LintContext, kind: type[Any], namespace: str, name: str) -> str:
    """What to say of an object that is not there, or nothing where it is there, or may be."""
    known: Collection[str] = [each.ref.name for each in context.objects.of(kind) if each.ref.namespace == namespace]
    if name in known or context.may_be_unread(kind.__name__, namespace, name):
        return ""
    is_known = is_dumped(context, kind, namespace) and knows_all_makers(context)
    return did_you_mean(name, known) or (f"the namespace has {listed(known)}" if is_known else "")


RULE = Rule("DRA212", "pod-group-not-found", Severity.WARNING, __doc__, check)
