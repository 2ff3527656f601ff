"""Jobs: the pods that run at the same time now; those that follow are named, not planned (controllers.md §6)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from dractl.api.core import Pod
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pods import is_active, is_terminal
from dractl.api.uids import uid_of
from dractl.api.workload import Job
from dractl.finding import Finding
from dractl.phrases import counted
from dractl.workloads.naming import Names, generate_name
from dractl.workloads.pod_templates import pod_from_template, with_hostname
from dractl.workloads.steps import Made, Step, check_count, make_pods, note

INDEX_KEY: Final = "batch.kubernetes.io/job-completion-index"
"""Label and annotation of the pods of an indexed Job."""

_FAILURES: Final = 6
"""How many pods of a Job may fail if it does not say; where it counts failures by index, any number may."""

_CONTROLLER: Final = "kubernetes.io/job-controller"


def expand_jobs(objects: ObjectSet) -> Step:
    """Add the pods that Jobs would have running now."""
    return make_pods(objects, Job, missing_pods)


def is_finished(job: Job) -> bool:
    """Whether the Job is complete or has failed for good."""
    return any(
        condition.type in ("Complete", "Failed") and condition.status == "True"
        for condition in job.status.conditions or ()
    )


def replacements(job: Job) -> int | None:
    """How many pods at most the Job still makes in place of failed ones; None where it limits them by index only.

    The failure that is one too many ends the Job. Failures of a `podFailurePolicy` that do not count are left aside.
    """
    limit = job.spec.backoffLimit
    if limit is None:
        if job.spec.backoffLimitPerIndex is not None:
            return None
        limit = _FAILURES
    return max(0, limit - (job.status.failed or 0))


def missing_pods(owner: Sourced[Job], owned: Sequence[Sourced[Pod]], names: Names) -> Made:
    """The pods that one Job would create now."""
    spec = owner.object.spec
    if is_finished(owner.object):
        return Made()
    if spec.suspend:
        return _nothing(owner, "workloads/suspended", "is suspended: it makes no pods", "suspend")
    if spec.managedBy not in (None, _CONTROLLER):
        return _nothing(
            owner,
            "workloads/managed-elsewhere",
            f"is managed by {spec.managedBy}: its pods are not planned",
            "managedBy",
        )
    check_count(owner, _at_most(owner.object), "spec", "parallelism")
    busy = [pod for pod in owned if _occupies(owner.object, pod.object)]
    make = _indexed if spec.completionMode == "Indexed" else _equal
    return make(owner, owned, busy, names)


def _nothing(owner: Sourced[Job], rule: str, message: str, field: str) -> Made:
    return Made(findings=(note(rule, owner, message, "spec", field),))


def _occupies(job: Job, pod: Pod) -> bool:
    """Whether the pod takes one of the places that run at the same time; a terminating one may still do."""
    waits_for_the_end = job.spec.podReplacementPolicy == "Failed"
    return is_active(pod) or (waits_for_the_end and not is_terminal(pod))


def _completions(job: Job) -> int | None:
    """How many pods must succeed; None for a work queue, which ends with its first success."""
    spec = job.spec
    return 1 if spec.completions is None and spec.parallelism is None else spec.completions


def _parallelism(job: Job) -> int:
    return 1 if job.spec.parallelism is None else job.spec.parallelism


def _at_most(job: Job) -> int:
    """How many pods ever run at the same time."""
    completions = _completions(job)
    return _parallelism(job) if completions is None else min(_parallelism(job), completions)


def _succeeded(job: Job, owned: Iterable[Sourced[Pod]]) -> int:
    seen = sum(pod.object.status.phase == "Succeeded" for pod in owned)
    return max(job.status.succeeded or 0, seen)


def _parallel(job: Job, owned: Sequence[Sourced[Pod]], busy: int) -> int:
    """How many pods are to run at the same time now."""
    completions, succeeded = _completions(job), _succeeded(job, owned)
    if completions is None:
        return busy if succeeded else _parallelism(job)
    return min(_parallelism(job), max(0, completions - succeeded))


def _equal(owner: Sourced[Job], owned: Sequence[Sourced[Pod]], busy: Sequence[Sourced[Pod]], names: Names) -> Made:
    """Pods of a Job that tells them not apart."""
    job = owner.object
    wanted = _parallel(job, owned, len(busy))
    base = generate_name(owner.ref.name)
    refs = [names.numbered("Pod", owner.ref.namespace, base) for _ in range(wanted - len(busy))]
    pods = [pod_from_template(owner, ref, generate_name=base, labels=_labels(owner)) for ref in refs]
    completions = _completions(job)
    left = 0 if completions is None else completions - _succeeded(job, owned) - max(wanted, len(busy))
    return Made(tuple(pods), _later(owner, left))


def _indexed(owner: Sourced[Job], owned: Sequence[Sourced[Pod]], busy: Sequence[Sourced[Pod]], names: Names) -> Made:
    job = owner.object
    succeeded = [pod for pod in owned if pod.object.status.phase == "Succeeded"]
    taken = [index for index in map(_index, (*busy, *succeeded)) if index is not None]
    closed = [*index_ranges(job.status.completedIndexes), *index_ranges(job.status.failedIndexes)]
    gaps = list(gaps_between([*closed, *(range(index, index + 1) for index in taken)], _completions(job) or 0))
    now = list(islice(chain.from_iterable(gaps), max(0, _parallelism(job) - len(busy))))
    pods = [_indexed_pod(owner, index, names) for index in now]
    return Made(tuple(pods), _later(owner, sum(map(len, gaps)) - len(now)))


def _indexed_pod(owner: Sourced[Job], index: int, names: Names) -> Sourced[Pod]:
    hostname = f"{owner.ref.name}-{index}"
    base = generate_name(hostname)
    mark = {INDEX_KEY: str(index)}
    return pod_from_template(
        owner,
        names.numbered("Pod", owner.ref.namespace, base),
        generate_name=base,
        labels={**_labels(owner), **mark},
        annotations=mark,
        spec=with_hostname(owner.object.spec.template.spec, hostname),
    )


def _index(pod: Sourced[Pod]) -> int | None:
    written = (pod.metadata.annotations or {}).get(INDEX_KEY) or (pod.metadata.labels or {}).get(INDEX_KEY) or ""
    return int(written) if written.isdecimal() else None


def index_ranges(text: str | None) -> Iterator[range]:
    """The ranges in a list as Job status has it, `1,3-5,7`."""
    for part in (text or "").split(","):
        first, _, last = part.partition("-")
        if first.isdecimal() and (not last or last.isdecimal()):
            yield range(int(first), int(last or first) + 1)


def gaps_between(ranges: Iterable[range], end: int) -> Iterator[range]:
    """What is left of 0 up to `end` without the ranges, however long they are."""
    start = 0
    for each in sorted(ranges, key=lambda each: each.start):
        if start < min(each.start, end):
            yield range(start, min(each.start, end))
        start = max(start, each.stop)
    if start < end:
        yield range(start, end)


def _labels(owner: Sourced[Job]) -> dict[str, str]:
    uid = uid_of(owner)
    return {
        "batch.kubernetes.io/controller-uid": uid,
        "batch.kubernetes.io/job-name": owner.ref.name,
        "controller-uid": uid,
        "job-name": owner.ref.name,
    }


def _later(owner: Sourced[Job], pods: int) -> tuple[Finding, ...]:
    if pods <= 0:
        return ()
    if not _parallelism(owner.object):
        message = f"{counted(pods, 'pod')} not made while parallelism is 0"
    else:
        message = f"{counted(pods, 'further pod')} later, as those at work finish: not planned"
    return (note("workloads/later-pods", owner, message, "spec", "completions"),)
