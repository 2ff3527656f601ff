"""The workload kinds of apps/v1 and batch/v1, as far as they decide which pods there will be."""

from dractl.api.base import ApiStruct, Condition, LabelSelector, ObjectMeta
from dractl.api.core import PodTemplateSpec


class ReplicaSetSpec(ApiStruct, frozen=True):
    replicas: int | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()


class ReplicaSet(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ReplicaSetSpec = ReplicaSetSpec()


class ReplicationControllerSpec(ApiStruct, frozen=True):
    replicas: int | None = None
    selector: dict[str, str] | None = None
    template: PodTemplateSpec = PodTemplateSpec()


class ReplicationController(ApiStruct, frozen=True):
    """What ReplicaSets took the place of; it selects by labels alone."""

    metadata: ObjectMeta = ObjectMeta()
    spec: ReplicationControllerSpec = ReplicationControllerSpec()


class RollingUpdateDeployment(ApiStruct, frozen=True):
    maxUnavailable: int | str | None = None
    maxSurge: int | str | None = None


class DeploymentStrategy(ApiStruct, frozen=True):
    type: str = ""
    rollingUpdate: RollingUpdateDeployment | None = None


class DeploymentSpec(ApiStruct, frozen=True):
    replicas: int | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()
    strategy: DeploymentStrategy = DeploymentStrategy()
    paused: bool = False


class Deployment(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: DeploymentSpec = DeploymentSpec()


class PersistentVolumeClaim(ApiStruct, frozen=True):
    """Of the claims for volumes that a StatefulSet makes only the names count: its pods mount them."""

    metadata: ObjectMeta = ObjectMeta()


class StatefulSetOrdinals(ApiStruct, frozen=True):
    start: int = 0


class RollingUpdateStatefulSet(ApiStruct, frozen=True):
    partition: int = 0
    maxUnavailable: int | str | None = None


class StatefulSetUpdateStrategy(ApiStruct, frozen=True):
    type: str = ""
    rollingUpdate: RollingUpdateStatefulSet | None = None


class StatefulSetSpec(ApiStruct, frozen=True):
    replicas: int | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()
    podManagementPolicy: str = ""
    ordinals: StatefulSetOrdinals | None = None
    updateStrategy: StatefulSetUpdateStrategy = StatefulSetUpdateStrategy()
    minReadySeconds: int = 0
    volumeClaimTemplates: list[PersistentVolumeClaim] | None = None


class StatefulSet(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: StatefulSetSpec = StatefulSetSpec()


class RollingUpdateDaemonSet(ApiStruct, frozen=True):
    maxUnavailable: int | str | None = None
    maxSurge: int | str | None = None


class DaemonSetUpdateStrategy(ApiStruct, frozen=True):
    type: str = ""
    rollingUpdate: RollingUpdateDaemonSet | None = None


class DaemonSetSpec(ApiStruct, frozen=True):
    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()
    updateStrategy: DaemonSetUpdateStrategy = DaemonSetUpdateStrategy()
    minReadySeconds: int = 0


class DaemonSet(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: DaemonSetSpec = DaemonSetSpec()


class JobSpec(ApiStruct, frozen=True):
    parallelism: int | None = None
    completions: int | None = None
    completionMode: str | None = None
    backoffLimit: int | None = None
    backoffLimitPerIndex: int | None = None
    suspend: bool | None = None
    managedBy: str | None = None
    podReplacementPolicy: str | None = None
    template: PodTemplateSpec = PodTemplateSpec()


class JobStatus(ApiStruct, frozen=True):
    conditions: list[Condition] | None = None
    succeeded: int | None = None
    failed: int | None = None
    completedIndexes: str = ""
    failedIndexes: str | None = None


class Job(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: JobSpec = JobSpec()
    status: JobStatus = JobStatus()


class JobTemplateSpec(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: JobSpec = JobSpec()


class CronJobSpec(ApiStruct, frozen=True):
    schedule: str = ""
    timeZone: str | None = None
    concurrencyPolicy: str = ""
    startingDeadlineSeconds: int | None = None
    successfulJobsHistoryLimit: int | None = None
    failedJobsHistoryLimit: int | None = None
    suspend: bool | None = None
    jobTemplate: JobTemplateSpec = JobTemplateSpec()


class CronJob(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: CronJobSpec = CronJobSpec()
