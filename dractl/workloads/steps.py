"""What one controller adds to the objects, and how the parts of an expansion are put together."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from msgspec import Struct

from dractl.api.core import Pod
from dractl.api.identities import ObjectRef
from dractl.api.objects import ObjectSet, Sourced
from dractl.errors import BadInput, Fault, FieldPath, path_text
from dractl.finding import Finding, Severity
from dractl.workloads.naming import Names
from dractl.workloads.owners import Owned

T = TypeVar("T")


class Step(Struct, frozen=True):
    """The objects after one controller has acted, and what there is to say about it."""

    objects: ObjectSet
    findings: tuple[Finding, ...] = ()


class Made(Struct, frozen=True):
    """What one workload adds: pods, remarks, and pods that it deletes in order to replace them."""

    pods: tuple[Sourced[Pod], ...] = ()
    findings: tuple[Finding, ...] = ()
    deleted: frozenset[ObjectRef] = frozenset()


MOST_PODS: Final = 150_000
"""What Kubernetes is made for, in one cluster."""

PodRule = Callable[[Sourced[T], Sequence[Sourced[Pod]], Names], Made]
"""A workload, the pods that it controls, the names in use → what it adds."""


def note(rule: str, subject: Sourced[Any], message: str, *path: str | int) -> Finding:
    """A remark about one object that changes nothing."""
    return Finding(rule, Severity.INFO, message, subject.place.at(*path), str(subject.ref))


def bad_field(subject: Sourced[Any], path: FieldPath, message: str, remedy: str) -> BadInput:
    """The error for a field that no controller could work with."""
    return BadInput(
        [
            Fault(
                message,
                remedy,
                file=subject.place.origin.file,
                place=subject.place.at(*path),
                subject=str(subject.made_by or subject.ref),
                field=path_text(path),
            )
        ]
    )


def check_count(owner: Sourced[Any], pods: int, *path: str | int) -> None:
    """Refuse a number of pods that no cluster can hold, before they are made. Raises BadInput."""
    if pods > MOST_PODS:
        message = f"asks for {pods} pods, more than a cluster can hold ({MOST_PODS})"
        raise bad_field(owner, path, message, "write a smaller number")


def make_pods(objects: ObjectSet, kind: type[T], rule: PodRule[T]) -> Step:
    """Apply the rule of one workload kind to all its objects, in input order; those being deleted make nothing."""
    if not objects.of(kind):
        return Step(objects)
    owned = Owned(objects.of(Pod))
    names = Names(objects)
    made: dict[ObjectRef, Sequence[Sourced[Any]]] = {}
    findings: list[Finding] = []
    deleted: set[ObjectRef] = set()
    for owner in objects.of(kind):
        if owner.metadata.deletionTimestamp is not None:
            continue
        result = rule(owner, owned.by(owner), names)
        made[owner.ref] = result.pods
        findings += result.findings
        deleted |= result.deleted
    return Step(changed(objects, behind=made, without=deleted), tuple(findings))


def changed(
    objects: ObjectSet,
    *,
    behind: Mapping[ObjectRef, Sequence[Sourced[Any]]] | None = None,
    replaced: Mapping[ObjectRef, Sourced[Any]] | None = None,
    without: Collection[ObjectRef] = (),
) -> ObjectSet:
    """The set with objects put behind others, exchanged or left out; the order of all else stays."""
    new, more = replaced or {}, behind or {}
    if not (new or any(more.values()) or without):
        return objects

    def result() -> Iterator[Sourced[Any]]:
        for sourced in objects:
            if sourced.ref not in without:
                yield new.get(sourced.ref, sourced)
            yield from more.get(sourced.ref, ())

    return ObjectSet(result())
