"""Jobs and CronJobs (answers in validate-core)."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from dractl.api.base import ObjectMeta
from dractl.api.workload import CronJob, CronJobSpec, Job, JobSpec
from dractl.validation.choices import one_of
from dractl.validation.containers import RESTART_POLICIES
from dractl.validation.cron import check_schedule
from dractl.validation.formats import LONGEST_LABEL, label, label_key, label_value, missing, size, subdomain
from dractl.validation.numbers import at_least_nothing
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below, echoes, invalid
from dractl.validation.workloads import check_template, copied_labels

_MODES: Final = ("NonIndexed", "Indexed")
_REPLACEMENTS: Final = ("Failed", "TerminatingOrFailed")
_ENDING: Final = ("OnFailure", "Never")
_OWN_TIME_ZONE: Final = "Local"
_CONCURRENCY: Final = ("Allow", "Forbid", "Replace")
_MOST_INDEXED: Final = 100_000
LONGEST_CRON_JOB: Final = 52
"""Bytes of a CronJob's name: its Jobs add a time to it."""


def check_job(job: Job, rulebook: Rulebook) -> Iterator[Violation]:
    """A Job; without any numbers one pod is to complete."""
    spec = job.spec
    if spec.completions is None and spec.parallelism is None:
        spec = replace(spec, completions=1, parallelism=1)
    yield from copied_labels(job.metadata, spec.template)
    yield from _check_name(job.metadata, spec)
    yield from below(_check_spec(spec, rulebook), "spec")


def check_cron_job(cron_job: CronJob, rulebook: Rulebook) -> Iterator[Violation]:
    """A CronJob: when, and what is made then."""
    if size(cron_job.metadata.name) > LONGEST_CRON_JOB:
        message = f"the name has {size(cron_job.metadata.name)} bytes: at most {LONGEST_CRON_JOB} are allowed"
        yield invalid(message, "choose a shorter one", "metadata", "name")
    if cron_job.spec.schedule:
        yield from below(check_schedule(cron_job.spec.schedule), "spec", "schedule")
    else:
        yield missing("the schedule", 'write it like `schedule: "0 3 * * *"`').below("spec", "schedule")
    yield from below(_check_runs(cron_job.spec), "spec")
    yield from below(_check_spec(cron_job.spec.jobTemplate.spec, rulebook), "spec", "jobTemplate", "spec")


def _check_runs(spec: CronJobSpec) -> Iterator[Violation]:
    """How a CronJob deals with late, concurrent and finished Jobs; which time zones there are is not looked at."""
    if spec.concurrencyPolicy:
        yield from below(one_of(spec.concurrencyPolicy, _CONCURRENCY), "concurrencyPolicy")
    if spec.timeZone in ("", _OWN_TIME_ZONE):
        yield invalid(f'"{spec.timeZone}" is no time zone', "write one like Europe/Berlin, or take it out", "timeZone")
    for field in ("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"):
        yield from below(at_least_nothing(getattr(spec, field)), field)


def _check_name(metadata: ObjectMeta, spec: JobSpec) -> Iterator[Violation]:
    """The name becomes a label of the pods, and with an index the host name of each of an indexed Job."""
    if label_value(metadata.name):
        message = f"the name becomes a label, which has at most {LONGEST_LABEL} bytes"
        for path in (("spec", "template", "labels"), *([] if metadata.labels else [("metadata", "labels")])):
            yield Violation(
                path,
                ViolationType.INVALID,
                message,
                "choose a shorter one",
                is_echo=path[0] == "metadata" or bool(subdomain(metadata.name)),
                written_at=("metadata", "name"),
            )
    if spec.completionMode == "Indexed" and spec.completions is not None and spec.completions > 0:
        last = f"{metadata.name}-{spec.completions - 1}"
        if label(last):
            message = f"the last pod would be called {last}, which is not a DNS label"
            yield invalid(message, "choose a shorter name without dots", "metadata", "name")


def _check_spec(spec: JobSpec, rulebook: Rulebook) -> Iterator[Violation]:
    yield from below(at_least_nothing(spec.parallelism), "parallelism")
    yield from below(at_least_nothing(spec.completions), "completions")
    yield from below(at_least_nothing(spec.backoffLimit), "backoffLimit")
    yield from below(at_least_nothing(spec.backoffLimitPerIndex), "backoffLimitPerIndex")
    if spec.backoffLimitPerIndex is not None and spec.completionMode != "Indexed":
        message = "without indexes nothing is counted for each"
        yield invalid(message, "write `completionMode: Indexed`, or `backoffLimit`", "backoffLimitPerIndex")
    if spec.completionMode is not None:
        yield from below(one_of(spec.completionMode, _MODES), "completionMode")
    if spec.completionMode == "Indexed":
        yield from _check_indexed(spec)
    if spec.managedBy is not None:
        yield from below(_check_controller(spec.managedBy), "managedBy")
    if spec.podReplacementPolicy is not None:
        yield from below(one_of(spec.podReplacementPolicy, _REPLACEMENTS), "podReplacementPolicy")
    yield from below(check_template(spec.template, rulebook), "template")
    yield from below(_check_restarts(spec.template.spec.restartPolicy), "template", "spec", "restartPolicy")


def _check_indexed(spec: JobSpec) -> Iterator[Violation]:
    if spec.completions is None:
        yield missing("the number of completions", "an indexed Job counts its pods: write `completions: …`").below(
            "completions"
        )
    if spec.parallelism is not None and spec.parallelism > _MOST_INDEXED:
        message = f"{spec.parallelism} indexed pods at a time are too many: at most {_MOST_INDEXED} are allowed"
        yield invalid(message, "lower it", "parallelism")


def _check_controller(name: str) -> Iterator[Violation]:
    domain, slash, _ = name.partition("/")
    if not name:
        yield missing("the controller's name", "take the field out")
    elif not slash or not domain or label_key(name):
        yield invalid(f'"{name}" is not a name with a domain', "write it like example.com/controller")


def _check_restarts(policy: str) -> Iterator[Violation]:
    """What is not written is Always, which a Job cannot have; the API server takes the two for one."""
    if policy == "Always":
        message = "the pods of a Job cannot have the restart policy Always, which is also the default"
        yield Violation((), ViolationType.REQUIRED, message, "write OnFailure or Never: the pods of a Job end")
    elif policy not in RESTART_POLICIES:
        yield from echoes(one_of(policy, _ENDING))
