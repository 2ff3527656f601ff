"""What is particular to each kind: the rules for its spec, the form of its name, whether it has a namespace."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from msgspec import Struct

from dractl.api.core import Namespace, Node, Pod, PriorityClass, RuntimeClass, Service
from dractl.api.quota import LimitRange, ResourceQuota
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
from dractl.validation.groups import check_pod_group, check_workload
from dractl.validation.jobs import check_cron_job, check_job
from dractl.validation.nodes import check_namespace, check_node, check_priority_class
from dractl.validation.pool_request import check_pool_request
from dractl.validation.quotas import check_limit_range, check_quota
from dractl.validation.resource_slice import check_slice
from dractl.validation.roles import check_cluster_role, check_cluster_role_binding, check_role, check_role_binding
from dractl.validation.rulebook import Rulebook
from dractl.validation.runtime_class import check_runtime_class
from dractl.validation.services import check_service
from dractl.validation.taint_rule import check_taint_rule
from dractl.validation.violation import Violation
from dractl.validation.workloads import (
    check_daemon_set,
    check_deployment,
    check_pod,
    check_replica_set,
    check_replication_controller,
    check_stateful_set,
)

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
    ReplicationController: KindRules(check_replication_controller),
    ReplicaSet: KindRules(check_replica_set),
    Deployment: KindRules(check_deployment),
    StatefulSet: KindRules(check_stateful_set, name_form=label),
    DaemonSet: KindRules(check_daemon_set),
    Job: KindRules(check_job),
    CronJob: KindRules(check_cron_job),
    PodGroup: KindRules(check_pod_group),
    Workload: KindRules(check_workload),
    Node: KindRules(check_node, is_namespaced=False),
    RuntimeClass: KindRules(check_runtime_class, is_namespaced=False),
    PriorityClass: KindRules(check_priority_class, is_namespaced=False),
    ResourceQuota: KindRules(check_quota),
    LimitRange: KindRules(check_limit_range),
    Namespace: KindRules(check_namespace, name_form=label, is_namespaced=False),
    Service: KindRules(check_service, name_form=label),
    Role: KindRules(check_role, name_form=path_segment),
    RoleBinding: KindRules(check_role_binding, name_form=path_segment),
    ClusterRole: KindRules(check_cluster_role, name_form=path_segment, is_namespaced=False),
    ClusterRoleBinding: KindRules(check_cluster_role_binding, name_form=path_segment, is_namespaced=False),
}


def rules_of(kind: type) -> KindRules:
    """The rules of an API type."""
    return _KINDS.get(kind, _PLAIN)
