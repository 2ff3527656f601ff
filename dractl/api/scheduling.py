"""Groups of pods that are scheduled together: scheduling.k8s.io/v1beta1 and v1alpha3, which agree in what is here."""

from typing import Any

from dractl.api.base import ApiStruct, Condition, ObjectMeta
from dractl.api.core import PodResourceClaim, PodResourceClaimStatus


class GangSchedulingPolicy(ApiStruct, frozen=True):
    minCount: int = 0


class BasicSchedulingPolicy(ApiStruct, frozen=True):
    """It has no fields."""


class PodGroupSchedulingPolicy(ApiStruct, frozen=True):
    """Exactly one of the two."""

    basic: BasicSchedulingPolicy | None = None
    gang: GangSchedulingPolicy | None = None


class TopologyConstraint(ApiStruct, frozen=True):
    key: str = ""


class PodGroupSchedulingConstraints(ApiStruct, frozen=True):
    topology: list[TopologyConstraint] | None = None


class WorkloadReference(ApiStruct, frozen=True):
    workloadName: str = ""
    templateName: str = ""


class PodGroupSpec(ApiStruct, frozen=True):
    schedulingPolicy: PodGroupSchedulingPolicy = PodGroupSchedulingPolicy()
    schedulingConstraints: PodGroupSchedulingConstraints | None = None
    resourceClaims: list[PodResourceClaim] | None = None
    workloadRef: WorkloadReference | None = None
    parentCompositePodGroupName: str | None = None
    priorityClassName: str = ""
    priority: int | None = None
    preemptionPolicy: str | None = None


class PodGroupStatus(ApiStruct, frozen=True):
    conditions: list[Condition] | None = None
    resourceClaimStatuses: list[PodResourceClaimStatus] | None = None


class PodGroup(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PodGroupSpec = PodGroupSpec()
    status: PodGroupStatus = PodGroupStatus()


class PodGroupTemplate(ApiStruct, frozen=True):
    name: str = ""
    schedulingPolicy: PodGroupSchedulingPolicy = PodGroupSchedulingPolicy()
    schedulingConstraints: PodGroupSchedulingConstraints | None = None
    resourceClaims: list[PodResourceClaim] | None = None
    priorityClassName: str = ""
    priority: int | None = None
    preemptionPolicy: str | None = None


class WorkloadSpec(ApiStruct, frozen=True):
    podGroupTemplates: list[PodGroupTemplate] | None = None
    compositePodGroupTemplates: list[Any] | None = None
    """As they are written: groups of groups are not planned."""


class Workload(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: WorkloadSpec = WorkloadSpec()
