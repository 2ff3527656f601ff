"""Deployments: the ReplicaSet of the current template, and how far a rollout can go at once (controllers.md §6)."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import structs

from dractl.api.base import LabelSelector, ObjectMeta
from dractl.api.core import Pod, PodTemplateSpec
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pods import is_active, is_terminal
from dractl.api.selectors import matches_labels
from dractl.api.uids import derived_uid
from dractl.api.workload import Deployment, ReplicaSet, ReplicaSetSpec
from dractl.finding import Finding
from dractl.phrases import counted
from dractl.workloads.naming import Names
from dractl.workloads.owners import Owned, controller_reference, refers_to_kind
from dractl.workloads.replicaset import replicas_of
from dractl.workloads.steps import Step, bad_field, changed, note

HASH_LABEL: Final = "pod-template-hash"
PLANNED_HASH: Final = "planned"
"""Stands for the hash of Go structures that a cluster would write."""

_DEFAULT_SURGE: Final = "25%"
_PERCENTAGE: Final = re.compile(r"[0-9]+%")


def expand_deployments(objects: ObjectSet) -> Step:
    """Add the ReplicaSet of each Deployment's template where it is missing, scaled as far as the rollout allows now."""
    if not objects.of(Deployment):
        return Step(objects)
    view = _View(objects)
    behind: dict[ObjectRef, Sequence[Sourced[ReplicaSet]]] = {}
    scaled: dict[ObjectRef, Sourced[ReplicaSet]] = {}
    findings: list[Finding] = []
    for deployment in objects.of(Deployment):
        if deployment.metadata.deletionTimestamp is not None:
            continue
        current = view.current(deployment)
        if current is None and deployment.object.spec.paused:
            findings.append(
                note("workloads/paused", deployment, "is paused: its template makes no pods", "spec", "paused")
            )
            continue
        replicas, remarks = view.replicas_now(deployment, current)
        findings += remarks
        if current is None:
            behind[deployment.ref] = [_new_replica_set(deployment, replicas, view.names)]
        elif replicas_of(current.object) != replicas:
            spec = structs.replace(current.object.spec, replicas=replicas)
            scaled[current.ref] = structs.replace(current, object=structs.replace(current.object, spec=spec))
    return Step(changed(objects, behind=behind, replaced=scaled), tuple(findings))


class _View:
    """The ReplicaSets and pods that matter to Deployments."""

    def __init__(self, objects: ObjectSet) -> None:
        self.names = Names(objects)
        self._replica_sets = Owned(objects.of(ReplicaSet))
        self._pods = Owned(objects.of(Pod))
        self._strays = [pod for pod in objects.of(Pod) if is_active(pod.object) and self._is_stray(pod)]

    def current(self, deployment: Sourced[Deployment]) -> Sourced[ReplicaSet] | None:
        """The oldest ReplicaSet with the Deployment's template."""
        wanted = _comparable(deployment.object.spec.template)
        same = [
            owned
            for owned in self._replica_sets.by(deployment)
            if _comparable(owned.object.spec.template) == wanted and owned.metadata.deletionTimestamp is None
        ]
        return min(same, key=lambda owned: owned.metadata.creationTimestamp or "", default=None)

    def replicas_now(
        self, deployment: Sourced[Deployment], current: Sourced[ReplicaSet] | None
    ) -> tuple[int, list[Finding]]:
        """How many replicas the current ReplicaSet gets at once, and what comes later."""
        spec = deployment.object.spec
        total = 1 if spec.replicas is None else spec.replicas
        strays = sum(self._belongs(pod, deployment) for pod in self._strays)
        wanted = max(0, total - strays)
        others = [owned for owned in self._replica_sets.by(deployment) if current is None or owned.ref != current.ref]
        if spec.strategy.type == "Recreate":
            waits = any(not is_terminal(pod.object) for owned in others for pod in self._pods.by(owned))
            room = 0 if waits else wanted
        else:
            room = total + _surge(deployment, total) - strays - sum(self._size(owned) for owned in others)
        present = min(wanted, self._size(current)) if current else 0
        now = max(present, min(wanted, room))
        return now, _remarks(deployment, wanted - now, strays)

    def _size(self, replica_set: Sourced[ReplicaSet]) -> int:
        active = sum(is_active(pod.object) for pod in self._pods.by(replica_set))
        return max(active, replicas_of(replica_set.object))

    def _is_stray(self, pod: Sourced[Pod]) -> bool:
        """Whether a ReplicaSet that the input lacks controls the pod."""
        reference = pod.metadata.controller
        if reference is None or not refers_to_kind(reference, "ReplicaSet"):
            return False
        return not self.names.is_taken(ObjectRef("ReplicaSet", pod.ref.namespace, reference.name))

    def _belongs(self, pod: Sourced[Pod], deployment: Sourced[Deployment]) -> bool:
        reference, labels = pod.metadata.controller, pod.metadata.labels or {}
        return (
            reference is not None
            and pod.ref.namespace == deployment.ref.namespace
            and reference.name == f"{deployment.ref.name}-{labels.get(HASH_LABEL, '')}"
            and matches_labels(deployment.object.spec.selector, labels)
        )


