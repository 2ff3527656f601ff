"""Who controls what: owner references, written and read (controllers.md §6)."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Generic, TypeVar

from dractl.api.base import OwnerReference
from dractl.api.identities import ObjectRef
from dractl.api.objects import Sourced
from dractl.api.uids import uid_of

T = TypeVar("T")

API_VERSIONS: Final = {
    "ReplicationController": "v1",
    "ReplicaSet": "apps/v1",
    "Deployment": "apps/v1",
    "StatefulSet": "apps/v1",
    "DaemonSet": "apps/v1",
    "Job": "batch/v1",
    "CronJob": "batch/v1",
    "Pod": "v1",
    "PodGroup": "scheduling.k8s.io/v1beta1",
}
"""The kinds that own pods, Jobs, ReplicaSets or claims, with the version that owner references name."""


def controller_reference(owner: Sourced[Any], *, blocks: bool | None = True) -> OwnerReference:
    """The reference that an object made for `owner` bears."""
    return OwnerReference(
        apiVersion=API_VERSIONS[owner.ref.kind],
        kind=owner.ref.kind,
        name=owner.ref.name,
        uid=uid_of(owner),
        controller=True,
        blockOwnerDeletion=blocks,
    )


def is_controlled_by(owned: Sourced[Any], owner: Sourced[Any]) -> bool:
    """Whether `owner` controls the object: by uid, or by name where one side has no uid."""
    reference = owned.metadata.controller
    if reference is None or owned.ref.namespace != owner.ref.namespace:
        return False
    if not refers_to_kind(reference, owner.ref.kind):
        return False
    own = owner.metadata.uid
    if reference.uid and own:
        return reference.uid == own
    return reference.name == owner.ref.name


def refers_to_kind(reference: OwnerReference, kind: str) -> bool:
    """Whether a reference means Kubernetes' own kind of that name; without an apiVersion the kind alone decides."""
    group = _group(reference.apiVersion)
    return reference.kind == kind and (not reference.apiVersion or group == _group(API_VERSIONS[kind]))


def _group(version: str) -> str:
    return version.rpartition("/")[0]


class Owned(Generic[T]):
    """Objects of one type by what controls them."""

    def __init__(self, objects: Iterable[Sourced[T]]) -> None:
        self._by_owner: dict[ObjectRef, list[Sourced[T]]] = {}
        for sourced in objects:
            reference = sourced.metadata.controller
            if reference is not None:
                named = ObjectRef(reference.kind, sourced.ref.namespace, reference.name)
                self._by_owner.setdefault(named, []).append(sourced)

    def by(self, owner: Sourced[Any]) -> Sequence[Sourced[T]]:
        """What `owner` controls, in input order."""
        return [sourced for sourced in self._by_owner.get(owner.ref, ()) if is_controlled_by(sourced, owner)]
