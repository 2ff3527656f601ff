"""Pods, workloads, nodes, quotas and roles: what the API server refuses in the fields that are read.

`fixtures/conformance/validate-core.jsonl.gz` has the server's own answers; here is one case of each rule, and what a
user is shown of it.
"""

# FEATURE: A7

import copy
import json
from typing import Any

import pytest

from dractl.manifests import Source, read
from dractl.validation import check
from dractl.validation.cron import check_schedule
from tests.conformance.validate import answer
from tests.oracle.generators.validate_core import GANG, GONE, PREFERRED, RBAC, REQUIRED, SOUND, put
from tests.validation.objects import DEFAULT_GATES

POD_TERM = f"spec|affinity|podAntiAffinity|{REQUIRED}|0"
SPREAD = "spec|topologySpreadConstraints|0"
TOLERATION = "spec|tolerations|0"
MAIN = "spec|containers|0"
LIMIT = "spec|limits|0"


def spoilt(kind: str, changes: dict[str, Any]) -> dict[str, Any]:
    """The sound object of this kind with other values at some paths."""
    data = copy.deepcopy(SOUND[kind])
    for path, value in changes.items():
        put(data, path, value)
    return data


def refused(kind: str, changes: dict[str, Any]) -> set[str]:
    """`Type field` of everything that the server says."""
    errors = answer({"object": spoilt(kind, changes), "whole": True})["errors"]
    return {f"{error['type'].removeprefix('FieldValue')} {error['field']}" for error in errors}


