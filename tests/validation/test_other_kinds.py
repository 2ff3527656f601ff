"""Metadata of any kind, classes, taint rules, questions about pools, pods and groups (spec/validation.md §4 to §14)."""

# FEATURE: A7

from typing import Any

import pytest

from dractl.api.core import Namespace, Node, Pod
from dractl.api.rbac import ClusterRole, ClusterRoleBinding, Role, RoleBinding
from dractl.api.resource import DeviceClass, DeviceTaintRule, ResourceClaim, ResourcePoolStatusRequest
from dractl.api.scheduling import PodGroup, Workload
from dractl.api.workload import CronJob, Deployment
from tests.validation.objects import said

CONTAINER = {"name": "c", "image": "i"}
OWNER = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"name": "a.b", "namespace": "n", "labels": {"a.b/c": ""}, "annotations": {"A.b/C": "x"}}, set()),
        ({}, {("Required", "name")}),
        ({"name": "A"}, {("Invalid", "name")}),
        ({"generateName": "a-"}, set()),
        ({"generateName": "A-"}, {("Invalid", "generateName")}),
        ({"name": "a", "namespace": "a.b"}, {("Invalid", "namespace")}),
        ({"name": "a", "labels": {"a b": "x"}}, {("Invalid", "labels")}),
        ({"name": "a", "labels": {"a": "x y"}}, {("Invalid", "labels")}),
        ({"name": "a", "annotations": {"a b": "x"}}, {("Invalid", "annotations")}),
        ({"name": "a", "annotations": {"a": "x" * 2**18}}, {("TooLong", "annotations")}),
        ({"name": "a", "finalizers": ["kubernetes", "a.b/c"]}, set()),
        ({"name": "a", "finalizers": ["plain"]}, {("Invalid", "finalizers[0]")}),
        ({"name": "a", "finalizers": ["A b/c"]}, {("Invalid", "finalizers")}),
        ({"name": "a", "ownerReferences": [{**OWNER, "uid": ""}]}, {("Required", "ownerReferences[0].uid")}),
        (
            {"name": "a", "ownerReferences": [{**OWNER, "apiVersion": ""}]},
            {("Required", "ownerReferences[0].apiVersion")},
        ),
        ({"name": "a", "ownerReferences": [{**OWNER, "apiVersion": "/v1"}]}, set()),
        (
            {"name": "a", "ownerReferences": [{**OWNER, "apiVersion": "a/"}]},
            {("Invalid", "ownerReferences[0].apiVersion")},
        ),
        (
            {"name": "a", "ownerReferences": [{**OWNER, "apiVersion": "a/b/c"}]},
            {("Invalid", "ownerReferences[0].apiVersion")},
        ),
        ({"name": "a", "ownerReferences": [{**OWNER, "controller": True}] * 2}, {("Invalid", "ownerReferences")}),
    ],
)
def test_metadata(metadata: Any, expected: set[tuple[str, str]]) -> None:
    found = said(ResourceClaim, {"metadata": metadata})
    assert found == {(kind, f"metadata.{field}") for kind, field in expected}


def test_cluster_wide_kinds_have_no_namespace() -> None:
    assert said(Namespace, {"metadata": {"name": "a", "namespace": "No Such"}}) == set()


@pytest.mark.parametrize(
    ("kind", "name", "is_sound"),
    [
        (Namespace, "a.b", False),
        (ClusterRole, "system:node", True),
        (Role, "Any Name", True),
        (RoleBinding, "a/b", False),
        (ClusterRoleBinding, "..", False),
        (Node, "n.example.com", True),
        (Node, "system:node", False),
    ],
)
def test_names_have_the_form_of_their_kind(kind: type, name: str, is_sound: bool) -> None:
    found = {each for each in said(kind, {"metadata": {"name": name}}) if each[1] == "metadata.name"}
    assert found == (set() if is_sound else {("Invalid", "metadata.name")})


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, set()),
        (
            {"selectors": [{"cel": {"expression": "true"}}, {"cel": {"expression": "device."}}]},
            {("Invalid", "spec.selectors[1].cel.expression")},
        ),
        ({"config": [{}] * 33}, {("TooMany", "spec.config")}),
        ({"config": [{}]}, {("Required", "spec.config[0].opaque")}),
        ({"extendedResourceName": "cpu"}, {("Invalid", "spec.extendedResourceName")}),
    ],
)
def test_classes(spec: Any, expected: set[tuple[str, str]]) -> None:
    assert said(DeviceClass, {"metadata": {"name": "c"}, "spec": spec}) == expected


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"taint": {"key": "k", "effect": "None"}}, set()),
        ({"deviceSelector": {}, "taint": {"key": "k", "effect": "NoExecute"}}, set()),
        ({"taint": {}}, {("Invalid", "taint.key"), ("Required", "taint.effect")}),
        ({"taint": {"key": "k", "effect": "x"}}, {("NotSupported", "taint.effect")}),
        (
            {"deviceSelector": {"driver": "", "pool": "", "device": ""}, "taint": {"key": "k", "effect": "None"}},
            {
                ("Required", "deviceSelector.driver"),
                ("Required", "deviceSelector.pool"),
                ("Invalid", "deviceSelector.device"),
            },
        ),
    ],
)
def test_taint_rules(spec: Any, expected: set[tuple[str, str]]) -> None:
    found = said(DeviceTaintRule, {"metadata": {"name": "r"}, "spec": spec})
    assert found == {(kind, f"spec.{field}") for kind, field in expected}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"driver": "A" * 100}, set()),
        ({}, {("Required", "spec.driver")}),
        ({"driver": "d", "poolName": ""}, {("Invalid", "spec.poolName")}),
        ({"driver": "d", "limit": 0}, {("Invalid", "spec.limit")}),
        ({"driver": "d", "limit": 1001}, {("Invalid", "spec.limit")}),
        ({"driver": "d", "defaultPartitionTypeAttribute": "x"}, {("Invalid", "spec.defaultPartitionTypeAttribute")}),
    ],
)
def test_questions_about_pools(spec: Any, expected: set[tuple[str, str]]) -> None:
    assert said(ResourcePoolStatusRequest, {"metadata": {"name": "r"}, "spec": spec}) == expected


