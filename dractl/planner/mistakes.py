"""Faults among findings: what cannot be read or would be refused, and what only follows from it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dractl.api.identities import ObjectRef
from dractl.api.objects import Sourced
from dractl.errors import Fault, Origin, Place
from dractl.finding import Finding, Severity

UNREADABLE = "reading/unreadable"
REFUSED = "validation/refused"


def as_findings(faults: Iterable[Fault], refused: Sequence[Fault]) -> Iterator[Finding]:
    """The faults as errors; `refused` are those that the API server would raise, all others are of reading."""
    for fault in faults:
        place = fault.place or (Place(Origin(fault.file)) if fault.file else None)
        yield Finding(
            REFUSED if fault in refused else UNREADABLE,
            Severity.ERROR,
            f"{fault.field}: {fault.message}" if fault.field else fault.message,
            place,
            fault.subject,
            fault.remedy,
            fault.position,
        )


def refused_objects(objects: Iterable[Sourced[Any]], refused: Iterable[Fault]) -> Iterator[ObjectRef]:
    """The objects in which the faults are. One whose name is at fault may be meant to have any."""
    by_document: dict[Origin, list[Sourced[Any]]] = {}
    for each in objects:
        by_document.setdefault(each.place.origin, []).append(each)
    for place in filter(None, (fault.place for fault in refused)):
        for each in by_document.get(place.origin, ()):
            root = each.place.path
            if place.path[: len(root)] == root:
                is_named = place.path[len(root) :][:2] != ("metadata", "name")
                yield each.ref if is_named else ObjectRef(each.ref.kind, each.ref.namespace, "")


def without_echoes(findings: Iterable[Finding], faults: Iterable[Fault]) -> Iterator[Finding]:
    """The findings that are not about a field in which, or around which, there is a fault already."""
    by_document: dict[Origin, list[Place]] = {}
    for fault in faults:
        if fault.place is not None:
            by_document.setdefault(fault.place.origin, []).append(fault.place)
    for finding in findings:
        at = finding.place
        if at is None or not any(_touch(at, other) for other in by_document.get(at.origin, ())):
            yield finding


def _touch(one: Place, other: Place) -> bool:
    """Whether one field is inside the other, or both are the same."""
    shorter = min(len(one.path), len(other.path))
    return one.path[:shorter] == other.path[:shorter]