@pytest.mark.parametrize("kind", SOUND)
def test_sound_objects(kind: str) -> None:
    assert refused(kind, {}) == set()


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("spec|containers", [], "Required spec.containers"),
        (f"{MAIN}|name", "A", "Invalid spec.containers[0].name"),
        (f"{MAIN}|name", "side", "Duplicate spec.containers[1].name"),
        ("spec|initContainers|0|name", "side", "Duplicate spec.initContainers[0].name"),
        (f"{MAIN}|image", GONE, "Required spec.containers[0].image"),
        (f"{MAIN}|image", " i", "Invalid spec.containers[0].image"),
        (f"{MAIN}|ports", [{"containerPort": 0}], "Required spec.containers[0].ports[0].containerPort"),
        (f"{MAIN}|ports", [{"containerPort": 70000}], "Invalid spec.containers[0].ports[0].containerPort"),
        (f"{MAIN}|ports", [{"containerPort": 80, "name": "A"}], "Invalid spec.containers[0].ports[0].name"),
        (
            f"{MAIN}|ports",
            [{"containerPort": 80, "protocol": "tcp"}],
            "NotSupported spec.containers[0].ports[0].protocol",
        ),
        (
            f"{MAIN}|ports",
            [{"containerPort": 80, "name": "a"}, {"containerPort": 81, "name": "a"}],
            "Duplicate spec.containers[0].ports[1].name",
        ),
        (f"{MAIN}|imagePullPolicy", "always", "NotSupported spec.containers[0].imagePullPolicy"),
        (f"{MAIN}|env", [{"name": "a=b"}], "Invalid spec.containers[0].env[0].name"),
        (
            f"{MAIN}|env",
            [{"name": "A", "value": "x", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}],
            "Invalid spec.containers[0].env[0].valueFrom",
        ),
        (
            f"{MAIN}|env",
            [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodename"}}}],
            "Invalid spec.containers[0].env[0].valueFrom.fieldRef.fieldPath",
        ),
        (
            f"{MAIN}|env",
            [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpus"}}}],
            "NotSupported spec.containers[0].env[0].valueFrom.resourceFieldRef.resource",
        ),
        (f"{MAIN}|readinessProbe", {}, "Required spec.containers[0].readinessProbe"),
        (
            f"{MAIN}|readinessProbe",
            {"httpGet": {"port": 80}, "periodSeconds": -1},
            "Invalid spec.containers[0].readinessProbe.periodSeconds",
        ),
        (
            f"{MAIN}|livenessProbe",
            {"httpGet": {"port": 80}, "successThreshold": 2},
            "Invalid spec.containers[0].livenessProbe.successThreshold",
        ),
        (
            "spec|initContainers|0|startupProbe",
            {"exec": {"command": ["a"]}},
            "Forbidden spec.initContainers[0].startupProbe",
        ),
        (
            f"{MAIN}|volumeMounts",
            [{"name": "v", "mountPath": "/v"}],
            "NotFound spec.containers[0].volumeMounts[0].name",
        ),
        ("spec|volumes", [{"name": "v", "emptyDir": {}}] * 2, "Duplicate spec.volumes[1].name"),
        ("spec|volumes", [{"name": "v", "emptyDir": {}, "secret": {}}], "Forbidden spec.volumes[0].secret"),
        (
            "spec|volumes",
            [{"name": "v", "hostPath": {"path": "/a", "type": "X"}}],
            "NotSupported spec.volumes[0].hostPath.type",
        ),
        ("spec|dnsPolicy", "default", "NotSupported spec.dnsPolicy"),
        ("spec|dnsPolicy", "None", "Required spec.dnsConfig"),
        ("spec|subdomain", "A", "Invalid spec.subdomain"),
        (f"{MAIN}|restartPolicy", "X", "NotSupported spec.containers[0].restartPolicy"),
        (f"{MAIN}|resources", {"requests": {"cpu": "-1"}}, "Invalid spec.containers[0].resources.requests[cpu]"),
        (f"{MAIN}|resources|requests|cpu", "3", "Invalid spec.containers[0].resources.requests"),
        (f"{MAIN}|resources|requests|gpus", "3", "Invalid spec.containers[0].resources.requests[gpus]"),
        (f"{MAIN}|resources|requests|a.b/gpu", "3", "Required spec.containers[0].resources.limits"),
        ("spec|resources", {"requests": {"cpu": "500m"}}, "Invalid spec.resources.requests[cpu]"),
        ("spec|resources", {"limits": {"cpu": "1"}}, "Invalid spec.resources.containers[0][cpu].limits"),
        ("spec|resources", {"requests": {"storage": "1"}}, "NotSupported spec.resources.requests[storage]"),
        ("spec|restartPolicy", "X", "NotSupported spec.restartPolicy"),
        ("spec|nodeSelector", {"a b": "x"}, "Invalid spec.nodeSelector"),
        ("spec|nodeName", "A", "Invalid spec.nodeName"),
        ("spec|preemptionPolicy", "", "Required spec.preemptionPolicy"),
        ("spec|overhead", {"cpu": "-1"}, "Invalid spec.overhead.limits[cpu]"),
        ("spec|schedulingGates", [{"name": "a"}] * 2, "Duplicate spec.schedulingGates[1]"),
        ("spec|schedulingGroup", {}, "Invalid spec.schedulingGroup.podGroupName"),
        (f"{TOLERATION}|key", "", "Invalid spec.tolerations[0].operator"),
        (f"{TOLERATION}|operator", "Exists", "Invalid spec.tolerations[0].operator"),
        (f"{TOLERATION}|operator", "Gt", "NotSupported spec.tolerations[0].operator"),
        (f"{TOLERATION}|effect", "Evict", "NotSupported spec.tolerations[0].effect"),
        (f"{SPREAD}|maxSkew", 0, "Invalid spec.topologySpreadConstraints[0].maxSkew"),
        (f"{SPREAD}|topologyKey", "", "Required spec.topologySpreadConstraints[0].topologyKey"),
        (f"{SPREAD}|whenUnsatisfiable", "X", "NotSupported spec.topologySpreadConstraints[0].whenUnsatisfiable"),
        (f"{SPREAD}|minDomains", 0, "Invalid spec.topologySpreadConstraints[0].minDomains"),
        (f"{SPREAD}|matchLabelKeys", ["app"], "Invalid spec.topologySpreadConstraints[0][0]"),
        (
            f"spec|affinity|nodeAffinity|{PREFERRED}|0|weight",
            0,
            f"Invalid spec.affinity.nodeAffinity.{PREFERRED}[0].weight",
        ),
        (f"{POD_TERM}|namespaces", ["A"], f"Invalid spec.affinity.podAntiAffinity.{REQUIRED}[0].namespace"),
        (f"{POD_TERM}|topologyKey", "a b", f"Invalid spec.affinity.podAntiAffinity.{REQUIRED}[0].topologyKey"),
    ],
)
def test_pods(path: str, value: Any, expected: str) -> None:
    assert refused("Pod", {path: value}) == {expected}