# --- pods ------------------------------------------------------------------------------------------------------------

CLAIMS: list[Any] = [
    {"name": "gpu", "resourceClaimName": "c"},
    {"name": "nic", "resourceClaimTemplateName": "t"},
]


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        (CLAIMS, set()),
        ([{}], {("Required", "[0].name"), ("Invalid", "[0]")}),
        ([CLAIMS[0], CLAIMS[0]], {("Duplicate", "[1].name")}),
        ([{**CLAIMS[0], "resourceClaimTemplateName": "t"}], {("Invalid", "[0]")}),
        ([{"name": "A", "resourceClaimName": "B"}], {("Invalid", "[0].name"), ("Invalid", "[0].resourceClaimName")}),
    ],
)
def test_claims_of_pods(claims: Any, expected: set[tuple[str, str]]) -> None:
    found = said(Pod, {"metadata": {"name": "p"}, "spec": {"containers": [CONTAINER], "resourceClaims": claims}})
    assert found == {(kind, f"spec.resourceClaims{field}") for kind, field in expected}


@pytest.mark.parametrize(
    ("used", "expected"),
    [
        ([{"name": "gpu", "request": "a"}, {"name": "gpu", "request": "b"}, {"name": "nic"}], set()),
        ([{"name": "none"}], {("NotFound", "[0]")}),
        ([{}], {("Required", "[0]")}),
        ([{"name": "gpu"}, {"name": "gpu"}], {("Duplicate", "[1]")}),
        ([{"name": "gpu"}, {"name": "gpu", "request": "a"}], {("Duplicate", "[1]")}),
        ([{"name": "gpu", "request": "a"}, {"name": "gpu"}], {("Duplicate", "[1]")}),
        ([{"name": "gpu", "request": "A"}], {("Invalid", "[0].request")}),
        ([{"name": "gpu"}, {"name": "gpu", "request": "A"}], {("Duplicate", "[1]")}),
    ],
)
@pytest.mark.parametrize("field", ["containers", "initContainers"])
def test_claims_that_containers_use(field: str, used: Any, expected: set[tuple[str, str]]) -> None:
    container = {**CONTAINER, "resources": {"claims": used}}
    containers = {"containers": [{**CONTAINER, "name": "other"}], field: [container]}
    found = said(Pod, {"metadata": {"name": "p"}, "spec": {"resourceClaims": CLAIMS, **containers}})
    assert found == {(kind, f"spec.{field}[0].resources.claims{rest}") for kind, rest in expected}


def test_mirror_pods_have_no_claims() -> None:
    metadata = {"name": "p", "annotations": {"kubernetes.io/config.mirror": "x"}}
    spec = {"containers": [CONTAINER]}
    assert said(Pod, {"metadata": metadata, "spec": spec}) == set()
    assert said(Pod, {"metadata": metadata, "spec": {**spec, "resourceClaims": CLAIMS}}) == {
        ("Forbidden", "metadata.annotations")
    }


def test_pod_templates_are_checked_where_they_stand() -> None:
    pod: dict[str, Any] = {"containers": [CONTAINER], "resourceClaims": [{"name": "gpu"}]}
    template = {"template": {"metadata": {"labels": {"app": "a"}}, "spec": pod}}
    selected = {"selector": {"matchLabels": {"app": "a"}}, **template}
    assert said(Deployment, {"metadata": {"name": "d"}, "spec": selected}) == {
        ("Invalid", "spec.template.spec.resourceClaims[0]")
    }
    pod["restartPolicy"] = "Never"
    assert said(
        CronJob, {"metadata": {"name": "d"}, "spec": {"schedule": "@daily", "jobTemplate": {"spec": template}}}
    ) == {("Invalid", "spec.jobTemplate.spec.template.spec.resourceClaims[0]")}


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        (CLAIMS, set()),
        ([CLAIMS[0], CLAIMS[0]], {("Duplicate", "[1]")}),
        ([{**CLAIMS[0], "name": f"c{number}"} for number in range(5)], {("TooMany", "")}),
        ([{"name": "a"}], {("Invalid", "[0]")}),
    ],
)
def test_claims_of_groups(claims: Any, expected: set[tuple[str, str]]) -> None:
    group = {"schedulingPolicy": {"basic": {}}, "resourceClaims": claims}
    found = said(PodGroup, {"metadata": {"name": "g"}, "spec": group})
    assert found == {(kind, f"spec.resourceClaims{field}") for kind, field in expected}
    templates = {"podGroupTemplates": [{"name": "t", **group}]}
    described = said(Workload, {"metadata": {"name": "w"}, "spec": templates})
    assert described == {(kind, f"spec.podGroupTemplates[0].resourceClaims{field}") for kind, field in expected}
