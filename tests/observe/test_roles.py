# FEATURE: D25
"""Roles against what drivers and schedulers need to write the status of claims (controllers.md §5)."""

import pytest

from dractl.finding import Severity
from tests.observe.world import findings, lines

RULE = """- apiGroups: [resource.k8s.io]
  resources: [{resources}]
  verbs: [{verbs}]
"""
NODE_VERBS = "'associated-node:update', 'associated-node:patch'"


def rule(resources: str, verbs: str = "update, patch", names: str = "") -> str:
    text = RULE.format(resources=resources, verbs=verbs)
    return f"{text}  resourceNames: [{names}]\n" if names else text


def role(*rules: str, kind: str = "ClusterRole", name: str = "driver") -> str:
    metadata = f"{{name: {name}}}" if kind == "ClusterRole" else f"{{name: {name}, namespace: ml}}"
    return f"""apiVersion: rbac.authorization.k8s.io/v1
kind: {kind}
metadata: {metadata}
rules:
{"".join(rules)}---
"""


def binding(
    role_name: str = "driver", kind: str = "ClusterRoleBinding", subject: str = "", role_kind: str = "ClusterRole"
) -> str:
    who = subject or "{kind: ServiceAccount, name: plugin, namespace: ml}"
    metadata = (
        f"{{name: {role_name}-to}}" if kind == "ClusterRoleBinding" else f"{{name: {role_name}-to, namespace: ml}}"
    )
    return f"""apiVersion: rbac.authorization.k8s.io/v1
kind: {kind}
metadata: {metadata}
subjects: [{who}]
roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: {role_kind}, name: {role_name}}}
---
"""


def slices(driver: str = "gpu.example.com", where: str = "nodeName: n1") -> str:
    return f"""apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: s-{driver}}}
spec:
  driver: {driver}
  {where}
  pool: {{name: p, generation: 1, resourceSliceCount: 1}}
  devices: [{{name: a}}]
---
"""


SOUND_DRIVER = (
    role(rule("resourceclaims/status"), rule("resourceclaims/driver", NODE_VERBS, names="gpu.example.com")) + slices()
)
SOUND_SCHEDULER = (
    role(
        rule("resourceclaims", "get, list, watch, create, delete, update, patch"),
        rule("resourceclaims/status, resourceclaims/binding"),
        rule("deviceclasses, resourceslices, devicetaintrules", "get, list, watch"),
        "- apiGroups: ['']\n  resources: [pods/binding]\n  verbs: [create]\n",
    )
    + binding()
)


@pytest.mark.parametrize("text", [SOUND_DRIVER, SOUND_DRIVER + binding(), SOUND_SCHEDULER, slices()])
def test_sound_roles_need_no_word(text: str) -> None:
    assert findings(text, prefix="roles/") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (role(rule("resourceclaims/status")), [("roles/status-alone", 6)]),
        (
            role(
                rule("resourceclaims/status"),
                rule("resourceclaims/driver", "'associated-node:update'", "d.example.com"),
            ),
            [("roles/status-alone", 6)],
        ),
        (
            role(rule("resourceclaims/binding", names="gpu")) + slices(),
            [("roles/binding-names", 8)],
        ),
        (role(rule("resourceclaims/binding"), kind="Role"), [("roles/binding-namespace", 6)]),
        (role(rule("resourceslices", "get"), kind="Role"), [("roles/cluster-wide", 6)]),
        (
            role(rule("resourceclaims/status"), rule("resourceclaims/driver", names="gpu.example.com")) + slices(),
            [("roles/driver-verb", 10), ("roles/status-alone", 6)],
        ),
        (
            role(
                rule("resourceclaims/status", "update"),
                rule("resourceclaims/driver", "'associated-node:update', 'associated-node:*'", "gpu.example.com"),
            )
            + slices(),
            [("roles/driver-verb", 10)],
        ),
        (role(rule("'resourceclaims/*'")), [("roles/pattern", 6)]),
        (
            role(rule("resourceclaims/status"), rule("resourceclaims/driver", NODE_VERBS)),
            [("roles/any-driver", 9)],
        ),
        (
            role(rule("resourceclaims/status"), rule("resourceclaims/driver", NODE_VERBS, "gpu.example.org"))
            + slices(),
            [("roles/unknown-driver", 11)],
        ),
        (
            role(rule("resourceclaims/status"), rule("resourceclaims/driver", NODE_VERBS, "gpu.example.com"))
            + slices(where="allNodes: true"),
            [("roles/spans-nodes", 10)],
        ),
        (
            role(
                rule("resourceclaims/status"),
                rule("resourceclaims/driver", "'arbitrary-node:update', 'arbitrary-node:patch'", "gpu.example.com"),
            )
            + slices(),
            [("roles/arbitrary-node", 10)],
        ),
        (role(rule("resourceclaims/driver", NODE_VERBS, "d.example.com")), [("roles/driver-alone", 6)]),
        (
            role(rule("resourceclaims/status", "get"), rule("resourceclaims/driver", NODE_VERBS, "d.example.com")),
            [("roles/driver-alone", 9)],
        ),
        (
            SOUND_DRIVER + binding(subject="{kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}"),
            [("roles/no-node", 10)],
        ),
        (role(rule("resourcepoolstatusrequests", "create")), [("roles/pool-status-gate", 6)]),
    ],
)
def test_roles_that_do_not_do(text: str, expected: list[tuple[str, int]]) -> None:
    assert lines(text, findings(text, prefix="roles/")) == expected


