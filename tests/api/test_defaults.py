"""What the API server fills in (spec/validation.md §1)."""

# FEATURE: A2

from typing import Any

import pytest

from dractl.api import core, older, resource, workload
from dractl.api.codec import to_api, to_plain
from dractl.api.defaults import with_defaults


def filled(kind: type, data: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(with_defaults(to_api(data, kind)))
    return plain


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ({}, {"allocationMode": "ExactCount", "count": 1}),
        ({"count": 3}, {"allocationMode": "ExactCount", "count": 3}),
        ({"count": 0}, {"allocationMode": "ExactCount", "count": 1}),
        ({"allocationMode": "All"}, {"allocationMode": "All"}),
        (
            {"tolerations": [{"key": "a"}, {"operator": "Exists"}]},
            {
                "allocationMode": "ExactCount",
                "count": 1,
                "tolerations": [{"key": "a", "operator": "Equal"}, {"operator": "Exists"}],
            },
        ),
    ],
)
def test_requests_and_alternatives(written: dict[str, Any], expected: dict[str, Any]) -> None:
    devices = {"requests": [{"exactly": written}, {"firstAvailable": [written]}]}
    requests = [{"exactly": expected}, {"firstAvailable": [expected]}]
    claim = filled(resource.ResourceClaim, {"spec": {"devices": devices}})
    assert claim["spec"]["devices"]["requests"] == requests
    template = filled(resource.ResourceClaimTemplate, {"spec": {"spec": {"devices": devices}}})
    assert template["spec"]["spec"]["devices"]["requests"] == requests


def test_a_flat_request_gets_mode_and_count_only_with_a_class() -> None:
    requests = [{"deviceClassName": "c"}, {"tolerations": [{"key": "a"}]}, {"firstAvailable": [{"name": "x"}]}]
    claim = filled(older.ResourceClaim, {"spec": {"devices": {"requests": requests}}})
    assert claim["spec"]["devices"]["requests"] == [
        {"deviceClassName": "c", "allocationMode": "ExactCount", "count": 1},
        {"tolerations": [{"key": "a", "operator": "Equal"}]},
        {"firstAvailable": [{"name": "x", "allocationMode": "ExactCount", "count": 1}]},
    ]


def test_tolerations_in_allocations() -> None:
    status = {"allocation": {"devices": {"results": [{"request": "r", "tolerations": [{"key": "a"}]}]}}}
    results = filled(resource.ResourceClaim, {"status": status})["status"]["allocation"]["devices"]["results"]
    assert results == [{"request": "r", "tolerations": [{"key": "a", "operator": "Equal"}]}]


def test_pool_requests_are_limited_and_taints_get_no_invented_time() -> None:
    assert filled(resource.ResourcePoolStatusRequest, {"spec": {"driver": "d"}})["spec"]["limit"] == 100
    assert filled(resource.ResourcePoolStatusRequest, {"spec": {"limit": 7}})["spec"]["limit"] == 7
    rule = {"spec": {"taint": {"key": "k", "effect": "NoExecute"}}}
    assert filled(resource.DeviceTaintRule, rule) == rule


POD_SPEC: dict[str, Any] = {
    "hostNetwork": True,
    "resources": {"limits": {"cpu": "4"}},
    "containers": [
        {
            "name": "main",
            "ports": [{"containerPort": 80}, {"containerPort": 81, "hostPort": 8081, "protocol": "UDP"}],
            "resources": {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1"}},
        }
    ],
    "initContainers": [{"name": "init", "resources": {"limits": {"example.com/a": "1"}}}],
}


def check_created_spec(spec: dict[str, Any]) -> None:
    assert spec["restartPolicy"] == "Always"
    assert spec["schedulerName"] == "default-scheduler"
    assert spec["resources"]["requests"] == {"cpu": "1", "memory": "1Gi"}
    (main,) = spec["containers"]
    assert main["resources"]["requests"] == {"cpu": "1", "memory": "1Gi"}
    assert main["ports"] == [
        {"containerPort": 80, "hostPort": 80, "protocol": "TCP"},
        {"containerPort": 81, "hostPort": 8081, "protocol": "UDP"},
    ]
    assert spec["initContainers"][0]["resources"]["requests"] == {"example.com/a": "1"}


def check_template(spec: dict[str, Any]) -> None:
    """Requests and ports of the node are left open until a pod is created."""
    assert spec["restartPolicy"] == "Always"
    assert spec["schedulerName"] == "default-scheduler"
    assert "requests" not in spec["resources"]
    (main,) = spec["containers"]
    assert main["resources"]["requests"] == {"cpu": "1"}
    assert main["ports"] == [
        {"containerPort": 80, "protocol": "TCP"},
        {"containerPort": 81, "hostPort": 8081, "protocol": "UDP"},
    ]


def test_pods() -> None:
    check_created_spec(filled(core.Pod, {"spec": POD_SPEC})["spec"])


@pytest.mark.parametrize(
    "kind", [workload.ReplicaSet, workload.Deployment, workload.StatefulSet, workload.DaemonSet, workload.Job]
)
def test_pod_templates(kind: type) -> None:
    check_template(filled(kind, {"spec": {"template": {"spec": POD_SPEC}}})["spec"]["template"]["spec"])


def test_pod_templates_of_cron_jobs() -> None:
    job = {"spec": {"template": {"spec": POD_SPEC}}}
    spec = filled(workload.CronJob, {"spec": {"jobTemplate": job}})["spec"]["jobTemplate"]["spec"]
    check_template(spec["template"]["spec"])


def test_what_is_written_stays() -> None:
    spec = filled(core.Pod, {"spec": {"restartPolicy": "Never", "schedulerName": "mine", "containers": []}})["spec"]
    assert (spec["restartPolicy"], spec["schedulerName"]) == ("Never", "mine")
    node = core.Node()
    assert with_defaults(node) is node
