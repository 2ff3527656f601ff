# FEATURE: C3
# FEATURE: D25
"""Rules about roles and bindings: what is nearly right is told, what may be right is not."""

import json

import pytest

from tests.cli.running import dractl
from tests.observe.lint.roles import account, binding, role
from tests.observe.lint.world import together

READS = "- {apiGroups: [resource.k8s.io], resources: [resourceslices], verbs: [get]}\n"
LOCAL = role(READS).replace("ClusterRole", "Role").replace("{name: driver}", "{name: driver, namespace: kube-system}")


def told(*pieces: str) -> list[tuple[str, str]]:
    """Rule and remedy of what lint's own rules find."""
    ran = dractl("lint", "-", "-o", "json", stdin=together(*pieces).encode())
    results = json.loads(ran.out)["findings"]
    return [(each["rule"], each.get("remedy") or "") for each in results if each["rule"].startswith("DRA")]


def allowing(groups: str, resources: str, verbs: str = "get") -> list[str]:
    found = told(role(f"- {{apiGroups: [{groups}], resources: [{resources}], verbs: [{verbs}]}}\n"))
    return [remedy.removeprefix("did you mean ").removesuffix("?") for _, remedy in found]


def test_a_verb_without_the_whole_prefix_is_named_and_the_status_is_not() -> None:
    rules = (
        "- {apiGroups: [resource.k8s.io], resources: [resourceclaims/status], verbs: [patch]}\n"
        "- {apiGroups: [resource.k8s.io], resources: [resourceclaims/driver], resourceNames: [d], verbs: %s}\n"
    )
    ran = dractl("lint", "-", "-o", "json", stdin=role(rules % "['associated:patch']").encode())
    found = [(each["rule"], each["remedy"]) for each in json.loads(ran.out)["findings"]]
    assert found == [("DRA601", "did you mean associated-node:patch?")]


@pytest.mark.parametrize(
    ("groups", "resources", "meant"),
    [
        ("resource.k8s.io", "ResourceClaims", ["resourceclaims"]),
        ("resource.k8s.io", "resourceclaim/status", ["resourceclaims/status"]),
        ("resource.k8s.io", "resourceclaims/state", []),
        ("resource.k8s.io", "deployments", ["the group apps"]),
        ("apps, resource.k8s.io", "deployments", []),
        ("apps", "pods", ['the group ""']),
        ("resources.k8s.io", "resourceclaims", ["resource.k8s.io"]),
        ("core", "pods", ['""']),
        ("v1", "pods", ['""']),
    ],
)
def test_what_was_meant(groups: str, resources: str, meant: list[str]) -> None:
    assert allowing(groups, resources) == meant


@pytest.mark.parametrize(
    ("groups", "resources"),
    [
        ('""', "pods/finalizers, nodes/proxy, events"),
        ("resource.k8s.io", "resourceclaims/binding, resourceclaims/driver, podschedulingcontexts/status"),
        ("resource.k8s.io", '"*", "*/status", leases'),
        ("example.com", "resourceclaim, pod"),
        ('"*"', "resourceclaim"),
        ("events.k8s.io, metrics.k8s.io, topology.node.k8s.io, policy, autoscaling", "events"),
    ],
)
def test_what_may_be_right(groups: str, resources: str) -> None:
    assert allowing(groups, resources) == []


@pytest.mark.parametrize(
    ("verb", "meant"),
    [
        ("Get", ["get"]),
        ("updates", ["update"]),
        ("associated-node:updat", ["associated-node:update"]),
        ("associated-nodes:update", ["associated-node:update"]),
        ("arbitrary-node:patch", []),
        ("deletecollection", []),
        ("use", []),
        ("bind", []),
        ("impersonate", []),
        ("example.com:get", []),
    ],
)
def test_verbs(verb: str, meant: list[str]) -> None:
    assert allowing("resource.k8s.io", "resourceclaims/status", f'"{verb}"') == meant


def test_verbs_of_urls_are_those_of_http() -> None:
    assert told(role("- {nonResourceURLs: [/metrics], verbs: [get, post, put]}\n")) == []


CLUSTER_ROLE = "  kind: ClusterRole\n  name: %s\n"
LOCAL_ROLE = "  kind: Role\n  name: %s\n"


