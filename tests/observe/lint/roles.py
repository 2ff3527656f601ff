"""Rules about roles and bindings."""

from typing import Final

from tests.observe.lint.world import together

GROUP: Final = "rbac.authorization.k8s.io"


def role(rules: str, name: str = "driver") -> str:
    return f"apiVersion: {GROUP}/v1\nkind: ClusterRole\nmetadata: {{name: {name}}}\nrules:\n{rules}"


def binding(role_ref: str, account: str = "driver", *, kind: str = "ClusterRoleBinding", namespace: str = "") -> str:
    where = f", namespace: {namespace}" if namespace else ""
    return (
        f"apiVersion: {GROUP}/v1\nkind: {kind}\nmetadata: {{name: b{where}}}\n"
        f"roleRef:\n  apiGroup: {GROUP}\n{role_ref}"
        f"subjects:\n- kind: ServiceAccount\n  namespace: kube-system\n  name: {account}\n"
    )


def account(name: str) -> str:
    return f"apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: {name}, namespace: kube-system}}\n"


_READS: Final = "- {apiGroups: [resource.k8s.io], resources: [resourceslices], verbs: [get, list, watch]}\n"
_MISSPELT: Final = """- apiGroups:
  - resource.k8s.io/v1 # <- DRA601
  resources: [resourceslices]
  verbs: [get]
- apiGroups: [resource.k8s.io]
  resources:
  - resourceclaim # <- DRA601
  - resourceclaims/statuss # <- DRA601
  - pods # <- DRA601
  verbs:
  - gett # <- DRA601
  - list
"""

_POD: Final = """apiVersion: v1
kind: Pod
metadata: {name: p, namespace: kube-system}
spec:
  serviceAccountName: %s
  containers: [{name: c, image: i}]
"""

CASES: Final = {
    "DRA601": (role(_MISSPELT), role(_READS)),
    "DRA602": (
        together(role(_READS), binding("  kind: ClusterRole\n  name: drivers # <- DRA602\n")),
        together(role(_READS), binding("  kind: ClusterRole\n  name: driver\n")),
    ),
    "DRA603": (
        together(account("pipeline"), _POD % "pipelines # <- DRA603"),
        together(account("pipeline"), _POD % "pipeline"),
    ),
}
