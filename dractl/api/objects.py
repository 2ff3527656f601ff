"""Everything that was read or made from it: objects, each with the place that it comes from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

from msgspec import Struct

from dractl.api.base import ObjectMeta
from dractl.api.identities import ObjectRef
from dractl.errors import Place

T = TypeVar("T")


class Sourced(Struct, Generic[T], frozen=True):
    """An object and where its root stands: for a generated pod or claim that is the template inside its owner.

    `version` is the apiVersion as it was written; the object itself is already converted.
    `made_by` is the owner that dractl made the object for, or None if the object was read.
    """

    object: T
    ref: ObjectRef
    place: Place
    version: str
    made_by: ObjectRef | None = None

    @property
    def metadata(self) -> ObjectMeta:
        """The object's metadata; every kind has it."""
        return cast("ObjectMeta", cast("Any", self.object).metadata)

    @property
    def is_new(self) -> bool:
        """Whether no cluster has the object yet: it is a manifest, or was made from one."""
        return self.made_by is not None or not self.metadata.is_dump


def written(sourced: Sourced[Any], objects: Mapping[ObjectRef, Sourced[Any]]) -> Sourced[Any]:
    """The object in the input that led to this one: what a user can change."""
    while sourced.made_by is not None and sourced.made_by in objects:
        sourced = objects[sourced.made_by]
    return sourced


class ObjectSet:
    """Objects by type, in input order. Never changed: `with_more` makes a larger set."""

    def __init__(self, objects: Iterable[Sourced[Any]] = ()) -> None:
        self._all = tuple(objects)
        self._by_type: dict[type, list[Sourced[Any]]] = {}
        for sourced in self._all:
            self._by_type.setdefault(type(sourced.object), []).append(sourced)

    def of(self, kind: type[T]) -> Sequence[Sourced[T]]:
        """All objects of one API type."""
        return self._by_type.get(kind, [])

    def with_more(self, objects: Iterable[Sourced[Any]]) -> "ObjectSet":
        """This set and further objects behind it."""
        return ObjectSet((*self._all, *objects))

    def __iter__(self) -> Iterator[Sourced[Any]]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)
