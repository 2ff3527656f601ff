"""Who is allowed what, as far as the roles and bindings of the input say it (controllers.md §5)."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final, TypeAlias

from msgspec import Struct

from dractl.api.objects import ObjectSet, Sourced
from dractl.api.rbac import ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject
from dractl.api.selectors import matches_labels
from dractl.errors import Place

DRA: Final = "resource.k8s.io"
_ANY: Final = "*"


class Grant(Struct, frozen=True):
    """One rule of a role, and where it stands. `namespace` is None where it holds in all of the cluster."""

    rule: PolicyRule
    place: Place
    role: str
    namespace: str | None = None

    def names(self, group: str, resource: str) -> bool:
        """Whether the rule names the resource itself: one that allows everything means nothing in particular."""
        return group in (self.rule.apiGroups or ()) and resource in (self.rule.resources or ())

    def covers(self, group: str, resource: str) -> bool:
        """Whether the rule is about the resource, patterns included: only `*` and `*/SUBRESOURCE` are some."""
        _, slash, subresource = resource.partition("/")
        patterns = {_ANY, resource, *({f"*/{subresource}"} if slash else ())}
        groups = self.rule.apiGroups or ()
        return (group in groups or _ANY in groups) and not patterns.isdisjoint(self.rule.resources or ())

    def has_verb(self, verb: str) -> bool:
        """Whether the rule allows a verb; only `*` is a pattern."""
        verbs = self.rule.verbs or ()
        return verb in verbs or _ANY in verbs

    def allows(self, group: str, resource: str, verb: str) -> bool:
        """Whether the rule allows something to every object of a kind."""
        return self.covers(group, resource) and self.has_verb(verb) and not self.rule.resourceNames


class Holder(Struct, frozen=True):
    """Somebody with all grants that the input gives; `subject` is None for a role that nobody is bound to.

    `is_known` is false where one of the bindings names a role that is not in the input.
    """

    subject: Subject | None
    grants: tuple[Grant, ...]
    is_known: bool = True

    @property
    def name(self) -> str:
        """The holder in words."""
        if self.subject is None:
            return "whoever has this role"
        path = f"{self.subject.namespace}/{self.subject.name}" if self.subject.namespace else self.subject.name
        return f"{self.subject.kind} {path}"

    def may(self, group: str, resource: str, verb: str) -> bool:
        """Whether the holder may do this in the whole cluster, with any object."""
        return any(grant.namespace is None and grant.allows(group, resource, verb) for grant in self.grants)


_Binding: TypeAlias = Sourced[RoleBinding] | Sourced[ClusterRoleBinding]


class Permissions:
    """The roles of an input with their bindings."""

    def __init__(self, objects: ObjectSet) -> None:
        self._cluster_roles: Final = {each.ref.name: each for each in objects.of(ClusterRole)}
        self._roles: Final = {(each.ref.namespace, each.ref.name): each for each in objects.of(Role)}
        self._in_namespaces: Final = objects.of(RoleBinding)
        self._in_cluster: Final = objects.of(ClusterRoleBinding)
        self._bindings: Final[list[_Binding]] = [*self._in_namespaces, *self._in_cluster]

    @cached_property
    def grants(self) -> tuple[Grant, ...]:
        """Every rule once, as its role has it: those of a Role hold in its namespace."""
        return (
            *(grant for each in self._cluster_roles.values() for grant in _rules(each)),
            *(grant for each in self._roles.values() for grant in _rules(each, each.ref.namespace)),
        )

    @cached_property
    def holders(self) -> tuple[Holder, ...]:
        """Everybody that a binding names, and then each role that no binding names, as if somebody had it alone."""
        grants: dict[Subject, list[Grant]] = {}
        unknown: set[Subject] = set()
        for binding in self._bindings:
            found = self._bound(binding)
            for subject in binding.object.subjects or ():
                grants.setdefault(subject, []).extend(found or ())
                if found is None:
                    unknown.add(subject)
        bound = tuple(Holder(subject, tuple(own), subject not in unknown) for subject, own in grants.items())
        return (*bound, *self._unbound())

    def bound_in_namespaces_only(self) -> Iterator[tuple[Sourced[RoleBinding], tuple[Grant, ...]]]:
        """Bindings that restrict the rules of a ClusterRole to one namespace, with these rules."""
        everywhere = {binding.object.roleRef.name for binding in self._in_cluster}
        for binding in self._in_namespaces:
            role = binding.object.roleRef
            if role.kind == "ClusterRole" and role.name in self._cluster_roles.keys() - everywhere:
                yield binding, self._of_cluster_role(role.name)

    def _bound(self, binding: _Binding) -> Iterable[Grant] | None:
        """What a binding gives, or None if its role is not in the input."""
        role = binding.object.roleRef
        namespace = binding.ref.namespace or None
        if role.kind == "Role":
            found = self._roles.get((binding.ref.namespace, role.name))
            return None if found is None else _rules(found, namespace)
        if role.name not in self._cluster_roles:
            return None
        return [Grant(each.rule, each.place, each.role, namespace) for each in self._of_cluster_role(role.name)]

    def _of_cluster_role(self, name: str) -> tuple[Grant, ...]:
        """The rules of a ClusterRole, with those that it takes over from others by their labels."""
        role = self._cluster_roles[name]
        aggregation = role.object.aggregationRule
        if aggregation is None:
            return tuple(_rules(role))
        return tuple(
            grant
            for other in self._cluster_roles.values()
            if other is not role
            and any(matches_labels(each, other.metadata.labels) for each in aggregation.clusterRoleSelectors or ())
            for grant in _rules(other)
        )

    def _unbound(self) -> Iterator[Holder]:
        bound = {_role_of(binding) for binding in self._bindings}
        for role in self._cluster_roles.values():
            if ("ClusterRole", "", role.ref.name) not in bound:
                yield Holder(None, self._of_cluster_role(role.ref.name))
        for local in self._roles.values():
            if ("Role", local.ref.namespace, local.ref.name) not in bound:
                yield Holder(None, tuple(_rules(local, local.ref.namespace)))


def _role_of(binding: _Binding) -> tuple[str, str, str]:
    """Kind, namespace and name of the role that a binding gives."""
    role = binding.object.roleRef
    return role.kind, binding.ref.namespace if role.kind == "Role" else "", role.name


def _rules(role: Sourced[Any], namespace: str | None = None) -> Iterator[Grant]:
    for number, rule in enumerate(role.object.rules or ()):
        yield Grant(rule, role.place.at("rules", number), str(role.ref), namespace)
