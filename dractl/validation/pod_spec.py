"""What a pod asks for, in pods and in templates of pods (validation.md §14; answers in validate-core)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dractl.api.core import PodSchedulingGate, PodSpec, ResourceRequirements
from dractl.api.quantity import Quantity
from dractl.validation.affinity import check_affinity
from dractl.validation.choices import one_of
from dractl.validation.container_resources import check_pod_level, check_resources
from dractl.validation.containers import RESTART_POLICIES, check_containers
from dractl.validation.formats import label, label_key, missing, subdomain
from dractl.validation.lists import repeated
from dractl.validation.metadata import label_flaws
from dractl.validation.mounts import check_volumes
from dractl.validation.node_taints import check_pod_tolerations
from dractl.validation.pod_claims import check_pod_claims
from dractl.validation.rulebook import Rulebook
from dractl.validation.spreading import check_spreading
from dractl.validation.violation import Violation, below, invalid

_PREEMPTION: Final = ("PreemptLowerPriority", "Never")
_DNS_POLICIES: Final = ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")


def check_pod_spec(spec: PodSpec, rulebook: Rulebook) -> Iterator[Violation]:
    """Everything about a pod but its metadata; paths begin at the spec."""
    yield from check_containers(spec)
    yield from below(check_volumes(spec.volumes or ()), "volumes")
    yield from check_pod_claims(spec)
    yield from check_pod_level(spec)
    yield from _check_names(spec)
    yield from below(one_of(spec.restartPolicy, RESTART_POLICIES), "restartPolicy")
    yield from below(label_flaws(spec.nodeSelector), "nodeSelector")
    if spec.affinity is not None:
        yield from below(check_affinity(spec.affinity), "affinity")
    tolerations = check_pod_tolerations(spec.tolerations or (), can_compare=rulebook.tolerates_by_comparison)
    yield from below(tolerations, "tolerations")
    yield from below(check_spreading(spec.topologySpreadConstraints or ()), "topologySpreadConstraints")
    yield from below(check_preemption_policy(spec.preemptionPolicy), "preemptionPolicy")
    yield from check_overhead(spec.overhead)
    yield from below(_check_gates(spec.schedulingGates or ()), "schedulingGates")
    yield from _check_group(spec)


def _check_names(spec: PodSpec) -> Iterator[Violation]:
    for field, name in (("nodeName", spec.nodeName), ("priorityClassName", spec.priorityClassName)):
        if name:
            yield from below(subdomain(name), field)
    if spec.runtimeClassName is not None:
        yield from below(subdomain(spec.runtimeClassName), "runtimeClassName")
    for field, name in (("hostname", spec.hostname), ("subdomain", spec.subdomain)):
        if name:
            yield from below(label(name), field)
    if spec.dnsPolicy:
        yield from below(one_of(spec.dnsPolicy, _DNS_POLICIES), "dnsPolicy")
    if spec.dnsPolicy == "None" and spec.dnsConfig is None:
        yield missing("the configuration that `dnsPolicy: None` needs", "write `dnsConfig: …`").below("dnsConfig")


def check_preemption_policy(policy: str | None) -> Iterator[Violation]:
    """The policy of a pod or of a priority class."""
    if policy == "":
        yield missing("the policy", f"write one of {', '.join(_PREEMPTION)}, or take the field out")
    elif policy is not None:
        yield from one_of(policy, _PREEMPTION)


def check_overhead(overhead: Mapping[str, Quantity] | None) -> Iterator[Violation]:
    """The server takes the overhead for limits of a container, and names it so."""
    if overhead is None:
        return
    for flaw in check_resources(ResourceRequirements(limits=dict(overhead))):
        path = flaw.path[1:] if flaw.path[:1] == ("limits",) else ()
        yield Violation(("overhead", *flaw.path), flaw.type, flaw.message, flaw.remedy, written_at=("overhead", *path))


def _check_gates(gates: Sequence[PodSchedulingGate]) -> Iterator[Violation]:
    for index, gate in enumerate(gates):
        yield from below(label_key(gate.name), index)
    yield from repeated((gate.name for gate in gates), "name")


def _check_group(spec: PodSpec) -> Iterator[Violation]:
    if spec.schedulingGroup is None:
        return
    name = spec.schedulingGroup.podGroupName
    if name is None:
        remedy = "write `podGroupName: …`"
        yield invalid("the pod's group is not named", remedy, "schedulingGroup", "podGroupName")
    else:
        yield from below(subdomain(name), "schedulingGroup", "podGroupName")
