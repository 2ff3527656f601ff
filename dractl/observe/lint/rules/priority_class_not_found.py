"""A pod names a priority class that is not there.

A pod or the template of a workload names a PriorityClass that the input lacks.

Why: the API server refuses a pod whose priority class it does not know; those of a workload are then never made, and
only events of the workload say so.

Example:

    spec: {priorityClassName: system-node-critcal}

Instead: the name of a PriorityClass as it stands in its `metadata.name`. Classes mostly come with the cluster: where
the input has none that were read from one, beside the two that every cluster has, only a name that is almost that of a
class is told.
"""

from collections.abc import Iterator

from dractl.api.core import PriorityClass
from dractl.api.priorities import SYSTEM_PRIORITIES
from dractl.finding import Severity
from dractl.near_misses import did_you_mean
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.dumped import is_dumped
from dractl.observe.lint.rule import Remark, Rule
from dractl.phrases import listed


def check(context: LintContext) -> Iterator[Remark]:
    """Names that are almost those of a class, and any others where the classes of a cluster are known."""
    names = [each.ref.name for each in context.objects.of(PriorityClass)]
    own = [name for name in names if name not in SYSTEM_PRIORITIES]
    known = [*own, *SYSTEM_PRIORITIES]
    is_cluster = bool(own) and is_dumped(context, PriorityClass)
    for pod in context.pod_writings:
        name = pod.spec.priorityClassName
        if not name or name in known or pod.spec.priority is not None:
            continue
        meant = did_you_mean(name, known)
        if (meant or is_cluster) and not context.may_be_unread("PriorityClass", "", name):
            yield Remark(
                f"there is no PriorityClass {name} in the input",
                pod.place.at("priorityClassName"),
                pod.subject,
                meant or f"the input has {listed(own)}",
            )


RULE = Rule(
    "DRA207",
    "priority-class-not-found",
    Severity.WARNING,
    __doc__,
    check,
    covers=("workloads/unknown-priority-class",),
)
