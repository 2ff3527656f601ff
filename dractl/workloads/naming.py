"""Names that a cluster ends in random characters: here in the smallest free index (controllers.md §6)."""

from typing import Any, Final

from msgspec import structs

from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced

_LONGEST_BASE: Final = 58
"""What the API server keeps of a generateName, before five random characters."""

_LONGEST_CLAIM_BASE: Final = 57
"""What the resourceclaim controller allows itself for `POD-ENTRY-`."""


class Names:
    """The names in use, by kind and namespace; every name given out is in use from then on."""

    def __init__(self, objects: ObjectSet) -> None:
        self._taken = {sourced.ref for sourced in objects}
        self._next: dict[ObjectRef, int] = {}

    def is_taken(self, ref: ObjectRef) -> bool:
        """Whether an object of that kind and name exists."""
        return ref in self._taken

    def take(self, ref: ObjectRef) -> None:
        """Mark a name as in use."""
        self._taken.add(ref)

    def numbered(self, kind: str, namespace: str, base: str) -> ObjectRef:
        """`base` and the smallest index that is free."""
        key = ObjectRef(kind, namespace, base)
        index = self._next.get(key, 0)
        while (ref := ObjectRef(kind, namespace, f"{base}{index}")) in self._taken:
            index += 1
        self._next[key] = index + 1
        self.take(ref)
        return ref

    def plain_or_numbered(self, kind: str, namespace: str, name: str) -> ObjectRef:
        """`name` itself if it is free, else `name-1`, `name-2` and so on."""
        ref, index = ObjectRef(kind, namespace, name), 0
        while ref in self._taken:
            index += 1
            ref = ObjectRef(kind, namespace, f"{name}-{index}")
        self.take(ref)
        return ref


def generate_name(prefix: str) -> str:
    """The `generateName` of objects whose names begin with `prefix-`, as much of it as the API server keeps."""
    return f"{prefix}-"[:_LONGEST_BASE]


def claim_generate_name(pod: str, entry: str) -> str:
    """A claim's `generateName`: long names lose their ends in proportion, and the last `-` (controllers.md §1)."""
    whole = f"{pod}-{entry}-"
    length = len(whole)
    if length <= _LONGEST_CLAIM_BASE:
        return whole
    return f"{pod[: len(pod) * _LONGEST_CLAIM_BASE // length]}-{entry[: len(entry) * _LONGEST_CLAIM_BASE // length]}"


def name_all(objects: ObjectSet) -> ObjectSet:
    """The set with a name for every object that was read with a `generateName` only."""
    if all(sourced.ref.name for sourced in objects):
        return objects
    names = Names(objects)
    return ObjectSet(sourced if sourced.ref.name else _named(sourced, names) for sourced in objects)


def _named(sourced: Sourced[Any], names: Names) -> Sourced[Any]:
    base = sourced.metadata.generateName[:_LONGEST_BASE]
    ref = names.numbered(sourced.ref.kind, sourced.ref.namespace, base)
    metadata = structs.replace(sourced.metadata, name=ref.name)
    return structs.replace(sourced, object=structs.replace(sourced.object, metadata=metadata), ref=ref)