def _remarks(deployment: Sourced[Deployment], later: int, strays: int) -> list[Finding]:
    remarks = []
    if strays:
        message = f"{counted(strays, 'pod')} of a ReplicaSet that is not in the input taken as its own"
        remarks.append(note("workloads/replicaset-not-read", deployment, message))
    if later > 0:
        message = f"is being rolled out: {counted(later, 'further pod')} later, as older ones go: not planned"
        remarks.append(note("workloads/unfinished-rollout", deployment, message, "spec", "template"))
    return remarks


def _surge(deployment: Sourced[Deployment], total: int) -> int:
    """How many pods a rollout may have beyond the wanted number; a percentage is rounded up."""
    rolling = deployment.object.spec.strategy.rollingUpdate
    surge = rolling.maxSurge if rolling and rolling.maxSurge is not None else _DEFAULT_SURGE
    if isinstance(surge, int):
        return surge
    if not _PERCENTAGE.fullmatch(surge):
        raise bad_field(
            deployment,
            ("spec", "strategy", "rollingUpdate", "maxSurge"),
            f'"{surge}" is neither a number nor a percentage',
            "write it as 1 or as 25%",
        )
    return -(-total * int(surge[:-1]) // 100)


def _comparable(template: PodTemplateSpec) -> PodTemplateSpec:
    labels = {key: value for key, value in (template.metadata.labels or {}).items() if key != HASH_LABEL}
    metadata = structs.replace(template.metadata, labels=labels, annotations=template.metadata.annotations or {})
    return structs.replace(template, metadata=metadata)


def _new_replica_set(deployment: Sourced[Deployment], replicas: int, names: Names) -> Sourced[ReplicaSet]:
    ref = names.plain_or_numbered("ReplicaSet", deployment.ref.namespace, deployment.ref.name)
    hashed = {HASH_LABEL: PLANNED_HASH}
    spec = deployment.object.spec
    selector = spec.selector or LabelSelector()
    template = structs.replace(
        spec.template,
        metadata=structs.replace(spec.template.metadata, labels={**(spec.template.metadata.labels or {}), **hashed}),
    )
    replica_set = ReplicaSet(
        metadata=ObjectMeta(
            name=ref.name,
            namespace=ref.namespace,
            uid=derived_uid(ref),
            labels=template.metadata.labels,
            ownerReferences=[controller_reference(deployment)],
        ),
        spec=ReplicaSetSpec(
            replicas=replicas,
            selector=structs.replace(selector, matchLabels={**(selector.matchLabels or {}), **hashed}),
            template=template,
        ),
    )
    return Sourced(replica_set, ref, deployment.place, deployment.version, made_by=deployment.ref)
