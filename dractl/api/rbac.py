"""The types of rbac.authorization.k8s.io/v1: who may do what (controllers.md §5)."""

from dractl.api.base import ApiStruct, LabelSelector, ObjectMeta


class PolicyRule(ApiStruct, frozen=True):
    verbs: list[str] | None = None
    apiGroups: list[str] | None = None
    resources: list[str] | None = None
    resourceNames: list[str] | None = None
    nonResourceURLs: list[str] | None = None


class AggregationRule(ApiStruct, frozen=True):
    clusterRoleSelectors: list[LabelSelector] | None = None


class Role(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    rules: list[PolicyRule] | None = None


class ClusterRole(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    rules: list[PolicyRule] | None = None
    aggregationRule: AggregationRule | None = None


class Subject(ApiStruct, frozen=True):
    kind: str = ""
    apiGroup: str = ""
    name: str = ""
    namespace: str = ""


class RoleRef(ApiStruct, frozen=True):
    apiGroup: str = ""
    kind: str = ""
    name: str = ""


class RoleBinding(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    subjects: list[Subject] | None = None
    roleRef: RoleRef = RoleRef()


class ClusterRoleBinding(ApiStruct, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    subjects: list[Subject] | None = None
    roleRef: RoleRef = RoleRef()
