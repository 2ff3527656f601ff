"""Pods, and workloads whose pods run for ever (validation.md §14; answers in validate-core)."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from dractl.api.base import LabelSelector, ObjectMeta
from dractl.api.core import Pod, PodTemplateSpec
from dractl.api.selectors import matches_labels
from dractl.api.workload import (
    DaemonSet,
    Deployment,
    ReplicaSet,
    ReplicationController,
    StatefulSet,
)
from dractl.validation.containers import RESTART_POLICIES, check_images
from dractl.validation.formats import missing
from dractl.validation.label_selectors import check_label_selector, is_empty
from dractl.validation.merged_keys import check_merged_keys
from dractl.validation.metadata import check_annotations, label_flaws
from dractl.validation.numbers import at_least_nothing
from dractl.validation.pod_claims import check_mirror
from dractl.validation.pod_spec import check_pod_spec
from dractl.validation.rulebook import Rulebook
from dractl.validation.updates import check_daemon_update, check_set_update, check_strategy
from dractl.validation.violation import Violation, ViolationType, below, echoes, invalid

_MANAGEMENT: Final = ("OrderedReady", "Parallel")
_ALWAYS: Final = "Always"
_SELECT: Final = "select the labels of the template: `selector: {matchLabels: {…}}`"


def check_pod(pod: Pod, rulebook: Rulebook) -> Iterator[Violation]:
    """A pod that is made by hand."""
    yield from check_mirror(pod.metadata.annotations, pod.spec)
    yield from below(check_pod_spec(pod.spec, rulebook), "spec")
    yield from below(check_images(pod.spec), "spec")
    if pod.spec.nodeName and pod.spec.schedulingGates:
        message = "a pod cannot be on a node while it has scheduling gates"
        remedy = "take `nodeName` out, or the gates"
        yield Violation(("spec", "nodeName"), ViolationType.FORBIDDEN, message, remedy)
    yield from below(check_merged_keys(pod.spec, pod.metadata.labels or {}), "spec")


def check_replica_set(owner: ReplicaSet, rulebook: Rulebook) -> Iterator[Violation]:
    """A ReplicaSet."""
    yield from below(at_least_nothing(owner.spec.replicas), "spec", "replicas")
    yield from _check_named(owner.spec.selector)
    yield from _check_selected(owner.spec.selector, owner.spec.template, rulebook)


def check_deployment(owner: Deployment, rulebook: Rulebook) -> Iterator[Violation]:
    """A Deployment."""
    yield from below(at_least_nothing(owner.spec.replicas), "spec", "replicas")
    yield from _check_named(owner.spec.selector)
    yield from _check_selected(owner.spec.selector, owner.spec.template, rulebook)
    yield from below(check_strategy(owner.spec.strategy), "spec", "strategy")


def check_stateful_set(owner: StatefulSet, rulebook: Rulebook) -> Iterator[Violation]:
    """A StatefulSet."""
    spec = owner.spec
    yield from below(at_least_nothing(spec.replicas), "spec", "replicas")
    yield from _check_named(spec.selector)
    yield from _check_selected(spec.selector, template_of_set(owner), rulebook)
    if spec.podManagementPolicy and spec.podManagementPolicy not in _MANAGEMENT:
        message = f'"{spec.podManagementPolicy}" is not known here'
        yield invalid(message, f"write one of {', '.join(_MANAGEMENT)}", "spec", "podManagementPolicy")
    if spec.ordinals is not None:
        yield from below(at_least_nothing(spec.ordinals.start), "spec", "ordinals", "start")
    yield from below(at_least_nothing(spec.minReadySeconds), "spec", "minReadySeconds")
    yield from below(check_set_update(spec.updateStrategy), "spec", "updateStrategy")


def template_of_set(owner: StatefulSet) -> PodTemplateSpec:
    """The template of a StatefulSet's pods: they get their own names as host names, and the set's claims as volumes."""
    pods = owner.spec.template.spec
    claims = [
        {"name": claim.metadata.name, "persistentVolumeClaim": {"claimName": claim.metadata.name}}
        for claim in owner.spec.volumeClaimTemplates or ()
    ]
    names = {claim["name"] for claim in claims}
    volumes = [volume for volume in pods.volumes or () if volume.get("name") not in names]
    return replace(owner.spec.template, spec=replace(pods, hostname="", subdomain="", volumes=[*volumes, *claims]))


def check_daemon_set(owner: DaemonSet, rulebook: Rulebook) -> Iterator[Violation]:
    """A DaemonSet: where the selector is missing, the server only says that it does not select the labels."""
    yield from _check_selected(owner.spec.selector, owner.spec.template, rulebook, looks_on=True)
    yield from below(at_least_nothing(owner.spec.minReadySeconds), "spec", "minReadySeconds")
    yield from below(check_daemon_update(owner.spec.updateStrategy), "spec", "updateStrategy")


def check_replication_controller(owner: ReplicationController, rulebook: Rulebook) -> Iterator[Violation]:
    """A ReplicationController, whose selector is a mere map of labels; nobody looks at its form."""
    spec = owner.spec
    yield from below(at_least_nothing(spec.replicas), "spec", "replicas")
    if not spec.template.spec.containers and spec.template.metadata == ObjectMeta():
        yield missing("the template", "write `template: …`").below("spec", "template")
        return
    if not spec.selector:
        yield missing("the selector", "give the template labels").below("spec", "selector")
    yield from copied_labels(owner.metadata, spec.template)
    yield from _check_labels(LabelSelector(matchLabels=spec.selector), spec.template)
    yield from _check_lasting(spec.template, rulebook)


# --- templates -------------------------------------------------------------------------------------------------------


def check_template(template: PodTemplateSpec, rulebook: Rulebook) -> Iterator[Violation]:
    """A template of pods; the server leaves `metadata` out where it speaks of labels and annotations."""
    flaws = [*below(label_flaws(template.metadata.labels), "labels"), *check_annotations(template.metadata.annotations)]
    for flaw in flaws:
        yield replace(flaw, written_at=("metadata", *flaw.place))
    yield from below(check_pod_spec(template.spec, rulebook), "spec")
    yield from below(check_merged_keys(template.spec, {}), "spec")


def copied_labels(owner: ObjectMeta, template: PodTemplateSpec) -> Iterator[Violation]:
    """An owner without labels is given those of its template, and the server looks at them twice."""
    if not owner.labels:
        yield from below(echoes(label_flaws(template.metadata.labels)), "metadata", "labels")


def _check_selected(
    selector: LabelSelector | None, template: PodTemplateSpec, rulebook: Rulebook, *, looks_on: bool = False
) -> Iterator[Violation]:
    """Selector and template of a workload whose pods run for ever.

    Behind a selector that cannot be read the server looks no further, unless it `looks_on`.
    """
    flaws = list(check_label_selector(selector))
    yield from below(flaws, "spec", "selector")
    if selector is not None and is_empty(selector):
        yield invalid("an empty selector would take all pods", "select the labels of the template", "spec", "selector")
    elif not flaws:
        yield from _check_labels(selector, template)
    if not flaws or looks_on:
        yield from _check_lasting(template, rulebook)


def _check_named(selector: LabelSelector | None) -> Iterator[Violation]:
    """That there is a selector, and one that can be read: DaemonSets are not asked."""
    if selector is None:
        yield missing("the selector", _SELECT).below("spec", "selector")
    elif any(check_label_selector(selector)):
        yield from echoes([invalid("the selector cannot be read", "", "spec", "selector")])


def _check_labels(selector: LabelSelector | None, template: PodTemplateSpec) -> Iterator[Violation]:
    """The selector selects the labels of the template, or the workload would never find its pods."""
    if matches_labels(selector, template.metadata.labels):
        return
    flaw = invalid("the selector does not select these labels", _SELECT, "spec", "template", "metadata", "labels")
    is_echo = not template.spec.containers and not template.metadata.labels
    yield replace(flaw, is_echo=is_echo, wants=("labels", "matchLabels"))


def _check_lasting(template: PodTemplateSpec, rulebook: Rulebook) -> Iterator[Violation]:
    """A template of pods that are always started again."""
    yield from below(check_template(template, rulebook), "spec", "template")
    policy = template.spec.restartPolicy
    if policy != _ALWAYS:
        message = f"pods of this workload are always started again, never `{policy}`"
        flaw = Violation((), ViolationType.NOT_SUPPORTED, message, "write Always, or use a Job")
        yield replace(flaw, is_echo=policy not in RESTART_POLICIES).below("spec", "template", "spec", "restartPolicy")
