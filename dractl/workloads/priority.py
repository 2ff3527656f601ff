"""What the priority admission plugin writes into new pods."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from dractl.api.core import Pod, PriorityClass
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced, written
from dractl.api.priorities import SYSTEM_PRIORITIES
from dractl.finding import Finding, Severity
from dractl.near_misses import did_you_mean
from dractl.phrases import counted
from dractl.workloads.steps import Step, changed


def resolve_priorities(objects: ObjectSet) -> Step:
    """Give every pod without a priority the one of its class, or of the default class.

    A pod that neither names a class nor meets a default one keeps no priority, which counts as 0. So does one whose
    class is not in the input: classes mostly come with the cluster.
    """
    classes = {name: PriorityClass(value=value) for name, value in SYSTEM_PRIORITIES.items()}
    classes.update({each.ref.name: each.object for each in objects.of(PriorityClass)})
    default = _global_default(objects)
    replaced: dict[ObjectRef, Sourced[Pod]] = {}
    unknown: dict[str, list[Sourced[Pod]]] = {}
    for pod in objects.of(Pod):
        if pod.object.spec.priority is not None:
            continue
        name = pod.object.spec.priorityClassName or default
        if name in classes:
            replaced[pod.ref] = _with_priority(pod, name, classes[name])
        elif name:
            unknown.setdefault(name, []).append(pod)
    by_ref = {sourced.ref: sourced for sourced in objects} if unknown else {}
    findings = tuple(_unknown(name, pods, list(classes), by_ref) for name, pods in unknown.items())
    return Step(changed(objects, replaced=replaced), findings)


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


def _unknown(
    name: str, pods: Sequence[Sourced[Pod]], known: Sequence[str], by_ref: Mapping[ObjectRef, Sourced[Any]]
) -> Finding:
    first = pods[0]
    return Finding(
        "workloads/unknown-priority-class",
        Severity.WARNING,
        f"PriorityClass {name} is not in the input: the priority of {counted(len(pods), 'pod')} is taken as 0",
        first.place.at("spec", "priorityClassName"),
        str(written(first, by_ref).ref),
        did_you_mean(name, known) or f"add PriorityClass {name} to the input",
    )
