"""What the priority admission plugin writes into new pods."""

from typing import Any

from msgspec import structs

from dractl.api.core import Pod, PriorityClass
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced, written
from dractl.api.priorities import SYSTEM_PRIORITIES
from dractl.finding import Finding, Severity
from dractl.workloads.steps import Step, changed


def resolve_priorities(objects: ObjectSet) -> Step:
    """Give every pod without a priority the one of its class, or of the default class.

    A pod that neither names a class nor meets a default one keeps no priority, which counts as 0. An unknown class is
    an error in a manifest: the API server would refuse the pod.
    """
    classes = {name: PriorityClass(value=value) for name, value in SYSTEM_PRIORITIES.items()}
    classes.update({each.ref.name: each.object for each in objects.of(PriorityClass)})
    default = _global_default(objects)
    replaced: dict[ObjectRef, Sourced[Pod]] = {}
    by_ref = {sourced.ref: sourced for sourced in objects}
    findings: dict[ObjectRef, Finding] = {}
    for pod in objects.of(Pod):
        if pod.object.spec.priority is not None:
            continue
        name = pod.object.spec.priorityClassName or default
        if name in classes:
            replaced[pod.ref] = _with_priority(pod, name, classes[name])
        elif name:
            subject = written(pod, by_ref)
            findings.setdefault(subject.ref, _unknown(pod, name, subject))
    return Step(changed(objects, replaced=replaced), tuple(findings.values()))


def _global_default(objects: ObjectSet) -> str:
    """The class for pods that name none; of several the one with the smallest value, as the plugin decides."""
    defaults = [each for each in objects.of(PriorityClass) if each.object.globalDefault]
    return min(defaults, key=lambda each: each.object.value).ref.name if defaults else ""


def _with_priority(pod: Sourced[Pod], name: str, priority_class: PriorityClass) -> Sourced[Pod]:
    own = pod.object.spec
    spec = structs.replace(
        own,
        priorityClassName=name,
        priority=priority_class.value,
        preemptionPolicy=own.preemptionPolicy or priority_class.preemptionPolicy,
    )
    return structs.replace(pod, object=structs.replace(pod.object, spec=spec))


def _unknown(pod: Sourced[Pod], name: str, subject: Sourced[Any]) -> Finding:
    is_stored = subject is pod and pod.metadata.is_dump
    return Finding(
        "workloads/unknown-priority-class",
        Severity.WARNING if is_stored else Severity.ERROR,
        f"no PriorityClass with name {name} was found; planned with priority 0",
        pod.place.at("spec", "priorityClassName"),
        str(subject.ref),
        f"add PriorityClass {name} to the input",
    )
