"""CronJobs: their next run as one Job (controllers.md §6)."""

from collections.abc import Sequence

from msgspec import structs

from dractl.api.base import ObjectMeta
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.uids import derived_uid
from dractl.api.workload import CronJob, Job
from dractl.finding import Finding
from dractl.workloads.job import is_finished
from dractl.workloads.naming import Names
from dractl.workloads.owners import Owned, controller_reference
from dractl.workloads.steps import Step, changed, note


def expand_cron_jobs(objects: ObjectSet) -> Step:
    """Add the next run of every CronJob that is not running already."""
    if not objects.of(CronJob):
        return Step(objects)
    jobs, names = Owned(objects.of(Job)), Names(objects)
    behind: dict[ObjectRef, Sequence[Sourced[Job]]] = {}
    findings: list[Finding] = []
    for cron_job in objects.of(CronJob):
        if cron_job.metadata.deletionTimestamp is not None:
            continue
        if cron_job.object.spec.suspend:
            findings.append(note("workloads/suspended", cron_job, "is suspended: it makes no Job", "spec", "suspend"))
        elif all(is_finished(job.object) for job in jobs.by(cron_job)):
            run = _next_run(cron_job, names)
            behind[cron_job.ref] = [run]
            findings.append(note("workloads/next-run", cron_job, f"Job {run.ref.name} is planned as its next run"))
    return Step(changed(objects, behind=behind), tuple(findings))


def _next_run(cron_job: Sourced[CronJob], names: Names) -> Sourced[Job]:
    ref = names.numbered("Job", cron_job.ref.namespace, f"{cron_job.ref.name}-")
    template = cron_job.object.spec.jobTemplate
    metadata = ObjectMeta(
        name=ref.name,
        namespace=ref.namespace,
        uid=derived_uid(ref),
        labels=template.metadata.labels,
        annotations=template.metadata.annotations,
        ownerReferences=[controller_reference(cron_job)],
    )
    job = Job(metadata=metadata, spec=structs.replace(template.spec))
    return Sourced(job, ref, cron_job.place.at("spec", "jobTemplate"), cron_job.version, made_by=cron_job.ref)
