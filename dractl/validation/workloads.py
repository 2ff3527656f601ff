"""Pods, what makes pods, and groups of pods: what concerns their claims (validation.md §14)."""

from collections.abc import Iterator
from typing import Any

from dractl.api.core import Pod
from dractl.api.scheduling import PodGroup, Workload
from dractl.api.workload import CronJob
from dractl.validation.pod_claims import check_group_claims, check_mirror, check_pod_claims
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, below


def check_pod(pod: Pod, _: Rulebook) -> Iterator[Violation]:
    """The claims of a pod."""
    yield from check_mirror(pod.metadata.annotations, pod.spec)
    yield from below(check_pod_claims(pod.spec), "spec")


def check_pod_template(workload: Any, _: Rulebook) -> Iterator[Violation]:
    """The claims in the pod template of a workload of any kind but CronJob."""
    yield from below(check_pod_claims(workload.spec.template.spec), "spec", "template", "spec")


def check_cron_job(cron_job: CronJob, rulebook: Rulebook) -> Iterator[Violation]:
    """The claims in the pod template of a job template."""
    yield from below(check_pod_template(cron_job.spec.jobTemplate, rulebook), "spec", "jobTemplate")


def check_pod_group(group: PodGroup, _: Rulebook) -> Iterator[Violation]:
    """The claims that the pods of a group share."""
    yield from below(check_group_claims(group.spec.resourceClaims), "spec", "resourceClaims")


def check_workload(workload: Workload, _: Rulebook) -> Iterator[Violation]:
    """The claims of the groups that a Workload describes."""
    for index, template in enumerate(workload.spec.podGroupTemplates or ()):
        claims = check_group_claims(template.resourceClaims)
        yield from below(claims, "spec", "podGroupTemplates", index, "resourceClaims")
