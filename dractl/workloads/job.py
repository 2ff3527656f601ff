"""Jobs: the pods that run at the same time now; those that follow are named, not planned (controllers.md §6)."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from dractl.api.core import Pod
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pods import is_active, is_terminal
from dractl.api.uids import uid_of
from dractl.api.workload import Job
from dractl.finding import Finding
from dractl.workloads.naming import Names, generate_name
from dractl.workloads.pod_templates import pod_from_template, with_hostname
from dractl.workloads.steps import Made, Step, make_pods, note

INDEX_KEY: Final = "batch.kubernetes.io/job-completion-index"
"""Label and annotation of the pods of an indexed Job."""

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
    busy = [pod for pod in owned if _occupies(owner.object, pod.object)]
    if spec.completionMode == "Indexed":
        return _indexed(owner, owned, busy, names)
    wanted = _parallel(owner.object, owned, len(busy))
    base = generate_name(owner.ref.name)
    refs = [names.numbered("Pod", owner.ref.namespace, base) for _ in range(wanted - len(busy))]
    pods = [pod_from_template(owner, ref, generate_name=base, labels=_labels(owner)) for ref in refs]
    completions = _completions(owner.object)
    left = 0 if completions is None else completions - _succeeded(owner.object, owned) - max(wanted, len(busy))
    return Made(tuple(pods), _later(owner, left))


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


def _succeeded(job: Job, owned: Iterable[Sourced[Pod]]) -> int:
    seen = sum(pod.object.status.phase == "Succeeded" for pod in owned)
    return max(job.status.succeeded or 0, seen)


def _parallel(job: Job, owned: Sequence[Sourced[Pod]], busy: int) -> int:
    """How many pods are to run at the same time now."""
    completions, succeeded = _completions(job), _succeeded(job, owned)
    if completions is None:
        return busy if succeeded else _parallelism(job)
    return min(_parallelism(job), max(0, completions - succeeded))


def _indexed(owner: Sourced[Job], owned: Sequence[Sourced[Pod]], busy: Sequence[Sourced[Pod]], names: Names) -> Made:
    job = owner.object
    completions = _completions(job) or 0
    status = job.status
    unavailable = indexes(status.completedIndexes, completions) | indexes(status.failedIndexes, completions)
    unavailable |= {_index(pod) for pod in owned if pod.object.status.phase == "Succeeded"}
    unavailable |= {_index(pod) for pod in busy}
    open_ones = (index for index in range(completions) if index not in unavailable)
    now = list(islice(open_ones, max(0, _parallelism(job) - len(busy))))
    pods = [_indexed_pod(owner, index, names) for index in now]
    return Made(tuple(pods), _later(owner, completions - len(unavailable - {None}) - len(now)))


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


def indexes(text: str | None, below: int) -> set[int | None]:
    """The numbers in a list as Job status has it, `1,3-5,7`, as far as they are smaller than `below`."""
    found: set[int | None] = set()
    for part in (text or "").split(","):
        first, _, last = part.partition("-")
        if first.isdecimal() and (not last or last.isdecimal()):
            found.update(range(int(first), min(int(last or first) + 1, below)))
    return found


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
    message = f"{pods} more pods follow when these have finished; they are not planned"
    return (note("workloads/later-pods", owner, message, "spec", "completions"),)
