"""RuntimeClasses: what the API server writes into new pods that name one, and what it refuses.

From the documents "Runtime Class" and "Pod Overhead" of Kubernetes: node selectors are merged, and one that contradicts
the pod's is refused; tolerations are united; the overhead is the class's, and a pod may not name another.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from dractl.api.core import Pod, RuntimeClass
from dractl.api.objects import ObjectSet, Sourced, written
from dractl.finding import Finding, Severity
from dractl.near_misses import did_you_mean


def with_runtime_classes(objects: ObjectSet) -> tuple[ObjectSet, tuple[Finding, ...]]:
    """The objects with what the RuntimeClasses of the input add to new pods; a pod that is refused stays as it is."""
    classes = {each.ref.name: each for each in objects.of(RuntimeClass)}
    if not classes:
        return objects, ()
    by_ref = {sourced.ref: sourced for sourced in objects}
    findings: list[Finding] = []
    changed: list[Sourced[Any]] = []
    for sourced in objects:
        runtime_class = _class_of(sourced, classes)
        if runtime_class is None:
            changed.append(sourced)
            findings += _misspelt(sourced, written(sourced, by_ref), list(classes))
        elif contradictions := tuple(_contradictions(sourced.object, runtime_class.object)):
            findings.append(_refused(written(sourced, by_ref), runtime_class, contradictions))
            changed.append(sourced)
        else:
            changed.append(replace(sourced, object=merged(sourced.object, runtime_class.object)))
    return ObjectSet(changed), tuple(dict.fromkeys(findings))


def _class_of(sourced: Sourced[Any], classes: Mapping[str, Sourced[RuntimeClass]]) -> Sourced[RuntimeClass] | None:
    if not isinstance(sourced.object, Pod) or not sourced.is_new:
        return None
    return classes.get(sourced.object.spec.runtimeClassName or "")


def _misspelt(sourced: Sourced[Any], source: Sourced[Any], known: Sequence[str]) -> Iterator[Finding]:
    """A class that is not there, and nearly is; others may be in the cluster."""
    if not isinstance(sourced.object, Pod) or not sourced.is_new:
        return
    name = sourced.object.spec.runtimeClassName or ""
    remedy = did_you_mean(name, known) if name and name not in known else ""
    if remedy:
        yield Finding(
            "runtime-class/unknown",
            Severity.WARNING,
            f"there is no RuntimeClass {name} in the input: the API server refuses pods whose class does not exist",
            sourced.place.at("spec", "runtimeClassName"),
            str(source.ref),
            remedy,
        )


def merged(pod: Pod, runtime_class: RuntimeClass) -> Pod:
    """The pod with what the class adds, where the two do not contradict each other; else the pod as it is."""
    if any(_contradictions(pod, runtime_class)):
        return pod
    spec, scheduling = pod.spec, runtime_class.scheduling
    own = spec.tolerations or []
    return replace(
        pod,
        spec=replace(
            spec,
            nodeSelector={**(spec.nodeSelector or {}), **(scheduling.nodeSelector or {})} or None,
            tolerations=[*own, *(each for each in scheduling.tolerations or () if each not in own)] or None,
            overhead=runtime_class.overhead.podFixed or spec.overhead,
        ),
    )


def _contradictions(pod: Pod, runtime_class: RuntimeClass) -> Iterator[str]:
    asked = pod.spec.nodeSelector or {}
    for label, value in (runtime_class.scheduling.nodeSelector or {}).items():
        if asked.get(label, value) != value:
            yield f"its node selector wants {label}={value}, the pod's {label}={asked[label]}"
    if pod.spec.overhead and pod.spec.overhead != (runtime_class.overhead.podFixed or {}):
        yield "the pod names an overhead that is not that of the class"


def _refused(source: Sourced[Any], runtime_class: Sourced[RuntimeClass], contradictions: tuple[str, ...]) -> Finding:
    return Finding(
        "runtime-class/refused",
        Severity.ERROR,
        f"the API server refuses the pod by RuntimeClass {runtime_class.ref.name}: {'; '.join(contradictions)}. "
        "A plan has it without what the class adds",
        source.place,
        str(source.ref),
        "leave that to the class, or name another class",
    )
