"""The parts of core/v1 and scheduling.k8s.io that decide where a pod runs."""

from typing import Any

from dractl.api.base import (
    ApiStruct,
    Condition,
    LabelSelector,
    NodeSelector,
    NodeSelectorTerm,
    ObjectMeta,
    Taint,
    Toleration,
)
from dractl.api.processes import EnvVar, Probe, VolumeMount
from dractl.api.quantity import Quantity

# --- namespaces and nodes --------------------------------------------------------------------------------------------


class Namespace(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()


class NodeSpec(ApiStruct, frozen=True):
    unschedulable: bool = False
    taints: list[Taint] | None = None


class ContainerImage(ApiStruct, frozen=True):
    names: list[str] | None = None
    sizeBytes: int = 0


class NodeStatus(ApiStruct, frozen=True):
    capacity: dict[str, Quantity] | None = None
    allocatable: dict[str, Quantity] | None = None
    conditions: list[Condition] | None = None
    images: list[ContainerImage] | None = None
    declaredFeatures: list[str] | None = None


class Node(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: NodeSpec = NodeSpec()
    status: NodeStatus = NodeStatus()


# --- pods ------------------------------------------------------------------------------------------------------------


class ContainerClaim(ApiStruct, frozen=True):
    """`resources.claims[]`: a pod claim, or one request of it, that the container uses."""

    name: str = ""
    request: str = ""


class ResourceRequirements(ApiStruct, frozen=True):
    limits: dict[str, Quantity] | None = None
    requests: dict[str, Quantity] | None = None
    claims: list[ContainerClaim] | None = None


class ContainerPort(ApiStruct, frozen=True):
    containerPort: int = 0
    hostPort: int = 0
    hostIP: str = ""
    protocol: str = ""
    name: str = ""


class Container(ApiStruct, frozen=True):
    name: str = ""
    image: str = ""
    ports: list[ContainerPort] | None = None
    resources: ResourceRequirements = ResourceRequirements()
    restartPolicy: str | None = None
    imagePullPolicy: str = ""
    terminationMessagePolicy: str = ""
    env: list[EnvVar] | None = None
    volumeMounts: list[VolumeMount] | None = None
    livenessProbe: Probe | None = None
    readinessProbe: Probe | None = None
    startupProbe: Probe | None = None


class PodResourceClaim(ApiStruct, frozen=True):
    """`spec.resourceClaims[]`: exactly one of the two names is set."""

    name: str = ""
    resourceClaimName: str | None = None
    resourceClaimTemplateName: str | None = None


class PreferredSchedulingTerm(ApiStruct, frozen=True):
    weight: int = 0
    preference: NodeSelectorTerm = NodeSelectorTerm()


class NodeAffinity(ApiStruct, frozen=True):
    requiredDuringSchedulingIgnoredDuringExecution: NodeSelector | None = None
    preferredDuringSchedulingIgnoredDuringExecution: list[PreferredSchedulingTerm] | None = None


class PodAffinityTerm(ApiStruct, frozen=True):
    labelSelector: LabelSelector | None = None
    namespaces: list[str] | None = None
    namespaceSelector: LabelSelector | None = None
    topologyKey: str = ""
    matchLabelKeys: list[str] | None = None
    mismatchLabelKeys: list[str] | None = None


class WeightedPodAffinityTerm(ApiStruct, frozen=True):
    weight: int = 0
    podAffinityTerm: PodAffinityTerm = PodAffinityTerm()


class PodAffinity(ApiStruct, frozen=True):
    """Of `affinity.podAffinity` and `affinity.podAntiAffinity` alike."""

    requiredDuringSchedulingIgnoredDuringExecution: list[PodAffinityTerm] | None = None
    preferredDuringSchedulingIgnoredDuringExecution: list[WeightedPodAffinityTerm] | None = None


class Affinity(ApiStruct, frozen=True):
    nodeAffinity: NodeAffinity | None = None
    podAffinity: PodAffinity | None = None
    podAntiAffinity: PodAffinity | None = None


class TopologySpreadConstraint(ApiStruct, frozen=True):
    maxSkew: int = 0
    topologyKey: str = ""
    whenUnsatisfiable: str = ""
    labelSelector: LabelSelector | None = None
    minDomains: int | None = None
    nodeAffinityPolicy: str | None = None
    nodeTaintsPolicy: str | None = None
    matchLabelKeys: list[str] | None = None


class PodSchedulingGate(ApiStruct, frozen=True):
    name: str = ""


class PodSchedulingGroup(ApiStruct, frozen=True):
    podGroupName: str | None = None


class PodSpec(ApiStruct, frozen=True):
    containers: list[Container] | None = None
    initContainers: list[Container] | None = None
    restartPolicy: str = ""
    nodeSelector: dict[str, str] | None = None
    nodeName: str = ""
    hostNetwork: bool = False
    affinity: Affinity | None = None
    schedulerName: str = ""
    tolerations: list[Toleration] | None = None
    priorityClassName: str = ""
    priority: int | None = None
    preemptionPolicy: str | None = None
    overhead: dict[str, Quantity] | None = None
    topologySpreadConstraints: list[TopologySpreadConstraint] | None = None
    schedulingGates: list[PodSchedulingGate] | None = None
    resourceClaims: list[PodResourceClaim] | None = None
    resources: ResourceRequirements | None = None
    schedulingGroup: PodSchedulingGroup | None = None
    hostname: str = ""
    subdomain: str = ""
    dnsPolicy: str = ""
    dnsConfig: Any = None
    """As it is written: only whether it is there counts."""
    volumes: list[Any] | None = None
    """As they are written: of volumes only little is looked at."""
    runtimeClassName: str | None = None
    serviceAccountName: str = ""


class PodResourceClaimStatus(ApiStruct, frozen=True):
    name: str = ""
    resourceClaimName: str | None = None


class ContainerExtendedResourceRequest(ApiStruct, frozen=True):
    containerName: str = ""
    resourceName: str = ""
    requestName: str = ""


class PodExtendedResourceClaimStatus(ApiStruct, frozen=True):
    requestMappings: list[ContainerExtendedResourceRequest] | None = None
    resourceClaimName: str = ""


class ResourceHealth(ApiStruct, frozen=True):
    resourceID: str = ""
    health: str = ""
    message: str | None = None


class ResourceStatus(ApiStruct, frozen=True):
    name: str = ""
    resources: list[ResourceHealth] | None = None


class ContainerStatus(ApiStruct, frozen=True):
    name: str = ""
    allocatedResourcesStatus: list[ResourceStatus] | None = None


class NodeAllocatableResourceAmount(ApiStruct, frozen=True):
    name: str = ""
    quantity: Quantity = Quantity(0)


class NodeAllocatableResourceOverhead(ApiStruct, frozen=True):
    name: str = ""
    perPod: Quantity | None = None
    perContainer: Quantity | None = None


class NodeAllocatableResourceClaimStatus(ApiStruct, frozen=True):
    resourceClaimName: str = ""
    containers: list[str] | None = None
    mapping: list[NodeAllocatableResourceAmount] | None = None
    overhead: list[NodeAllocatableResourceOverhead] | None = None


class PodStatus(ApiStruct, frozen=True):
    phase: str = ""
    reason: str = ""
    message: str = ""
    startTime: str | None = None
    qosClass: str = ""
    conditions: list[Condition] | None = None
    containerStatuses: list[ContainerStatus] | None = None
    resourceClaimStatuses: list[PodResourceClaimStatus] | None = None
    extendedResourceClaimStatus: PodExtendedResourceClaimStatus | None = None
    nominatedNodeName: str = ""
    nodeAllocatableResourceClaimStatuses: list[NodeAllocatableResourceClaimStatus] | None = None


class Pod(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()
    status: PodStatus = PodStatus()


class PodTemplateSpec(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()


class ServicePort(ApiStruct, frozen=True):
    name: str = ""
    protocol: str = ""
    port: int = 0
    targetPort: int | str = 0


class ServiceSpec(ApiStruct, frozen=True):
    selector: dict[str, str] | None = None
    ports: list[ServicePort] | None = None
    type: str = ""
    clusterIP: str = ""
    sessionAffinity: str = ""


class Service(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ServiceSpec = ServiceSpec()


class PriorityClass(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    value: int = 0
    globalDefault: bool = False
    preemptionPolicy: str | None = None


class RuntimeClassOverhead(ApiStruct, frozen=True):
    podFixed: dict[str, Quantity] | None = None


class RuntimeClassScheduling(ApiStruct, frozen=True):
    nodeSelector: dict[str, str] | None = None
    tolerations: list[Toleration] | None = None


class RuntimeClass(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    handler: str = ""
    overhead: RuntimeClassOverhead = RuntimeClassOverhead()
    scheduling: RuntimeClassScheduling = RuntimeClassScheduling()
