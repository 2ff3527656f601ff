"""Kind `schedule`: what kube-scheduler does with the pending pods of a small cluster (scheduling.md)."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from dractl.api.codec import to_api, to_plain
from dractl.api.core import Namespace, Node, Pod, Service
from dractl.api.defaults import with_defaults
from dractl.api.identities import ClaimRef, ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.api.resource import (
    AllocationResult,
    DeviceClass,
    DeviceTaintRule,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourceSlice,
)
from dractl.api.scheduler_configuration import SchedulerConfiguration
from dractl.api.scheduling import PodGroup
from dractl.api.workload import ReplicaSet, StatefulSet
from dractl.cluster.cluster import Cluster
from dractl.errors import Origin, Place
from dractl.gates import gates_of
from dractl.manifests import Source
from dractl.manifests.scheduler_configuration import GROUP, KIND, read_scheduler_configuration
from dractl.planner.kubelets import Kubelets
from dractl.planner.plan import Answer
from dractl.planner.prediction import Predictor
from dractl.solution.outcomes import PodOutcome, Verdict
from dractl.workloads.claims import make_claims

COMPARED: Final = (
    "pod",
    "node",
    "tiedNodes",
    "gated",
    "waiting",
    "deleted",
    "reasonCode",
    "reason",
    "resourceClaims",
    "extendedResourceClaimStatus",
    "nodeAllocatableResourceClaimStatuses",
)
_BASELINE: Final = frozenset(gate.name for gate in gates_of("1.37").values() if gate.default) | {
    "DRADerivedAttributes",
    "DRADeviceCompatibilityGroups",
    "DRAListTypeAttributes",
    "DRANodeAllocatableResources",
    "DRAOptionalNodeOperations",
    "DRAResourcePoolStatus",
    "DRAPartitionableDevicesType",
    "DRAWorkloadResourceClaims",
    "GenericWorkload",
}
_KINDS: Final[Mapping[str, type]] = {
    "nodes": Node,
    "namespaces": Namespace,
    "classes": DeviceClass,
    "slices": ResourceSlice,
    "claims": ResourceClaim,
    "templates": ResourceClaimTemplate,
    "taintRules": DeviceTaintRule,
    "podGroups": PodGroup,
    "services": Service,
    "replicaSets": ReplicaSet,
    "statefulSets": StatefulSet,
    "pods": Pod,
}
_NOW: Final = datetime(2026, 6, 1, tzinfo=UTC)
"""Long after every time in the cases."""

# Which node fails first is not fixed (conformance README).
_CUT: Final = re.compile(r"(on device |add device |for device |resource pool )")


def answer(case_input: Mapping[str, Any]) -> dict[str, Any]:
    """Predict as `dractl plan` does."""
    gates = set(_BASELINE)
    for gate, is_on in case_input.get("featureGates", {}).items():
        gates.add(gate) if is_on else gates.discard(gate)
    objects = make_claims(ObjectSet(_objects(case_input)), gates).objects
    cluster = Cluster.of(objects, gates, _NOW, _configuration(case_input.get("config", {})))
    found = Predictor(cluster, {}, {}, Kubelets({}, cluster.pods)).predict()
    given = {f"{each['metadata']['namespace']}/{each['metadata']['name']}" for each in case_input.get("claims", ())}
    return {
        "pods": [
            *(
                {"pod": str(ref), "node": None, "deleted": True}
                for ref, pod in cluster.pods.items()
                if pod.spec.nodeName and ref in found.preempted
            ),
            *(_pod(outcome, found) for outcome in found.outcomes),
        ],
        "claims": {
            str(ref): _claim(claim, cluster, is_made=str(ref) not in given) for ref, claim in found.claims.items()
        },
    }


def _configuration(config: Mapping[str, Any]) -> SchedulerConfiguration:
    """The case's own configuration of the default profile, or its timeouts alone."""
    given = config.get("configuration")
    if given is None:
        args = {name: config[name] for name in ("bindingTimeout", "filterTimeout") if name in config}
        profile = {"pluginConfig": [{"name": "DynamicResources", "args": args}]}
        given = {"apiVersion": f"{GROUP}/v1", "kind": KIND, "profiles": [profile]}
    reading = read_scheduler_configuration([Source("scheduler.json", msgspec.json.encode(given))])
    assert not reading.faults, reading.faults
    return reading.configuration


