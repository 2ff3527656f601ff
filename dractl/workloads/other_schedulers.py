"""Pods that another scheduler places: they are named, not planned."""

from dractl.api.core import Pod
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, written
from dractl.api.pods import DEFAULT_SCHEDULER, is_terminal
from dractl.finding import Finding, Severity
from dractl.workloads.steps import Step


def name_other_schedulers(objects: ObjectSet) -> Step:
    """One remark for each pod or workload that waits for a scheduler of another name; the objects stay as they are."""
    findings: dict[ObjectRef, Finding] = {}
    by_ref = {sourced.ref: sourced for sourced in objects}
    for pod in objects.of(Pod):
        spec = pod.object.spec
        if spec.schedulerName in ("", DEFAULT_SCHEDULER) or spec.nodeName or is_terminal(pod.object):
            continue
        subject = written(pod, by_ref).ref
        message = f"is left to scheduler {spec.schedulerName}: not planned"
        place = pod.place.at("spec", "schedulerName")
        finding = Finding("workloads/other-scheduler", Severity.INFO, message, place, str(subject))
        findings.setdefault(subject, finding)
    return Step(objects, tuple(findings.values()))
