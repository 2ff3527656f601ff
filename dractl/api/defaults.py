"""What the API server fills in before it stores an object, in the object's own version (validation.md §1).

Clock times are not invented: a taint without `timeAdded` stays without. Priorities are resolved elsewhere.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from dractl.api import core, older, resource, workload
from dractl.api.amounts import at_one_time
from dractl.api.base import Toleration

T = TypeVar("T")
Request = TypeVar("Request", resource.ExactDeviceRequest, resource.DeviceSubRequest, older.DeviceRequest)

EXACT_COUNT: Final = "ExactCount"
DEFAULT_SCHEDULER: Final = "default-scheduler"
DEFAULT_POOL_LIMIT: Final = 100
_HUGE_PAGES: Final = "hugepages-"
_OF_PODS: Final = ("cpu", "memory")
"""What pods can have resources of, beside huge pages."""


def with_defaults(obj: T) -> T:
    """The object as the API server would store it; the same object if nothing is missing."""
    fill: Callable[[Any], Any] | None = _FILLERS.get(type(obj))
    return obj if fill is None else fill(obj)


def each(values: list[T] | None, change: Callable[[T], T]) -> list[T] | None:
    """A list with every item changed; no list stays none."""
    return None if values is None else [change(value) for value in values]


# --- claims ----------------------------------------------------------------------------------------------------------


def _claim(claim: resource.ResourceClaim) -> resource.ResourceClaim:
    return replace(claim, spec=_claim_spec(claim.spec), status=_claim_status(claim.status))


def _template(template: resource.ResourceClaimTemplate) -> resource.ResourceClaimTemplate:
    return replace(template, spec=replace(template.spec, spec=_claim_spec(template.spec.spec)))


def _claim_spec(spec: resource.ResourceClaimSpec) -> resource.ResourceClaimSpec:
    return replace(spec, devices=replace(spec.devices, requests=each(spec.devices.requests, _device_request)))


def _device_request(request: resource.DeviceRequest) -> resource.DeviceRequest:
    exactly = None if request.exactly is None else _mode_and_count(request.exactly)
    return replace(request, exactly=exactly, firstAvailable=each(request.firstAvailable, _mode_and_count))


def _mode_and_count(request: Request) -> Request:
    mode = request.allocationMode or EXACT_COUNT
    count = 1 if mode == EXACT_COUNT and request.count == 0 else request.count
    return replace(request, allocationMode=mode, count=count, tolerations=each(request.tolerations, _toleration))


def _toleration(toleration: Toleration) -> Toleration:
    return toleration if toleration.operator else replace(toleration, operator="Equal")


def _claim_status(status: resource.ResourceClaimStatus) -> resource.ResourceClaimStatus:
    allocation = status.allocation
    if allocation is None:
        return status
    results = each(
        allocation.devices.results, lambda result: replace(result, tolerations=each(result.tolerations, _toleration))
    )
    return replace(status, allocation=replace(allocation, devices=replace(allocation.devices, results=results)))


def _older_claim(claim: older.ResourceClaim) -> older.ResourceClaim:
    return replace(claim, spec=_older_claim_spec(claim.spec), status=_claim_status(claim.status))


def _older_template(template: older.ResourceClaimTemplate) -> older.ResourceClaimTemplate:
    return replace(template, spec=replace(template.spec, spec=_older_claim_spec(template.spec.spec)))


def _older_claim_spec(spec: older.ResourceClaimSpec) -> older.ResourceClaimSpec:
    return replace(spec, devices=replace(spec.devices, requests=each(spec.devices.requests, _older_request)))


def _older_request(request: older.DeviceRequest) -> older.DeviceRequest:
    """A flat request without a class gets no mode and no count, else it could not be told from `firstAvailable`."""
    filled = _mode_and_count(request) if request.deviceClassName else request
    return replace(
        filled,
        tolerations=each(request.tolerations, _toleration),
        firstAvailable=each(request.firstAvailable, _mode_and_count),
    )


def _pool_request(request: resource.ResourcePoolStatusRequest) -> resource.ResourcePoolStatusRequest:
    if request.spec.limit is not None:
        return request
    return replace(request, spec=replace(request.spec, limit=DEFAULT_POOL_LIMIT))


# --- pods ------------------------------------------------------------------------------------------------------------


def _pod(pod: core.Pod) -> core.Pod:
    return replace(pod, spec=created_spec(pod_spec(pod.spec)))


def pod_spec(spec: core.PodSpec) -> core.PodSpec:
    """A pod's spec, of a pod or of a template in a workload."""
    return replace(
        spec,
        containers=each(spec.containers, _container),
        initContainers=each(spec.initContainers, _container),
        restartPolicy=spec.restartPolicy or "Always",
        schedulerName=spec.schedulerName or DEFAULT_SCHEDULER,
    )