def test_a_binding_in_a_namespace_restricts_a_cluster_role() -> None:
    text = role(rule("resourceclaims/binding")) + binding(kind="RoleBinding")
    (finding,) = findings(text, prefix="roles/")
    assert finding.rule == "roles/binding-namespace"
    assert finding.subject == "RoleBinding ml/driver-to"
    assert "is asked for without a namespace" in finding.message


def test_permissions_of_several_roles_add_up() -> None:
    status = role(rule("resourceclaims/status"), name="status")
    driver = role(rule("resourceclaims/driver", NODE_VERBS, "d.example.com"))
    assert findings(status + driver + binding("status") + binding(), prefix="roles/") == []
    rules = [each.rule for each in findings(status + driver, prefix="roles/")]
    assert rules == ["roles/status-alone", "roles/driver-alone"]


def test_whoever_has_a_role_that_is_not_in_the_input_may_have_more() -> None:
    text = role(rule("resourceclaims/status")) + binding() + binding("elsewhere")
    assert findings(text, prefix="roles/") == []


def test_an_aggregated_role_has_the_rules_of_others() -> None:
    part = role(rule("resourceclaims/driver", NODE_VERBS, "d.example.com"), name="part").replace(
        "{name: part}", "{name: part, labels: {to: whole}}"
    )
    whole = (
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: whole}\n"
        "aggregationRule: {clusterRoleSelectors: [{matchLabels: {to: whole}}]}\n---\n"
    )
    status = role(rule("resourceclaims/status"), name="status")
    bound = status + part + whole + binding("status") + binding("whole") + binding("part")
    assert findings(bound, prefix="roles/") == []


def test_a_scheduler_is_told_all_that_it_lacks() -> None:
    text = SOUND_SCHEDULER.replace("resourceclaims/status, resourceclaims/binding", "resourceclaims/status").replace(
        ", devicetaintrules", ""
    )
    (finding,) = findings(text, prefix="roles/")
    assert finding.rule == "roles/scheduler"
    assert finding.message == (
        "ServiceAccount ml/plugin binds pods and works with claims, but lacks in the cluster: "
        "update resourceclaims/binding, patch resourceclaims/binding, "
        "get devicetaintrules, list devicetaintrules, watch devicetaintrules"
    )


def test_before_granular_authorization_nothing_more_is_needed() -> None:
    text = role(rule("resourceclaims/status"))
    assert findings(text, release="1.35", prefix="roles/") == []
    assert findings(text, settings="DRAResourceClaimGranularStatusAuthorization=false", prefix="roles/") == []


def test_a_question_about_pools_that_nobody_may_ask() -> None:
    text = (
        "apiVersion: resource.k8s.io/v1alpha3\nkind: ResourcePoolStatusRequest\nmetadata: {name: q}\n"
        "spec: {driver: d.example.com}\n---\n"
    )
    (finding,) = findings(text, prefix="roles/")
    assert (finding.rule, finding.severity) == ("roles/pool-status", Severity.INFO)
    assert findings(text + role(rule("resourcepoolstatusrequests", "create")), prefix="roles/") == []
