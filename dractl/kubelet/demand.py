"""What a pod asks of the kubelet's resource managers, worked out once (kubelet.md §3, §6, §7, §9)."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from dractl.api.core import Container, Pod, ResourceRequirements
from dractl.api.quantity import Quantity

MEMORY: Final = "memory"
HUGE_PAGES: Final = "hugepages-"
_CPU: Final = "cpu"
_COUNTED_FOR_QOS: Final = (_CPU, MEMORY)

Amounts = tuple[tuple[str, int], ...]
"""Amounts by resource, sorted by name: bytes of memory and huge pages, or numbers of devices."""


class QosClass(StrEnum):
    """A pod's quality of service class."""

    GUARANTEED = "Guaranteed"
    BURSTABLE = "Burstable"
    BEST_EFFORT = "BestEffort"


class Role(StrEnum):
    """What a container is in its pod; a sidecar is an init container that is restarted always."""

    INIT = "init"
    SIDECAR = "sidecar"
    APP = "app"


class ContainerDemand(Struct, frozen=True):
    """One container's exclusive CPUs (0: the shared pool), pinned memory, and devices of device plugins."""

    name: str
    role: Role
    cpus: int
    memory: Amounts
    devices: Amounts

    @property
    def is_init(self) -> bool:
        """Whether it is an init container, a sidecar too."""
        return self.role is not Role.APP


class PodDemand(Struct, frozen=True):
    """What one pod asks for, its containers in the order of allocation: init containers, then app containers.

    Nothing in it names the pod, so that equal pods are equal demands. `cpus`, `memory` and `devices` are what the pod
    as a whole asks for at once. `pod_level` says that it sets `spec.resources`, `pooled` that the managers keep a pool
    of its own for it (both gates on).
    """

    qos: QosClass
    containers: tuple[ContainerDemand, ...]
    cpus: int
    memory: Amounts
    devices: Amounts
    pod_level: bool = False
    pooled: bool = False


class PodLevelGates(Struct, frozen=True):
    """The two gates that pod-level resources depend on."""

    resources: bool = True
    managers: bool = False


def demand_of(pod: Pod, gates: PodLevelGates, device_resources: frozenset[str] = frozenset()) -> PodDemand:
    """A pod after API server defaulting, as the managers see it.

    `device_resources` are the resources that device plugins offer on the node. A pod that sets pod-level resources
    while one of the gates is off gets nothing of its own (kubelet.md §3).
    """
    pod_level = names_pod_level_resources(pod)
    pooled = pod_level and gates.resources and gates.managers
    qos = qos_class(pod, gates)
    guaranteed = qos is QosClass.GUARANTEED and (pooled or not pod_level)
    containers = tuple(
        _container(container, role, guaranteed=guaranteed, pooled=pooled, device_resources=device_resources)
        for container, role in containers_of(pod)
    )
    devices = _largest_together(containers, lambda container: container.devices)
    if pooled:
        requests = _requests(pod.spec.resources)
        cpus = _whole_cpus(requests) if guaranteed else 0
        memory = _more_than_nothing(_memory(requests)) if guaranteed else ()
    else:
        cpus = dict(_largest_together(containers, lambda container: ((_CPU, container.cpus),))).get(_CPU, 0)
        memory = _wanted_by_apps(containers, _largest_together(containers, lambda container: container.memory))
    return PodDemand(qos, containers, cpus, memory, devices, pod_level, pooled)


def containers_of(pod: Pod) -> tuple[tuple[Container, Role], ...]:
    """All containers in the order of allocation, each with its role."""
    first = [(container, _init_role(container)) for container in pod.spec.initContainers or ()]
    return (*first, *((container, Role.APP) for container in pod.spec.containers or ()))


def names_pod_level_resources(pod: Pod) -> bool:
    """Whether `spec.resources` requests or limits CPU, memory or huge pages."""
    resources = pod.spec.resources
    if resources is None:
        return False
    names = {*(resources.requests or ()), *(resources.limits or ())}
    return any(name in _COUNTED_FOR_QOS or name.startswith(HUGE_PAGES) for name in names)


