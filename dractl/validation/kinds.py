"""What is particular to each kind: the rules for its spec, the form of its name, whether it has a namespace."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from msgspec import Struct

from dractl.api.core import Namespace, Node, Pod, PriorityClass, Service
from dractl.api.rbac import ClusterRole, ClusterRoleBinding, Role, RoleBinding
from dractl.api.resource import (
    DeviceClass,
    DeviceTaintRule,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourcePoolStatusRequest,
    ResourceSlice,
)
from dractl.api.scheduling import PodGroup, Workload
from dractl.api.workload import CronJob, DaemonSet, Deployment, Job, ReplicaSet, ReplicationController, StatefulSet
from dractl.validation.claim import check_claim, check_template
from dractl.validation.device_class import check_device_class
from dractl.validation.formats import Flaws, label, path_segment, subdomain
from dractl.validation.pool_request import check_pool_request
from dractl.validation.resource_slice import check_slice
from dractl.validation.rulebook import Rulebook
from dractl.validation.taint_rule import check_taint_rule
from dractl.validation.violation import Violation
from dractl.validation.workloads import check_cron_job, check_pod, check_pod_group, check_pod_template, check_workload

SpecRule: TypeAlias = Callable[[Any, Rulebook], Iterable[Violation]]


class KindRules(Struct, frozen=True):
    """The rules of one kind. `looks_at_generate_name` is false where the server only looks at the name itself."""

    check_spec: SpecRule | None = None
    name_form: Callable[[str], Flaws] = subdomain
    is_namespaced: bool = True
    looks_at_generate_name: bool = True


_PLAIN: Final = KindRules()
"""Of a kind of which dractl checks the metadata only."""

_KINDS: Final[dict[type, KindRules]] = {
    DeviceClass: KindRules(check_device_class, is_namespaced=False, looks_at_generate_name=False),
    ResourceClaim: KindRules(check_claim),
    ResourceClaimTemplate: KindRules(check_template),
    ResourceSlice: KindRules(check_slice, is_namespaced=False),
    DeviceTaintRule: KindRules(check_taint_rule, is_namespaced=False),
    ResourcePoolStatusRequest: KindRules(check_pool_request, is_namespaced=False),
    Pod: KindRules(check_pod),
    CronJob: KindRules(check_cron_job),
    **dict.fromkeys(
        (ReplicationController, ReplicaSet, Deployment, StatefulSet, DaemonSet, Job), KindRules(check_pod_template)
    ),
    PodGroup: KindRules(check_pod_group),
    Workload: KindRules(check_workload),
    **dict.fromkeys((Node, PriorityClass), KindRules(is_namespaced=False)),
    Namespace: KindRules(name_form=label, is_namespaced=False),
    Service: KindRules(name_form=label),
    **dict.fromkeys((Role, RoleBinding), KindRules(name_form=path_segment)),
    **dict.fromkeys((ClusterRole, ClusterRoleBinding), KindRules(name_form=path_segment, is_namespaced=False)),
}


def rules_of(kind: type) -> KindRules:
    """The rules of an API type."""
    return _KINDS.get(kind, _PLAIN)