@pytest.mark.parametrize(
    ("pieces", "remedy"),
    [
        ((role(READS), binding(CLUSTER_ROLE % "drive")), "did you mean driver?"),
        ((role(READS), binding(CLUSTER_ROLE % "something-else")), ""),
        ((role(READS, "views"), binding(CLUSTER_ROLE % "view")), ""),
        ((role(READS, "system-node"), binding(CLUSTER_ROLE % "system:node")), ""),
        ((LOCAL, binding(CLUSTER_ROLE % "driver")), "there is a Role of this name"),
        (
            (LOCAL, binding(LOCAL_ROLE % "driver", kind="RoleBinding", namespace="gpu")),
            "there is one in namespace kube-system; a RoleBinding finds only those of its own namespace",
        ),
        ((LOCAL, binding(LOCAL_ROLE % "driver", kind="RoleBinding", namespace="kube-system")), ""),
    ],
)
def test_the_role_of_a_binding(pieces: tuple[str, ...], remedy: str) -> None:
    assert told(*pieces) == ([("DRA602", remedy)] if remedy else [])


def test_a_role_that_is_bound_already_is_not_the_one_that_was_meant() -> None:
    other = binding(CLUSTER_ROLE % "driver").replace("{name: b}", "{name: c}")
    assert told(role(READS), binding(CLUSTER_ROLE % "driver-b"), other) == []


def test_a_document_that_cannot_be_read_may_be_the_role() -> None:
    assert told(role(READS), binding(CLUSTER_ROLE % "drive"), "kind: [") == []


@pytest.mark.parametrize(
    ("accounts", "remedy"),
    [
        (("drivers",), "did you mean drivers?"),
        (("driver",), ""),
        (("drivers", "driver"), ""),
        (("something-else",), ""),
        ((), ""),
    ],
)
def test_the_service_account_of_a_binding(accounts: tuple[str, ...], remedy: str) -> None:
    found = told(role(READS), binding(CLUSTER_ROLE % "driver"), *map(account, accounts))
    assert found == ([("DRA602", remedy)] if remedy else [])


def test_an_account_in_a_namespace_that_is_nearly_right() -> None:
    bound = binding("  kind: ClusterRole\n  name: view\n").replace("kube-system", "kube-sytem")
    assert told(account("driver"), bound) == [("DRA602", "did you mean kube-system?")]


def test_several_resources_of_another_group_are_told_once() -> None:
    """At the group if it is wrong for all of them."""

    def at(resources: str) -> list[tuple[str, int]]:
        rule = f"- apiGroups: [apps]\n  resources: [{resources}]\n  verbs: [get]\n"
        results = json.loads(dractl("lint", "-", "-o", "json", stdin=role(rule).encode()).out)["findings"]
        return [(each["message"], each["at"]["line"]) for each in results]

    claims = "apps has no resource resourceclaims and resourceclaimtemplates"
    assert at("resourceclaims, resourceclaims/status, resourceclaimtemplates") == [(claims, 5)]
    assert at("deployments, resourceclaims, resourceclaimtemplates") == [(claims, 6)]
    assert [line for _, line in at("resourceclaims, pods")] == [6, 6]


def test_what_a_role_lacks_for_a_misspelt_word_is_not_told_too() -> None:
    rules = """- {apiGroups: [resource.k8s.io], resources: [resourceclaims/status], verbs: [update, patch]}
- apiGroups: [resource.k8s.io]
  resources: [resourceclaims/driver]
  resourceNames: [gpu.example.com]
  verbs: ["associated-node:update", "associated-node:patch"]
"""

    def all_told(text: str) -> list[str]:
        bound = together(role(text), account("driver"), binding("  kind: ClusterRole\n  name: driver\n"))
        ran = dractl("lint", "-", "-o", "json", stdin=bound.encode())
        return [each["rule"] for each in json.loads(ran.out)["findings"]]

    assert all_told(rules) == []
    assert all_told(rules.partition("\n")[2]) == ["roles/driver-alone"]
    assert all_told(rules.replace("resourceclaims/status", "resourceclaim/status")) == ["DRA601"]
