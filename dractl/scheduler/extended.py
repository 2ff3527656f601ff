"""Extended resources that devices serve: the class of each, and the scheduler's special claim (scheduling.md §6)."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from dractl.api.base import ObjectMeta, OwnerReference
from dractl.api.core import Container, ContainerExtendedResourceRequest, Pod
from dractl.api.identities import ObjectRef, PodRef
from dractl.api.quantity import NANO, Quantity
from dractl.api.resource import (
    DeviceClaim,
    DeviceClass,
    DeviceRequest,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimSpec,
)
from dractl.api.uids import derived_uid
from dractl.cluster.cluster import Cluster
from dractl.cluster.node_state import NodeState
from dractl.cluster.requests import container_requests
from dractl.problem.demands import EXACT_COUNT
from dractl.scheduler.refusal import Code, Plugin, Refused
from dractl.solution.outcomes import NotEnough, SpecialClaim

IMPLICIT_PREFIX: Final = "deviceclass.resource.kubernetes.io/"
SPECIAL_ANNOTATION: Final = "resource.kubernetes.io/extended-resource-claim"


def classes_by_resource(classes: Mapping[str, DeviceClass]) -> dict[str, str]:
    """The class that serves each extended resource.

    Classes arrive by name. Of several with one name the youngest serves it, of equally old ones the first by name; one
    that loses when it arrives gets no implicit name either, as in v1.37.2 (scheduling.md §6.1).
    """
    served: dict[str, str] = {}
    for name in sorted(classes):
        explicit = classes[name].spec.extendedResourceName
        if explicit is not None:
            holder = served.get(explicit)
            if holder is not None and not _wins(classes[name], classes[holder]):
                continue
            served[explicit] = name
        served[IMPLICIT_PREFIX + name] = name
    return served


def _wins(one: DeviceClass, other: DeviceClass) -> bool:
    made, before = one.metadata.creationTimestamp or "", other.metadata.creationTimestamp or ""
    return made > before if made != before else one.metadata.name < other.metadata.name


class ExtendedResources(Struct, frozen=True):
    """A pod's extended resources that classes serve: the class of each, by resource name in order.

    `lost` are implicit names of classes that have lost theirs (scheduling.md §6.1): nobody serves them.
    """

    pod: Pod
    classes: Mapping[str, str]
    lost: tuple[str, ...] = ()

    @classmethod
    def of(cls, pod: Pod, cluster: Cluster) -> "ExtendedResources":
        """Those of which the pod asks for any."""
        asked = container_requests(pod)
        if not any("/" in name for name in asked):
            return cls(pod, {})
        served = classes_by_resource(cluster.classes)
        wanted = [name for name in sorted(asked) if asked[name]]
        lost = [name for name in wanted if name not in served and _class_of(name) in cluster.classes]
        return cls(pod, {name: served[name] for name in wanted if name in served}, tuple(lost))

    def left_to_devices(self, node: NodeState) -> dict[str, str]:
        """The resources that this node's device plugins do not offer."""
        return {
            name: device_class
            for name, device_class in self.classes.items()
            if not (node.allocatable or {}).get(name, 0)
        }

    def refuse(self, node: NodeState) -> Refused | None:
        """An extended resource that neither a class nor the node offers, where resources are not checked before."""
        if node.allocatable is not None:
            return None
        asked = {name: amount for name, amount in container_requests(self.pod).items() if _is_extended(name) and amount}
        missing = next((name for name in asked if name not in self.classes), None)
        if missing is None:
            return None
        reason = NotEnough(missing, Quantity(asked[missing]), Quantity(0))
        return Refused(Plugin.DEVICES, Code.UNRESOLVABLE, (reason,), ("cannot fit resource",))

    def claim_on(self, node: NodeState, ref: PodRef) -> SpecialClaim | None:
        """The claim that the scheduler makes for the pod on this node, or None if device plugins serve everything."""
        left = self.left_to_devices(node)
        if not left:
            return None
        mappings: list[ContainerExtendedResourceRequest] = []
        requests: dict[str, DeviceRequest] = {}
        for resource, device_class in left.items():
            plan = _RequestPlan(self.pod, resource)
            mappings += plan.mappings()
            requests |= {name: _request(name, device_class, count) for name, count in plan.counts().items()}
        ordered = [requests[name] for name in sorted(requests)]
        return SpecialClaim(_special_claim(self.pod, ref, ordered), tuple(mappings))


