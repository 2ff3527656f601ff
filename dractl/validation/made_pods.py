"""Workloads that the API server takes, and whose pods it refuses: it fills in more on pods, and looks at more."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dractl.api.core import Pod, PodTemplateSpec
from dractl.api.defaults import created_spec
from dractl.api.workload import CronJob, DaemonSet, Deployment, Job, ReplicaSet, ReplicationController, StatefulSet
from dractl.errors import FieldPath
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, below
from dractl.validation.workloads import check_pod, template_of_set

_TEMPLATE: Final = ("spec", "template")
_TEMPLATES: Final[Mapping[type, FieldPath]] = {
    **dict.fromkeys((ReplicationController, ReplicaSet, Deployment, StatefulSet, DaemonSet, Job), _TEMPLATE),
    CronJob: ("spec", "jobTemplate", *_TEMPLATE),
}


def check_made_pods(owner: Any, rulebook: Rulebook) -> Iterator[Violation]:
    """What is wrong with the pods of a workload that is itself fine; nothing for one that another workload makes."""
    path = _TEMPLATES.get(type(owner))
    if path is None or owner.metadata.controller is not None:
        return
    template: Any = owner
    for step in path:
        template = getattr(template, str(step))
    if isinstance(owner, StatefulSet):
        template = template_of_set(owner)
    yield from below(check_pod(_made_from(template), rulebook), *path)


def _made_from(template: PodTemplateSpec) -> Pod:
    return Pod(metadata=template.metadata, spec=created_spec(template.spec))
