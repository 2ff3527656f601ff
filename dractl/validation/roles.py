"""Roles and who has them (answers in validate-core)."""

from collections.abc import Iterator, Sequence
from typing import Final

from dractl.api.rbac import ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef, Subject
from dractl.validation.choices import one_of
from dractl.validation.formats import missing, path_segment, subdomain
from dractl.validation.label_selectors import check_label_selector
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below, echoes, invalid

_GROUP: Final = "rbac.authorization.k8s.io"
_SUBJECTS: Final = ("ServiceAccount", "User", "Group")


def check_role(role: Role, _: Rulebook) -> Iterator[Violation]:
    """The rules of a role in a namespace."""
    for index, rule in enumerate(role.rules or ()):
        yield from below(_check_rule(rule, is_namespaced=True), "rules", index)


def check_cluster_role(role: ClusterRole, _: Rulebook) -> Iterator[Violation]:
    """The rules of a role of the cluster, and which other roles it takes rules from."""
    for index, rule in enumerate(role.rules or ()):
        yield from below(_check_rule(rule, is_namespaced=False), "rules", index)
    if role.aggregationRule is None:
        return
    path = ("aggregationRule", "clusterRoleSelectors")
    selectors = role.aggregationRule.clusterRoleSelectors or ()
    if not selectors:
        yield missing("a selector", "select the roles to take rules from").below(*path)
    for index, selector in enumerate(selectors):
        flaws = list(check_label_selector(selector))
        yield from below(flaws, *path, index)
        if flaws:
            yield from echoes([invalid("the selector cannot be read", "", *path, index)])


def _check_rule(rule: PolicyRule, *, is_namespaced: bool) -> Iterator[Violation]:
    if not rule.verbs:
        yield missing("a verb", "write for example `verbs: [get, list, watch]`").below("verbs")
    if rule.nonResourceURLs:
        if is_namespaced:
            yield invalid("a role in a namespace has no say in URLs", "write a ClusterRole", "nonResourceURLs")
        if rule.apiGroups or rule.resources or rule.resourceNames:
            message = "one rule cannot be about resources and URLs"
            yield invalid(message, "write two rules", "nonResourceURLs")
        return
    for field, values in (("apiGroups", rule.apiGroups), ("resources", rule.resources)):
        if not values:
            hint = '"" is the group of pods and nodes' if field == "apiGroups" else "write for example `[pods]`"
            yield missing(f"`{field}`", hint).below(field)


# --- bindings --------------------------------------------------------------------------------------------------------


def check_role_binding(binding: RoleBinding, _: Rulebook) -> Iterator[Violation]:
    """Who has a role in a namespace."""
    yield from below(_check_reference(binding.roleRef, ("Role", "ClusterRole")), "roleRef")
    for index, subject in enumerate(binding.subjects or ()):
        yield from below(_check_subject(subject, needs_namespace=False), "subjects", index)


def check_cluster_role_binding(binding: ClusterRoleBinding, _: Rulebook) -> Iterator[Violation]:
    """Who has a role in all of the cluster."""
    yield from below(_check_reference(binding.roleRef, ("ClusterRole",)), "roleRef")
    for index, subject in enumerate(binding.subjects or ()):
        yield from below(_check_subject(subject, needs_namespace=True), "subjects", index)


def _check_reference(reference: RoleRef, kinds: Sequence[str]) -> Iterator[Violation]:
    if reference.apiGroup:
        yield from below(one_of(reference.apiGroup, (_GROUP,)), "apiGroup")
    yield from below(one_of(reference.kind, kinds), "kind")
    if not reference.name:
        yield missing("the role's name", "write `name: …`").below("name")
    else:
        yield from below(path_segment(reference.name), "name")


def _check_subject(subject: Subject, *, needs_namespace: bool) -> Iterator[Violation]:
    if not subject.name:
        yield missing("the name", "write `name: …`").below("name")
    yield from below(one_of(subject.kind, _SUBJECTS), "kind")
    if subject.kind == "ServiceAccount":
        if subject.name:
            yield from below(subdomain(subject.name), "name")
        if subject.apiGroup:
            message = "service accounts are in the core group"
            yield Violation(("apiGroup",), ViolationType.NOT_SUPPORTED, message, "take it out")
        if needs_namespace and not subject.namespace:
            yield missing("the namespace", "a service account is in one: write `namespace: …`").below("namespace")
    elif subject.kind in _SUBJECTS and subject.apiGroup:
        yield from below(one_of(subject.apiGroup, (_GROUP,)), "apiGroup")