def _objects(case_input: Mapping[str, Any]) -> Iterable[Sourced[Any]]:
    place = Place(Origin("case"))
    for key, kind in _KINDS.items():
        for plain in case_input.get(key, ()):
            metadata = dict(plain["metadata"])
            if kind in (Pod, PodGroup):
                name = kind.__name__.lower()
                metadata.setdefault("uid", f"uid-{name}-{metadata['namespace']}-{metadata['name']}")
            given: Any = to_api({**plain, "metadata": metadata}, kind)
            decoded: Any = with_defaults(given)
            if kind is Pod:
                # The oracle's pods did not go through an API server, which fills in requests of the pod as a whole.
                spec = msgspec.structs.replace(decoded.spec, resources=given.spec.resources)
                decoded = msgspec.structs.replace(decoded, spec=spec)
            ref = ObjectRef(kind.__name__, metadata.get("namespace", ""), metadata["name"])
            yield Sourced(decoded, ref, place, "v1")


def _pod(outcome: PodOutcome, found: Answer) -> dict[str, Any]:
    placement = outcome.placement
    plain: dict[str, Any] = {"pod": str(outcome.pod), "node": placement.node if placement is not None else None}
    pod = found.pods.get(outcome.pod) if outcome.preempted_by is None else None
    if outcome.tied:
        plain["tiedNodes"] = list(outcome.tied)
    if outcome.held_by:
        return plain | {"gated": {"plugin": outcome.held_by, "message": outcome.waiting_for}} | _claims_of(pod)
    if outcome.verdict is Verdict.WAITING and placement is not None:
        plain["waiting"] = True
    if outcome.message:
        plain |= {"reasonCode": "SchedulerError" if outcome.is_error else "Unschedulable", "reason": outcome.message}
    return plain | _claims_of(pod)


def _claims_of(pod: Pod | None) -> dict[str, Any]:
    if pod is None:
        return {"deleted": True}
    status = pod.status
    plain: dict[str, Any] = {}
    if status.resourceClaimStatuses:
        plain["resourceClaims"] = {each.name: each.resourceClaimName for each in status.resourceClaimStatuses}
    if status.extendedResourceClaimStatus is not None:
        plain["extendedResourceClaimStatus"] = to_plain(status.extendedResourceClaimStatus)
    if status.nodeAllocatableResourceClaimStatuses:
        plain["nodeAllocatableResourceClaimStatuses"] = to_plain(status.nodeAllocatableResourceClaimStatuses)
    return plain


def _claim(claim: ResourceClaim, cluster: Cluster, *, is_made: bool) -> dict[str, Any]:
    allocation = claim.status.allocation
    held = cluster.claims.get(ClaimRef(claim.metadata.namespace, claim.metadata.name))
    is_new = held is None or held.status.allocation is None
    plain: dict[str, Any] = {"allocation": _allocation(allocation, is_new=is_new) if allocation is not None else None}
    if claim.status.reservedFor:
        plain["reservedFor"] = [f"{each.resource}/{each.name}" for each in claim.status.reservedFor]
    owner = claim.metadata.controller
    if owner is not None and is_made:
        plain["owner"] = f"{owner.kind}/{owner.name}"
    if claim.metadata.annotations and "resource.kubernetes.io/extended-resource-claim" in claim.metadata.annotations:
        plain["spec"] = to_plain(claim.spec)
    return plain


def _allocation(allocation: AllocationResult, *, is_new: bool) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(allocation)
    plain.pop("allocationTimestamp", None)
    for result in plain.get("devices", {}).get("results", ()):
        if is_new and "shareID" in result:
            result["shareID"] = "generated"
    return plain


def first_difference(expect: Mapping[str, Any], answer: Mapping[str, Any], without: frozenset[str]) -> str | None:
    """Every pod in order, then every claim."""
    wanted_pods = [pod["pod"] for pod in expect["pods"]]
    got_pods = [pod["pod"] for pod in answer["pods"]]
    if wanted_pods != got_pods:
        return f"pods: expected {wanted_pods}, got {got_pods}"
    for wanted, got in zip(expect["pods"], answer["pods"], strict=True):
        for field in COMPARED:
            one, other = _comparable(field, wanted), _comparable(field, got)
            if field not in without and one != other:
                return f"{wanted['pod']} {field}: expected {_short(one)}, got {_short(other)}"
    if "claims" in without:
        return None
    for name in sorted({*expect["claims"], *answer["claims"]}):
        one, other = expect["claims"].get(name), answer["claims"].get(name)
        if one != other:
            return f"claim {name}: expected {_short(one)}, got {_short(other)}"
    return None


def _comparable(field: str, pod: Mapping[str, Any]) -> Any:
    value = pod.get(field)
    if field == "tiedNodes":
        return sorted(value or ())
    if field == "reason" and value is not None and pod.get("reasonCode") == "SchedulerError":
        return _CUT.split(value)[0]
    return value


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 400 else text[:400] + "…"