def qos_class(pod: Pod, gates: PodLevelGates) -> QosClass:
    """The class that the pod's status records, else the one that its resources give."""
    if pod.status.qosClass:
        return QosClass(pod.status.qosClass)
    if gates.resources and names_pod_level_resources(pod) and pod.spec.resources is not None:
        return _class_of([pod.spec.resources])
    return _class_of([container.resources for container, _ in containers_of(pod)])


def _class_of(holders: Iterable[ResourceRequirements]) -> QosClass:
    asked: dict[str, int] = {}
    limited: dict[str, int] = {}
    every_holder_limits_both = True
    for holder in holders:
        _add(asked, holder.requests)
        named = _add(limited, holder.limits)
        every_holder_limits_both &= named == len(_COUNTED_FOR_QOS)
    if not asked and not limited:
        return QosClass.BEST_EFFORT
    if every_holder_limits_both and asked == limited:
        return QosClass.GUARANTEED
    return QosClass.BURSTABLE


def _add(sums: dict[str, int], amounts: Mapping[str, Quantity] | None) -> int:
    """Add what counts for the class, and tell how many of its resources are named with more than 0."""
    counted = 0
    for name in _COUNTED_FOR_QOS:
        amount = (amounts or {}).get(name)
        if amount is not None and amount.nano > 0:
            sums[name] = sums.get(name, 0) + amount.nano
            counted += 1
    return counted


def _container(
    container: Container, role: Role, *, guaranteed: bool, pooled: bool, device_resources: frozenset[str]
) -> ContainerDemand:
    own = guaranteed and (not pooled or _is_guaranteed_by_itself(container.resources))
    requests = _requests(container.resources)
    limits = container.resources.limits or {}
    devices = tuple(sorted((name, limits[name].rounded_up()) for name in device_resources & limits.keys()))
    return ContainerDemand(
        container.name,
        role,
        _whole_cpus(requests) if own else 0,
        _memory(requests) if own else (),
        devices,
    )


def _is_guaranteed_by_itself(resources: ResourceRequirements) -> bool:
    requests, limits = _requests(resources), resources.limits or {}
    return all(
        name in requests and requests[name].nano > 0 and requests[name] == limits.get(name) for name in _COUNTED_FOR_QOS
    )


def _requests(resources: ResourceRequirements | None) -> Mapping[str, Quantity]:
    return (resources.requests if resources is not None else None) or {}


def _whole_cpus(requests: Mapping[str, Quantity]) -> int:
    """The CPU request if it is a whole number, else 0; fractions finer than a thousandth are rounded up first."""
    asked = requests.get(_CPU)
    if asked is None or asked.rounded_up() * 1000 != asked.milli_rounded_up():
        return 0
    return asked.rounded_up()


def _memory(requests: Mapping[str, Quantity]) -> Amounts:
    return tuple(
        sorted(
            (name, amount.rounded_up())
            for name, amount in requests.items()
            if name == MEMORY or name.startswith(HUGE_PAGES)
        )
    )


def _more_than_nothing(amounts: Amounts) -> Amounts:
    return tuple((name, amount) for name, amount in amounts if amount)


def _largest_together(
    containers: tuple[ContainerDemand, ...], amounts: Callable[[ContainerDemand], Amounts]
) -> Amounts:
    """Per resource, the most that is held at one time: sidecars stay, other init containers run one by one (§3)."""
    sidecars: dict[str, int] = {}
    apps: dict[str, int] = {}
    peak: dict[str, int] = {}
    for container in containers:
        for name, amount in amounts(container):
            if container.role is Role.INIT:
                peak[name] = max(peak.get(name, 0), sidecars.get(name, 0) + amount)
            else:
                sums = sidecars if container.role is Role.SIDECAR else apps
                sums[name] = sums.get(name, 0) + amount
    names = sorted({*sidecars, *apps, *peak})
    return tuple((name, max(peak.get(name, 0), sidecars.get(name, 0) + apps.get(name, 0))) for name in names)


def _wanted_by_apps(containers: tuple[ContainerDemand, ...], totals: Amounts) -> Amounts:
    """What only init containers ask for makes no hint for the whole pod (kubelet.md §6.4)."""
    named = {name for container in containers if container.role is Role.APP for name, _ in container.memory}
    return tuple((name, amount) for name, amount in totals if name in named)


def _init_role(container: Container) -> Role:
    return Role.SIDECAR if container.restartPolicy == "Always" else Role.INIT
