"""The kinds that dractl reads, in which versions, and what became of kinds and versions that are gone (gates.md §3)."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from msgspec import Struct

from dractl.api import conversion, core, older, quota, rbac, resource, scheduling, workload
from dractl.manifests.served import DRA, NEWEST_RELEASE, SCHEDULING, first_release, versions_in
from dractl.phrases import listed

RBAC: Final = "rbac.authorization.k8s.io"


class Version(Struct, frozen=True):
    """One version of a kind: the fields it has, the type it is read as, and how that becomes the current type."""

    name: str
    shape: str
    type: type
    to_current: Callable[[Any], Any] | None = None


class Kind(Struct, frozen=True):
    """A kind that dractl reads, its versions newest first."""

    group: str
    name: str
    is_namespaced: bool
    versions: tuple[Version, ...]

    def version(self, name: str) -> Version | None:
        """One version by name, if dractl reads it."""
        return next((version for version in self.versions if version.name == name), None)

    def current(self, release: str) -> str:
        """The newest apiVersion that can be read and that the release has."""
        return api_version(self.group, self._readable(release)[0])

    def understood(self, release: str) -> str:
        """The apiVersions that can be read, newest first: `resource.k8s.io/v1, v1beta2 and v1beta1`."""
        first, *others = self._readable(release)
        return listed([api_version(self.group, first), *others])

    def _readable(self, release: str) -> list[str]:
        """Those that the release has; where it has none of them, all."""
        has = versions_in(self.group, self.name, release)
        names = [version.name for version in self.versions]
        return [name for name in names if has is None or name in has] or names


def api_version(group: str, version: str) -> str:
    """`apps/v1`, or `v1` for the core group."""
    return f"{group}/{version}" if group else version


def group_and_version(text: str) -> tuple[str, str]:
    """The two parts of an apiVersion; the core group is empty."""
    group, _, version = text.rpartition("/")
    return group, version


def _plain(group: str, kind: type, *, namespaced: bool = True) -> Kind:
    return Kind(group, kind.__name__, namespaced, (Version("v1", f"V1{kind.__name__}", kind),))


def _dra(kind: type, older_kind: type, convert: Callable[[Any], Any] | None, *, namespaced: bool) -> Kind:
    name = kind.__name__
    current = f"ResourceV1{name}" if name == "ResourceClaim" else f"V1{name}"
    return Kind(
        DRA,
        name,
        namespaced,
        (
            Version("v1", current, kind),
            Version("v1beta2", f"V1beta2{name}", kind),
            Version("v1beta1", f"V1beta1{name}", older_kind, convert),
        ),
    )


def _rules() -> Kind:
    rule = resource.DeviceTaintRule
    return Kind(
        DRA,
        "DeviceTaintRule",
        False,
        (
            Version("v1", "V1DeviceTaintRule", rule),
            Version("v1beta2", "V1beta2DeviceTaintRule", rule),
            Version("v1alpha3", "V1alpha3DeviceTaintRule", rule),
        ),
    )


def _group(kind: type) -> Kind:
    name = kind.__name__
    return Kind(
        SCHEDULING,
        name,
        True,
        (
            Version("v1beta1", f"V1beta1{name}", kind),
            Version("v1alpha3", f"V1alpha3{name}", kind),
        ),
    )


@cache
def kinds() -> Mapping[tuple[str, str], Kind]:
    """Every kind that dractl reads, by group and name."""
    pool_request = resource.ResourcePoolStatusRequest
    every = (
        _plain("", core.Pod),
        _plain("", core.Node, namespaced=False),
        _plain("", core.Namespace, namespaced=False),
        _plain("", core.Service),
        _plain("", quota.ResourceQuota),
        _plain("", quota.LimitRange),
        _plain("", workload.ReplicationController),
        _plain("apps", workload.ReplicaSet),
        _plain("apps", workload.Deployment),
        _plain("apps", workload.StatefulSet),
        _plain("apps", workload.DaemonSet),
        _plain("batch", workload.Job),
        _plain("batch", workload.CronJob),
        _plain(SCHEDULING, core.PriorityClass, namespaced=False),
        _plain("node.k8s.io", core.RuntimeClass, namespaced=False),
        _plain(RBAC, rbac.Role),
        _plain(RBAC, rbac.ClusterRole, namespaced=False),
        _plain(RBAC, rbac.RoleBinding),
        _plain(RBAC, rbac.ClusterRoleBinding, namespaced=False),
        _group(scheduling.PodGroup),
        _group(scheduling.Workload),
        _dra(resource.DeviceClass, resource.DeviceClass, None, namespaced=False),
        _dra(resource.ResourceClaim, older.ResourceClaim, conversion.claim, namespaced=True),
        _dra(resource.ResourceClaimTemplate, older.ResourceClaimTemplate, conversion.template, namespaced=True),
        _dra(resource.ResourceSlice, older.ResourceSlice, conversion.resource_slice, namespaced=False),
        _rules(),
        Kind(
            DRA,
            "ResourcePoolStatusRequest",
            False,
            (Version("v1alpha3", "V1alpha3ResourcePoolStatusRequest", pool_request),),
        ),
    )
    return {(kind.group, kind.name): kind for kind in every}


SUCCESSORS: Final[Mapping[tuple[str, str], tuple[str, str]]] = {
    (DRA, "ResourceClass"): ("1.31", "write a DeviceClass (resource.k8s.io/v1): it selects devices by CEL expressions"),
    (DRA, "PodSchedulingContext"): (
        "1.32",
        "take the object out: the scheduler allocates by itself now and writes the result into the claim's status",
    ),
    (DRA, "ResourceClaimParameters"): (
        "1.31",
        "write the requests into the ResourceClaim itself (`spec.devices.requests`)",
    ),
    (DRA, "ResourceClassParameters"): ("1.31", "write the configuration into the DeviceClass itself (`spec.config`)"),
}
"""Kinds that DRA once had: since when they are gone, and what to write instead."""

OLD_GROUPS: Final = {"extensions": "apps"}
"""Groups that are gone, and where their kinds went."""


def version_fault(kind: Kind, written: str, release: str) -> tuple[str, str]:
    """What is wrong with an apiVersion in which dractl does not read a kind, and what to write instead."""
    group, version = group_and_version(written)
    has = versions_in(kind.group, kind.name, release)
    if has == ():
        since = f"it is there from Kubernetes {first_release(kind.group, kind.name)} on"
        return f"Kubernetes {release} has no {kind.name}", since
    if has is None or any(kind.version(each) for each in has):
        message = f"Kubernetes {release} has no {kind.name} in {written}, only in {kind.understood(release)}"
        return message, _version_remedy(kind, version, release)
    only = f"dractl reads {kind.name} in {kind.understood(release)}, which Kubernetes {NEWEST_RELEASE} has"
    if group == kind.group and version in has:
        return f"dractl does not read {kind.name} in {written}", f"{only}: leave the object out, or write a copy so"
    return f"Kubernetes {release} has no {kind.name} in {written}, only in {listed(has)}", only


def _version_remedy(kind: Kind, version: str, release: str) -> str:
    current = kind.current(release)
    if kind.group == DRA and version == "v1alpha3":
        return (
            f"write {DRA}/v1beta1, whose spelling is nearly the same and which can be converted, "
            f"or {DRA}/v1, where a request's fields stand below `exactly`"
        )
    if kind.group == DRA and version in ("v1alpha1", "v1alpha2"):
        form = _NEW_FORM.get(kind.name, f"write {current}")
        return f"{form}; {version} is gone since Kubernetes 1.31 and cannot be converted"
    return f"write {current}, and compare the fields"


_CLAIM_FORM: Final = (
    "write {version} with `spec{more}.devices.requests[].exactly.deviceClassName` in place of `resourceClassName`"
)
_NEW_FORM: Final = {
    "ResourceClaim": _CLAIM_FORM.format(version=f"{DRA}/v1", more=""),
    "ResourceClaimTemplate": _CLAIM_FORM.format(version=f"{DRA}/v1", more=".spec"),
    "DeviceClass": f"write {DRA}/v1 with `spec.selectors[].cel.expression`",
    "ResourceSlice": f"write {DRA}/v1 with `spec.driver`, `spec.pool` and `spec.devices`",
}