def _container(container: core.Container) -> core.Container:
    return replace(container, ports=each(container.ports, lambda port: replace(port, protocol=port.protocol or "TCP")))


def created_spec(spec: core.PodSpec) -> core.PodSpec:
    """The same of a pod that is created, with what the server leaves open in templates: requests, ports of the node."""
    container = partial(_created_container, host_network=spec.hostNetwork)
    apps, inits = each(spec.containers, container), each(spec.initContainers, container)
    own = None if spec.resources is None else _pod_level(spec.resources, apps or [], inits or [])
    return replace(spec, containers=apps, initContainers=inits, resources=own)


def _created_container(container: core.Container, *, host_network: bool) -> core.Container:
    """A limit without a request is a request too; in the node's network a port is one of the node."""
    resources = container.resources
    if resources.limits:
        resources = replace(resources, requests={**resources.limits, **(resources.requests or {})})
    ports = each(container.ports, _host_port) if host_network else container.ports
    return replace(container, resources=resources, ports=ports)


def _host_port(port: core.ContainerPort) -> core.ContainerPort:
    return replace(port, hostPort=port.hostPort or port.containerPort)


def _pod_level(
    resources: core.ResourceRequirements, apps: list[core.Container], inits: list[core.Container]
) -> core.ResourceRequirements:
    """What the pod does not request itself: what its containers ask for together, else the limit (kubelet.md §0).

    Huge pages that only containers name are the pod's as well.
    """
    if not resources.limits and not resources.requests:
        return resources
    together = at_one_time(apps, inits, lambda container: container.resources.requests)
    limited = at_one_time(apps, inits, lambda container: container.resources.limits)
    limits, requests = dict(resources.limits or {}), dict(resources.requests or {})
    for name in limited:
        if name.startswith(_HUGE_PAGES) and name not in requests:
            limits.setdefault(name, limited[name])
    for name in _OF_PODS:
        if name in together:
            requests.setdefault(name, together[name])
    for name, limit in limits.items():
        if name in _OF_PODS or name.startswith(_HUGE_PAGES):
            requests.setdefault(name, limit)
    return replace(resources, limits=limits or None, requests=requests or None)


def _workload(owner: Any) -> Any:
    template = owner.spec.template
    return replace(owner, spec=replace(owner.spec, template=replace(template, spec=pod_spec(template.spec))))


def _replication_controller(controller: workload.ReplicationController) -> workload.ReplicationController:
    """Without a selector it selects by the labels of its template."""
    spec = controller.spec
    selector = spec.selector or spec.template.metadata.labels
    filled: workload.ReplicationController = _workload(replace(controller, spec=replace(spec, selector=selector)))
    return filled


def _cron_job(cron_job: workload.CronJob) -> workload.CronJob:
    job_template = cron_job.spec.jobTemplate
    template = job_template.spec.template
    job_spec = replace(job_template.spec, template=replace(template, spec=pod_spec(template.spec)))
    return replace(cron_job, spec=replace(cron_job.spec, jobTemplate=replace(job_template, spec=job_spec)))


_FILLERS: Final[dict[type, Callable[[Any], Any]]] = {
    resource.ResourceClaim: _claim,
    resource.ResourceClaimTemplate: _template,
    older.ResourceClaim: _older_claim,
    older.ResourceClaimTemplate: _older_template,
    resource.ResourcePoolStatusRequest: _pool_request,
    core.Pod: _pod,
    workload.ReplicationController: _replication_controller,
    workload.ReplicaSet: _workload,
    workload.Deployment: _workload,
    workload.StatefulSet: _workload,
    workload.DaemonSet: _workload,
    workload.Job: _workload,
    workload.CronJob: _cron_job,
}
