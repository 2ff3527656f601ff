"""ReplicaSets and ReplicationControllers: `spec.replicas` pods, with nothing to tell them apart (controllers.md §6)."""

from collections.abc import Sequence

from dractl.api.core import Pod
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.pods import is_active
from dractl.api.workload import ReplicaSet, ReplicationController
from dractl.phrases import counted
from dractl.workloads.naming import Names, generate_name
from dractl.workloads.pod_templates import pod_from_template
from dractl.workloads.steps import Made, Step, check_count, make_pods, note


def expand_replica_sets(objects: ObjectSet) -> Step:
    """Add the pods that ReplicaSets lack."""
    return make_pods(objects, ReplicaSet, missing_pods)


def expand_replication_controllers(objects: ObjectSet) -> Step:
    """Add the pods that ReplicationControllers lack: in Kubernetes too they are run by the ReplicaSets' controller."""
    return make_pods(objects, ReplicationController, missing_pods)


def replicas_of(replica_set: ReplicaSet | ReplicationController) -> int:
    """How many pods it wants; one if it does not say."""
    replicas = replica_set.spec.replicas
    return 1 if replicas is None else replicas


def missing_pods(
    owner: Sourced[ReplicaSet] | Sourced[ReplicationController], owned: Sequence[Sourced[Pod]], names: Names
) -> Made:
    """The pods that one of them would create now."""
    active = sum(is_active(pod.object) for pod in owned)
    wanted = replicas_of(owner.object)
    if active > wanted:
        message = f"wants {counted(wanted, 'pod')} and has {active}: which of them it deletes is not planned, all stay"
        return Made(findings=(note("workloads/surplus-pods", owner, message, "spec", "replicas"),))
    check_count(owner, wanted, "spec", "replicas")
    base = generate_name(owner.ref.name)
    refs = [names.numbered("Pod", owner.ref.namespace, base) for _ in range(wanted - active)]
    return Made(tuple(pod_from_template(owner, ref, generate_name=base) for ref in refs))