def _class_of(name: str) -> str:
    """The class that an implicit name is of; nothing for another name."""
    return name.removeprefix(IMPLICIT_PREFIX) if name.startswith(IMPLICIT_PREFIX) else ""


def _is_extended(name: str) -> bool:
    return "/" in name and ("kubernetes.io/" not in name or name.startswith(IMPLICIT_PREFIX))


def _request(name: str, device_class: str, count: int) -> DeviceRequest:
    exactly = ExactDeviceRequest(deviceClassName=device_class, allocationMode=EXACT_COUNT, count=count)
    return DeviceRequest(name=name, exactly=exactly)


def _special_claim(pod: Pod, ref: PodRef, requests: list[DeviceRequest]) -> ResourceClaim:
    uid = pod.metadata.uid or derived_uid(ObjectRef("Pod", ref.namespace, ref.name))
    owner = OwnerReference(
        apiVersion="v1", kind="Pod", name=ref.name, uid=uid, controller=True, blockOwnerDeletion=True
    )
    name = f"{ref.name}-extended-resources-0"
    metadata = ObjectMeta(
        name=name,
        generateName=f"{ref.name}-extended-resources-",
        namespace=ref.namespace,
        uid=derived_uid(ObjectRef("ResourceClaim", ref.namespace, name)),
        annotations={SPECIAL_ANNOTATION: "true"},
        ownerReferences=[owner],
    )
    return ResourceClaim(metadata=metadata, spec=ResourceClaimSpec(devices=DeviceClaim(requests=requests)))


class _Own(Struct, frozen=True):
    """A container's own request: its number among all, and the position of the resource among its requests."""

    container: int
    position: int
    count: int

    @property
    def name(self) -> str:
        return f"container-{self.container}-request-{self.position}"


class _RequestPlan:
    """Which requests the containers of a pod get for one resource (scheduling.md §6.3).

    Long-lived containers (those of the pod and sidecars) have a request each. A short-lived init container reuses the
    requests of long-lived ones that start later; what it lacks it asks for itself, and of all such requests only the
    largest is kept, which the others then share.
    """

    def __init__(self, pod: Pod, resource: str) -> None:
        self._resource: Final = resource
        init = pod.spec.initContainers or []
        self._containers: Final = [*init, *(pod.spec.containers or [])]
        short = {number for number, each in enumerate(init) if each.restartPolicy != "Always"}
        owns = [own for number in range(len(self._containers)) if (own := self._own(number)) is not None]
        self._long: Final = [own for own in owns if own.container not in short]
        self._short: Final = [own for own in owns if own.container in short]
        self._lacking: Final = {own.container: lack for own in self._short if (lack := self._lack(own)) > 0}

    def counts(self) -> dict[str, int]:
        """How many devices each request asks for, by its name."""
        counts = {own.name: own.count for own in self._long}
        kept = self._kept
        if kept is not None:
            counts[kept.name] = self._lacking[kept.container]
        return counts

    def mappings(self) -> Iterator[ContainerExtendedResourceRequest]:
        """Which container uses which request."""
        for own in self._long:
            yield self._mapping(own, own.name)
        kept = self._kept
        for own in self._short:
            for reused in self._reused(own):
                yield self._mapping(own, reused.name)
            if own.container in self._lacking and kept is not None:
                yield self._mapping(own, kept.name)

    @property
    def _kept(self) -> _Own | None:
        """The short-lived container that lacks most; the first of several."""
        lacking = [own for own in self._short if own.container in self._lacking]
        return max(lacking, key=lambda own: self._lacking[own.container], default=None)

    def _lack(self, own: _Own) -> int:
        return own.count - sum(reused.count for reused in self._reused(own))

    def _reused(self, own: _Own) -> list[_Own]:
        """Requests of long-lived containers with a higher number, in order, until they suffice."""
        reused: list[_Own] = []
        for other in self._long:
            if other.container >= own.container and sum(each.count for each in reused) < own.count:
                reused.append(other)
        return reused

    def _own(self, number: int) -> _Own | None:
        requests = _requests(self._containers[number])
        count = requests.get(self._resource, 0)
        return _Own(number, sorted(requests).index(self._resource), count) if count else None

    def _mapping(self, own: _Own, request: str) -> ContainerExtendedResourceRequest:
        return ContainerExtendedResourceRequest(
            containerName=self._containers[own.container].name, resourceName=self._resource, requestName=request
        )


def _requests(container: Container) -> dict[str, int]:
    """Whole units of everything that the container requests."""
    return {name: -(-amount.nano // NANO) for name, amount in (container.resources.requests or {}).items()}