@pytest.mark.parametrize(
    ("kind", "changes", "expected"),
    [
        ("Deployment", {"spec|replicas": -1}, {"Invalid spec.replicas"}),
        ("Deployment", {"spec|selector": {}}, {"Invalid spec.selector"}),
        ("DaemonSet", {"spec|selector": GONE}, {"Invalid spec.template.metadata.labels"}),
        ("ReplicaSet", {"spec|template|metadata|labels": GONE}, {"Invalid spec.template.metadata.labels"}),
        ("Deployment", {"spec|strategy|type": "X"}, {"NotSupported spec.strategy"}),
        (
            "Deployment",
            {"spec|strategy|rollingUpdate": {"maxSurge": 0, "maxUnavailable": "0%"}},
            {"Invalid spec.strategy.rollingUpdate.maxUnavailable"},
        ),
        (
            "StatefulSet",
            {"spec|template|spec|restartPolicy": "Never"},
            {"NotSupported spec.template.spec.restartPolicy"},
        ),
        ("StatefulSet", {"spec|podManagementPolicy": "X"}, {"Invalid spec.podManagementPolicy"}),
        ("StatefulSet", {"spec|updateStrategy|type": "Rolling"}, {"Invalid spec.updateStrategy"}),
        (
            "StatefulSet",
            {"spec|updateStrategy|rollingUpdate|maxUnavailable": "0%"},
            {"Invalid spec.updateStrategy.rollingUpdate.maxUnavailable"},
        ),
        ("DaemonSet", {"spec|updateStrategy|type": "Rolling"}, {"NotSupported spec.updateStrategy"}),
        (
            "DaemonSet",
            {"spec|updateStrategy|rollingUpdate": {"maxSurge": 1, "maxUnavailable": 1}},
            {"Invalid spec.updateStrategy.rollingUpdate.maxSurge"},
        ),
        (
            "DaemonSet",
            {"spec|updateStrategy|rollingUpdate": {"maxUnavailable": 0}},
            {"Required spec.updateStrategy.rollingUpdate.maxUnavailable"},
        ),
        ("CronJob", {"spec|concurrencyPolicy": "Forbit"}, {"NotSupported spec.concurrencyPolicy"}),
        ("CronJob", {"spec|timeZone": "Local"}, {"Invalid spec.timeZone"}),
        ("RuntimeClass", {"handler": GONE}, {"Required handler"}),
        ("RuntimeClass", {"handler": "runc_rt"}, {"Invalid handler"}),
        ("RuntimeClass", {"overhead|podFixed": {"cpu": "-1"}}, {"Invalid overhead.limits[cpu]"}),
        ("Service", {"spec|ports|0|protocol": "sctp"}, {"NotSupported spec.ports[0].protocol"}),
        ("Service", {"spec|ports": GONE}, {"Required spec.ports"}),
        ("Service", {"spec|type": "Nodeport"}, {"NotSupported spec.type"}),
        (
            "Service",
            {"spec|ports": [{"port": 1}, {"port": 2, "name": "b"}]},
            {"Required spec.ports[0].name"},
        ),
        ("Job", {"spec|completions": -1}, {"Invalid spec.completions"}),
        ("Job", {"spec|backoffLimitPerIndex": 1}, {"Invalid spec.backoffLimitPerIndex"}),
        ("Job", {"spec|template|spec|restartPolicy": GONE}, {"Required spec.template.spec.restartPolicy"}),
        ("Job", {"spec|managedBy": "me"}, {"Invalid spec.managedBy"}),
        (
            "CronJob",
            {"spec|jobTemplate|spec|completionMode": "Indexed"},
            {"Required spec.jobTemplate.spec.completions"},
        ),
        ("CronJob", {"spec|schedule": ""}, {"Required spec.schedule"}),
        ("CronJob", {"metadata|name": "a" * 53}, {"Invalid metadata.name"}),
        ("Node", {"spec|taints": [{"key": "gpu"}]}, {"Required metadata.taints[0].effect"}),
        ("Node", {"spec|taints|1": {"key": "gpu", "effect": "NoSchedule"}}, {"Duplicate metadata.taints[1]"}),
        ("PriorityClass", {"value": 1_000_000_001}, {"Forbidden value"}),
        ("PriorityClass", {"metadata|name": "system-mine"}, {"Forbidden metadata.name"}),
        ("ResourceQuota", {"spec|hard": {"gpus": "1"}}, {"Invalid spec.hard[gpus]"}),
        ("ResourceQuota", {"spec|scopes": ["X"]}, {"Invalid spec.scopes"}),
        (
            "LimitRange",
            {f"{LIMIT}|min|cpu": "5"},
            {f"Invalid spec.limits[0].{each}[cpu]" for each in ("min", "default", "defaultRequest")},
        ),
        ("LimitRange", {f"{LIMIT}|type": "Cpu"}, {"Invalid spec.limits[0].type"}),
        ("Role", {"rules|0|verbs": []}, {"Required rules[0].verbs"}),
        ("Role", {"rules|0": {"verbs": ["get"], "nonResourceURLs": ["/x"]}}, {"Invalid rules[0].nonResourceURLs"}),
        ("ClusterRoleBinding", {"roleRef|kind": "Role"}, {"NotSupported roleRef.kind"}),
        ("ClusterRoleBinding", {"subjects|0|namespace": GONE}, {"Required subjects[0].namespace"}),
        ("RoleBinding", {"subjects|0|apiGroup": RBAC}, {"NotSupported subjects[0].apiGroup"}),
        ("PodGroup", {"spec|schedulingPolicy": {"gang": {}}}, {"Required spec.schedulingPolicy.gang.minCount"}),
        (
            "Workload",
            {"spec|podGroupTemplates|1": {"name": "u", "schedulingPolicy": GANG, "priority": 5}},
            {"Invalid spec"},
        ),
    ],
)
def test_other_kinds(kind: str, changes: dict[str, Any], expected: set[str]) -> None:
    assert refused(kind, changes) == expected


