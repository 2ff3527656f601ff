"""StatefulSets: pods with fixed names, one after the other or all at once (controllers.md §6)."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from dractl.api.core import Pod
from dractl.api.identities import ObjectRef, PodRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pods import is_terminal, is_terminating
from dractl.api.workload import StatefulSet
from dractl.finding import Finding
from dractl.workloads.naming import Names
from dractl.workloads.pod_templates import pod_from_template, with_hostname
from dractl.workloads.steps import Made, Step, check_count, make_pods, note


def expand_stateful_sets(objects: ObjectSet) -> Step:
    """Add the pods that StatefulSets lack; finished ones give way to new ones of the same name."""
    return make_pods(objects, StatefulSet, missing_pods)


def placed_after(objects: ObjectSet) -> Mapping[PodRef, PodRef]:
    """For the pods of ordered sets: the pod that must run before this one is made at all."""
    present = {pod.ref for pod in objects.of(Pod)}
    after: dict[PodRef, PodRef] = {}
    for owner in objects.of(StatefulSet):
        if is_parallel(owner.object):
            continue
        refs = [ref for _, ref in _members(owner) if ref in present]
        for earlier, later in pairwise(refs):
            after[PodRef(later.namespace, later.name)] = PodRef(earlier.namespace, earlier.name)
    return after


def is_parallel(stateful_set: StatefulSet) -> bool:
    """Whether its pods do not wait for each other."""
    return stateful_set.spec.podManagementPolicy == "Parallel"


def missing_pods(owner: Sourced[StatefulSet], owned: Sequence[Sourced[Pod]], names: Names) -> Made:
    """The pods that one StatefulSet would create, in order; an ordered one stops where it has to wait."""
    present = {pod.ref: pod.object for pod in owned}
    pods: list[Sourced[Pod]] = []
    findings: list[Finding] = []
    replaced: set[ObjectRef] = set()
    for ordinal, ref in _members(owner):
        pod = present.get(ref)
        if pod is not None and is_terminating(pod):
            obstacle = f"{ref.name} is being deleted; its successor is not planned"
        elif pod is not None and not is_terminal(pod):
            continue
        elif pod is None and names.is_taken(ref):
            obstacle = f"cannot make {ref.name}: a pod of this name exists and is not its own"
        else:
            if pod is not None:
                replaced.add(ref)
            names.take(ref)
            pods.append(_pod(owner, ordinal, ref))
            continue
        findings.append(note("workloads/name-in-use", owner, obstacle))
        if not is_parallel(owner.object):
            break
    return Made(tuple(pods), tuple(findings), frozenset(replaced))


def _members(owner: Sourced[StatefulSet]) -> list[tuple[int, ObjectRef]]:
    spec = owner.object.spec
    start = spec.ordinals.start if spec.ordinals else 0
    replicas = 1 if spec.replicas is None else spec.replicas
    check_count(owner, replicas, "spec", "replicas")
    return [
        (ordinal, ObjectRef("Pod", owner.ref.namespace, f"{owner.ref.name}-{ordinal}"))
        for ordinal in range(start, start + replicas)
    ]


def _pod(owner: Sourced[StatefulSet], ordinal: int, ref: ObjectRef) -> Sourced[Pod]:
    labels = {"statefulset.kubernetes.io/pod-name": ref.name, "apps.kubernetes.io/pod-index": str(ordinal)}
    return pod_from_template(owner, ref, labels=labels, spec=with_hostname(owner.object.spec.template.spec, ref.name))
