"""Unique ids of objects that have none yet, derived from their names so that every run gives the same."""

import uuid
from typing import Any, Final

from dractl.api.identities import ObjectRef
from dractl.api.objects import Sourced

_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_DNS, "dractl")


def derived_uid(ref: ObjectRef) -> str:
    """The UUIDv5 of an object's kind, namespace and name."""
    return str(uuid.uuid5(_NAMESPACE, f"{ref.kind}/{ref.namespace}/{ref.name}"))


def uid_of(sourced: Sourced[Any]) -> str:
    """The object's own uid, or the derived one where it has none (a manifest)."""
    return sourced.metadata.uid or derived_uid(sourced.ref)