@pytest.mark.parametrize("schedule", ["0 3 * * *", "@daily", "@every 1h30m", "*/5 1-3 1,15 JAN-MAR mon", "? ? ? ? ?"])
def test_schedules(schedule: str) -> None:
    assert list(check_schedule(schedule)) == []


@pytest.mark.parametrize(
    "schedule",
    ["daily", "@never", "* * * *", "60 * * * *", "* * 0 * *", "5-1 * * * *", "*/0 * * * *", "TZ=UTC 0 3 * * *"],
)
def test_what_is_no_schedule(schedule: str) -> None:
    assert len(list(check_schedule(schedule))) == 1


# --- what a user is shown --------------------------------------------------------------------------------------------


def shown(kind: str, changes: dict[str, Any]) -> list[tuple[str, str]]:
    """Where the faults of one object stand, and what the server calls the field."""
    objects = read([Source("test.json", json.dumps(spoilt(kind, changes)).encode())]).objects
    faults, findings = check(objects, DEFAULT_GATES)
    assert findings == []
    assert all(fault.remedy for fault in faults)
    return [("|".join(map(str, fault.place.path)), fault.field) for fault in faults if fault.place is not None]


def test_a_limit_that_is_copied_into_the_requests_is_told_once() -> None:
    assert shown("Pod", {f"{MAIN}|resources": {"limits": {"gpus": "1"}}}) == [
        (f"{MAIN}|resources|limits|gpus", "spec.containers[0].resources.limits[gpus]")
    ]


