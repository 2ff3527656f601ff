"""Pods, and workloads whose pods run for ever (validation.md §14; answers in validate-core)."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from dractl.api.base import LabelSelector, ObjectMeta
from dractl.api.core import Pod, PodTemplateSpec, Service
from dractl.api.selectors import matches_labels
from dractl.api.workload import (
    DaemonSet,
    Deployment,
    DeploymentStrategy,
    ReplicaSet,
    ReplicationController,
    RollingUpdateDeployment,
    StatefulSet,
)
from dractl.validation.choices import one_of
from dractl.validation.containers import RESTART_POLICIES, check_images
from dractl.validation.formats import missing
from dractl.validation.label_selectors import check_label_selector, is_empty
from dractl.validation.merged_keys import check_merged_keys
from dractl.validation.metadata import check_annotations, label_flaws
from dractl.validation.pod_claims import check_mirror
from dractl.validation.pod_spec import check_pod_spec
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below, echoes, invalid

_STRATEGIES: Final = ("Recreate", "RollingUpdate")
_MANAGEMENT: Final = ("OrderedReady", "Parallel")
_PERCENT: Final = re.compile(r"[0-9]+%")
_ALWAYS: Final = "Always"
_EVERYTHING: Final = 100
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
    yield from below(_check_strategy(owner.spec.strategy), "spec", "strategy")


def check_stateful_set(owner: StatefulSet, rulebook: Rulebook) -> Iterator[Violation]:
    """A StatefulSet."""
    spec = owner.spec
    yield from below(at_least_nothing(spec.replicas), "spec", "replicas")
    yield from _check_named(spec.selector)
    # The pods get their own names as host names, so that nobody looks at the template's.
    template = replace(spec.template, spec=replace(spec.template.spec, hostname=""))
    yield from _check_selected(spec.selector, template, rulebook)
    if spec.podManagementPolicy and spec.podManagementPolicy not in _MANAGEMENT:
        message = f'"{spec.podManagementPolicy}" is not known here'
        yield invalid(message, f"write one of {', '.join(_MANAGEMENT)}", "spec", "podManagementPolicy")
    if spec.ordinals is not None:
        yield from below(at_least_nothing(spec.ordinals.start), "spec", "ordinals", "start")


def check_daemon_set(owner: DaemonSet, rulebook: Rulebook) -> Iterator[Violation]:
    """A DaemonSet: where the selector is missing, the server only says that it does not select the labels."""
    yield from _check_selected(owner.spec.selector, owner.spec.template, rulebook, looks_on=True)


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


def check_service(service: Service, _: Rulebook) -> Iterator[Violation]:
    """Which pods a Service is for; of its other fields none is read."""
    yield from below(label_flaws(service.spec.selector), "spec", "selector")


def at_least_nothing(number: int | None) -> Iterator[Violation]:
    """A number that may not be below 0."""
    if number is not None and number < 0:
        yield invalid(f"{number} is less than 0", "write 0 or more")


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


# --- Deployments -----------------------------------------------------------------------------------------------------


def _check_strategy(strategy: DeploymentStrategy) -> Iterator[Violation]:
    """How pods are replaced; an empty type is RollingUpdate."""
    if strategy.type and strategy.type not in _STRATEGIES:
        yield from one_of(strategy.type, _STRATEGIES)
    elif strategy.rollingUpdate is not None:
        if strategy.type == "Recreate":
            message = "with the type Recreate nothing is replaced step by step"
            yield Violation(("rollingUpdate",), ViolationType.FORBIDDEN, message, "take it out")
        else:
            yield from below(_check_steps(strategy.rollingUpdate), "rollingUpdate")


def _check_steps(steps: RollingUpdateDeployment) -> Iterator[Violation]:
    """At most so many pods fewer or more than wanted; absent ones are 25 %."""
    numbers = {"maxUnavailable": steps.maxUnavailable, "maxSurge": steps.maxSurge}
    for field, number in numbers.items():
        if isinstance(number, str) and not _PERCENT.fullmatch(number):
            yield invalid(f'"{number}" is neither a number nor a percentage', 'write it like 1 or "25%"', field)
        elif isinstance(number, int):
            yield from below(at_least_nothing(number), field)
    share = steps.maxUnavailable
    if isinstance(share, str) and _PERCENT.fullmatch(share) and int(share[:-1]) > _EVERYTHING:
        yield invalid(f"{share} are more than all", "write at most 100%", "maxUnavailable")
    if all(number is not None and _amount(number) == 0 for number in numbers.values()):
        yield invalid(
            "no pod may be missing and none be too many", "let one of the two be more than 0", "maxUnavailable"
        )


def _amount(number: int | str) -> int:
    """The number, or that of the percentage; 0 for what is neither."""
    if isinstance(number, int):
        return number
    return int(number[:-1]) if _PERCENT.fullmatch(number) else 0
