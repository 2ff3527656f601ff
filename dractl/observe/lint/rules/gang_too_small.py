"""A gang that waits for more pods than there are.

The `minCount` of a PodGroup is more than the pods that name the group.

Why: the scheduler holds the pods of a gang back until so many of them are there. They wait for ever, and nothing but
their conditions says so.

Example:

    schedulingPolicy: {gang: {minCount: 3}}      # and two pods with this podGroupName

Instead: a `minCount` that the group reaches, or more pods. The rule is silent about groups without any pods, about
those that CronJobs make pods for or that were read from a cluster, where pods of the namespace name a group that is not
there, and where objects of kinds that are not read may make some.
"""

from collections import Counter
from collections.abc import Iterator

from dractl.api.core import Pod
from dractl.api.scheduling import PodGroup
from dractl.api.workload import CronJob
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.usage import USERS, knows_all_makers
from dractl.phrases import counted


def check(context: LintContext) -> Iterator[Remark]:
    """Every gang that has some pods."""
    if not knows_all_makers(context):
        return
    pods = Counter(
        (pod.metadata.namespace, name) for pod in context.cluster.pods.values() if (name := _group_of(pod)) is not None
    )
    later = {
        (each.namespace, each.spec.schedulingGroup.podGroupName)
        for each in context.pod_writings
        if isinstance(each.source.object, CronJob) and each.spec.schedulingGroup is not None
    }
    groups = context.objects.of(PodGroup)
    known = {(group.ref.namespace, group.ref.name) for group in groups}
    # Pods of a misspelt group are told there, and may be the missing ones.
    with_strangers = {namespace for namespace, name in pods if (namespace, name) not in known}
    for group in groups:
        gang = group.object.spec.schedulingPolicy.gang
        key = (group.ref.namespace, group.ref.name)
        if gang is None or group.metadata.is_dump or key in later or group.ref.namespace in with_strangers:
            continue
        if 0 < pods[key] < gang.minCount:
            place = context.written(group).place.at("spec", "schedulingPolicy", "gang", "minCount")
            message = f"the gang waits for {gang.minCount} pods, and the input has {counted(pods[key], 'pod')} of it"
            yield Remark(message, place, str(group.ref), f"write {pods[key]}, or add pods of the group")


def _group_of(pod: Pod) -> str | None:
    """Finished pods count as well: they were there."""
    return pod.spec.schedulingGroup.podGroupName if pod.spec.schedulingGroup is not None else None


RULE = Rule("DRA213", "gang-too-small", Severity.WARNING, __doc__, check, needs_all=USERS)