def test_a_selector_that_cannot_be_read_is_told_once() -> None:
    assert shown("Deployment", {"spec|selector": {"matchExpressions": [{"key": "app", "operator": "Is"}]}}) == [
        ("spec|selector|matchExpressions|0|operator", "spec.selector.matchExpressions[0].operator")
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {
                "spec|volumes": [{"name": "data", "secret": {}}],
                f"{MAIN}|volumeMounts": [{"name": "data", "mountPath": "/d"}],
            },
            ["spec.volumes[0].secret.secretName"],
        ),
        ({f"{MAIN}|volumeMounts": [{"mountPath": "/d"}]}, ["spec.containers[0].volumeMounts[0].name"]),
    ],
)
def test_what_cannot_be_mounted_for_a_reason_that_is_told_is_told_once(
    changes: dict[str, Any], expected: list[str]
) -> None:
    assert [field for _, field in shown("Pod", changes)] == expected


def test_pods_of_a_stateful_set_mount_the_claims_of_the_set() -> None:
    changes = {
        "spec|volumeClaimTemplates": [{"metadata": {"name": "data"}}],
        f"spec|template|{MAIN}|volumeMounts": [{"name": "data", "mountPath": "/d"}],
    }
    assert shown("StatefulSet", changes) == []


@pytest.mark.parametrize(("uid", "expected"), [("", ["two"]), ("u", ["one"])])
def test_of_two_default_priorities_the_one_that_is_there_stays(uid: str, expected: list[str]) -> None:
    classes = [
        {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": name, "uid": uid if name == "two" else ""},
            "value": 1,
            "globalDefault": True,
        }
        for name in ("one", "two")
    ]
    text = "\n---\n".join(json.dumps(each) for each in classes)
    faults, findings = check(read([Source("test.yaml", text.encode())]).objects, DEFAULT_GATES)
    assert findings == []
    assert [(fault.subject, fault.field) for fault in faults] == [
        (f"PriorityClass {name}", "globalDefault") for name in expected
    ]


@pytest.mark.parametrize(
    ("kind", "changes", "place"),
    [
        ("Node", {"spec|taints": [{"key": "gpu", "effect": "X"}]}, "spec|taints|0|effect"),
        ("Pod", {f"{MAIN}|resources|requests|cpu": "3"}, f"{MAIN}|resources|requests|cpu"),
        ("Pod", {"spec|resources": {"limits": {"cpu": "1"}}}, f"{MAIN}|resources|limits|cpu"),
        ("Pod", {f"{SPREAD}|matchLabelKeys": ["app"]}, f"{SPREAD}|matchLabelKeys|0"),
        ("Deployment", {"spec|template|metadata|labels|b": "x y"}, "spec|template|metadata|labels|b"),
        ("Job", {"metadata|name": "a" * 64}, "metadata|name"),
    ],
)
def test_the_place_is_where_the_field_is_written(kind: str, changes: dict[str, Any], place: str) -> None:
    assert [where for where, _ in shown(kind, changes)] == [place]


@pytest.mark.parametrize(
    ("kind", "changes", "place"),
    [
        (
            "Deployment",
            {f"spec|template|{SPREAD}|matchLabelKeys": ["app"]},
            f"spec|template|{SPREAD}|matchLabelKeys|0",
        ),
        ("Job", {f"spec|template|{MAIN}|image": " i"}, f"spec|template|{MAIN}|image"),
        (
            "StatefulSet",
            {"spec|template|spec|nodeName": "n", "spec|template|spec|schedulingGates": [{"name": "a"}]},
            "spec|template|spec|nodeName",
        ),
    ],
)
def test_a_workload_that_is_let_in_and_whose_pods_are_not(kind: str, changes: dict[str, Any], place: str) -> None:
    objects = read([Source("test.json", json.dumps(spoilt(kind, changes)).encode())]).objects
    faults, findings = check(objects, DEFAULT_GATES)
    assert faults == []
    assert [(each.rule, "|".join(map(str, each.place.path))) for each in findings if each.place is not None] == [
        ("workloads/pods-refused", place)
    ]


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "ReplicationController"])
def test_pods_of_sound_workloads_are_let_in(kind: str) -> None:
    assert shown(kind, {}) == []
