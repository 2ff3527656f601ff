"""A binding that nearly names a role or service account of the input.

A RoleBinding or ClusterRoleBinding names a role that is not in the input, while the input has one of nearly that name,
or of that name and the other kind or in another namespace, which nobody is bound to; or it names a ServiceAccount of
the input not quite.

Why: the API server takes bindings to what does not exist. Nobody gets the permissions, and the driver or scheduler is
refused when it runs.

Example:

    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: dra-driver-rol}

Instead: kind and name as the role has them; for a Role also its namespace. The rule is silent about roles that may be
in the cluster: those without a near miss, those named `system:…`, and all if a document could not be read.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from dractl.api.identities import ObjectRef
from dractl.api.objects import Sourced
from dractl.api.rbac import ClusterRole, ClusterRoleBinding, Role, RoleBinding
from dractl.finding import Severity
from dractl.near_misses import did_you_mean
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule

_BUILT_IN: Final = frozenset({"cluster-admin", "admin", "edit", "view"})
_SYSTEM: Final = "system:"
_ACCOUNT: Final = "ServiceAccount"
_Binding: TypeAlias = Sourced[RoleBinding] | Sourced[ClusterRoleBinding]


def check(context: LintContext) -> Iterator[Remark]:
    """Every binding's role, then every service account that one names."""
    bindings: list[_Binding] = [*context.objects.of(RoleBinding), *context.objects.of(ClusterRoleBinding)]
    bound = {_role_of(each) for each in bindings}
    roles = [*(each.ref for each in context.objects.of(Role)), *(each.ref for each in context.objects.of(ClusterRole))]
    unbound = [role for role in roles if role not in bound]
    accounts = [ref for ref in context.passed_by if ref.kind == _ACCOUNT]
    named = {account for each in bindings for _, account in _accounts(each)}
    for each in bindings:
        role = _role_of(each)
        if role not in roles and role.name not in _BUILT_IN and not role.name.startswith(_SYSTEM):
            yield from _of_role(each, role, unbound)
        unnamed = [ref for ref in accounts if ref not in named]
        for number, account in _accounts(each):
            if account not in accounts:
                yield from _of_account(each, number, account, unnamed)


def _of_account(binding: _Binding, number: int, account: ObjectRef, unnamed: list[ObjectRef]) -> Iterator[Remark]:
    """One that is nearly an account to which nothing is bound, in its name or its namespace."""
    by_name = did_you_mean(account.name, [ref.name for ref in unnamed if ref.namespace == account.namespace])
    by_namespace = did_you_mean(account.namespace, [ref.namespace for ref in unnamed if ref.name == account.name])
    if by_name or by_namespace:
        message = f"there is no service account {account.name} in namespace {account.namespace} of the input"
        place = binding.place.at("subjects", number, "name" if by_name else "namespace")
        yield Remark(message, place, str(binding.ref), by_name or by_namespace)


def _of_role(binding: _Binding, role: ObjectRef, unbound: list[ObjectRef]) -> Iterator[Remark]:
    remedy = did_you_mean(
        role.name, [each.name for each in unbound if (each.kind, each.namespace) == (role.kind, role.namespace)]
    )
    field = "name"
    same_name = next((each for each in unbound if each.name == role.name), None)
    if not remedy and same_name is not None and same_name.kind != role.kind:
        remedy, field = f"there is a {same_name.kind} of this name", "kind"
    elif not remedy and same_name is not None:
        remedy = f"there is one in namespace {same_name.namespace}; a RoleBinding finds only those of its own namespace"
    if remedy:
        where = f" in namespace {role.namespace}" if role.namespace else ""
        message = f"there is no {role.kind} {role.name}{where} of the input"
        yield Remark(message, binding.place.at("roleRef", field), str(binding.ref), remedy)


def _role_of(binding: _Binding) -> ObjectRef:
    role = binding.object.roleRef
    return ObjectRef(role.kind, binding.ref.namespace if role.kind == "Role" else "", role.name)


def _accounts(binding: _Binding) -> Iterator[tuple[int, ObjectRef]]:
    for number, subject in enumerate(binding.object.subjects or ()):
        if subject.kind == _ACCOUNT:
            yield number, ObjectRef(_ACCOUNT, subject.namespace, subject.name)


RULE = Rule("DRA602", "binding-misspelt", Severity.WARNING, __doc__, check, needs_all=("Role", "ClusterRole"))
