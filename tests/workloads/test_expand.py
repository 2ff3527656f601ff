# FEATURE: A3
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dractl.api.core import Pod
from dractl.api.objects import ObjectSet
from dractl.api.resource import ResourceClaim
from dractl.workloads import expand
from tests.workloads.world import claim, documents, expanded, pod

NAMES = st.sampled_from(["a", "b", "a-0", "b-1"])
TEMPLATES = st.sampled_from(["t", "t-0", "none"])
COUNTS = st.none() | st.integers(0, 3)


@st.composite
def pod_specs(draw: st.DrawFn) -> dict[str, Any]:
    entries = draw(
        st.lists(st.tuples(st.sampled_from(["x", "y", "z"]), TEMPLATES), max_size=2, unique_by=lambda e: e[0])
    )
    spec: dict[str, Any] = {
        "resourceClaims": [{"name": name, "resourceClaimTemplateName": template} for name, template in entries],
        "nodeName": draw(st.sampled_from(["", "", "n1", "n2"])),
    }
    if draw(st.booleans()):
        spec["priorityClassName"] = draw(st.sampled_from(["high", "none", "system-node-critical"]))
    return spec


def owner(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        return {}
    kind = draw(st.sampled_from(["ReplicaSet", "StatefulSet", "DaemonSet", "Job", "Deployment", "CronJob"]))
    reference: dict[str, Any] = {"kind": kind, "name": draw(NAMES), "controller": True}
    if draw(st.booleans()):
        reference["uid"] = "u"
    return {"ownerReferences": [reference]}


def metadata(draw: st.DrawFn, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {"name": name, **owner(draw)}
    if draw(st.booleans()):
        found["uid"] = draw(st.sampled_from(["u", "v", "w"]))
    if draw(st.integers(0, 5)) == 0:
        found["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    return found


@st.composite
def pods(draw: st.DrawFn, name: str) -> dict[str, Any]:
    status: dict[str, Any] = {"phase": draw(st.sampled_from(["", "Pending", "Running", "Succeeded", "Failed"]))}
    if draw(st.booleans()):
        status["resourceClaimStatuses"] = [{"name": "x", "resourceClaimName": draw(st.sampled_from(["a-x", "b-1-x"]))}]
    return {"kind": "Pod", "metadata": metadata(draw, name), "spec": draw(pod_specs()), "status": status}


@st.composite
def claims(draw: st.DrawFn, name: str) -> dict[str, Any]:
    found = metadata(draw, name)
    found["annotations"] = {"resource.kubernetes.io/pod-claim-name": draw(st.sampled_from(["x", "y"]))}
    if draw(st.booleans()):
        reference = {"kind": "Pod", "name": draw(NAMES), "controller": True, "uid": draw(st.sampled_from(["u", "v"]))}
        found["ownerReferences"] = [reference]
    if draw(st.booleans()):
        found["finalizers"] = ["resource.kubernetes.io/delete-protection"]
    consumers = draw(st.lists(st.tuples(NAMES, st.sampled_from(["u", "v"])), max_size=2))
    reserved = [{"resource": "pods", "name": consumer, "uid": uid} for consumer, uid in consumers]
    return {"kind": "ResourceClaim", "metadata": found, "status": {"reservedFor": reserved, "allocation": {}}}


@st.composite
def workloads(draw: st.DrawFn, kind: str, name: str) -> dict[str, Any]:
    template: dict[str, Any] = {"spec": draw(pod_specs())}
    spec: dict[str, Any] = {"template": template}
    if kind in ("Job", "CronJob"):
        spec |= {"parallelism": draw(COUNTS), "completions": draw(COUNTS)}
        spec |= {"completionMode": draw(st.sampled_from([None, "Indexed"])), "suspend": draw(st.booleans())}
    elif kind != "DaemonSet":
        spec["replicas"] = draw(COUNTS)
    if kind == "StatefulSet":
        spec["podManagementPolicy"] = draw(st.sampled_from(["", "Parallel"]))
    if kind == "Deployment":
        spec |= {"strategy": {"type": draw(st.sampled_from(["", "Recreate"]))}, "paused": draw(st.booleans())}
    if kind == "CronJob":
        spec = {"jobTemplate": {"spec": spec}}
    return {"kind": kind, "metadata": metadata(draw, name), "spec": spec}


@st.composite
def worlds(draw: st.DrawFn) -> ObjectSet:
    kinds = ["ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "Pod", "ResourceClaim"]
    chosen = draw(st.lists(st.tuples(st.sampled_from(kinds), NAMES), max_size=6, unique=True))
    found: list[dict[str, Any]] = [
        {"kind": "ResourceClaimTemplate", "metadata": {"name": "t"}},
        {"kind": "PriorityClass", "metadata": {"name": "high"}, "value": 5},
        {"kind": "ResourceSlice", "metadata": {"name": "s"}, "spec": {"nodeName": "n1"}},
    ]
    for kind, name in chosen:
        if kind == "Pod":
            found.append(draw(pods(name)))
        elif kind == "ResourceClaim":
            found.append(draw(claims(name)))
        else:
            found.append(draw(workloads(kind, name)))
    return documents(_without_nulls(each) for each in found)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value


@settings(deadline=None)
@given(worlds())
def test_expanding_again_changes_nothing(world: ObjectSet) -> None:
    once = expand(world)
    again = expand(once.objects)
    assert list(again.objects) == list(once.objects)
    assert (again.waiting, again.after) == (once.waiting, once.after)


@settings(deadline=None)
@given(worlds())
def test_every_object_has_a_name_of_its_own(world: ObjectSet) -> None:
    refs = [sourced.ref for sourced in expand(world).objects]
    assert len(set(refs)) == len(refs)


@settings(deadline=None)
@given(worlds())
def test_what_is_recorded_for_a_pod_exists_and_is_its_own(world: ObjectSet) -> None:
    result = expand(world)
    by_ref = {(each.ref.namespace, each.ref.name): each for each in result.objects.of(ResourceClaim)}
    for made in (each for each in result.objects.of(Pod) if each.made_by is not None):
        for status in made.object.status.resourceClaimStatuses or ():
            owner_of_claim = by_ref[made.ref.namespace, status.resourceClaimName or ""].metadata.controller
            assert owner_of_claim is not None
            assert owner_of_claim.uid == made.metadata.uid


def test_a_namespace_is_carried_from_workload_to_pod_to_claim() -> None:
    result = expanded("""
kind: ReplicaSet
metadata: {name: r, namespace: far}
spec: {template: {spec: {resourceClaims: [{name: x, resourceClaimTemplateName: t}]}}}
---
kind: ResourceClaimTemplate
metadata: {name: t, namespace: far}
""")
    assert pod(result, "r-0").metadata.namespace == "far"
    assert claim(result, "r-0-x").ref.namespace == "far"
