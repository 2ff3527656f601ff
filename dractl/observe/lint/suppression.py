"""Findings that somebody has looked at and wants to see no more: by annotation of an object, or in `.dractl.yaml`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from dractl.api.objects import ObjectSet, Sourced
from dractl.errors import FieldPath, Origin, Place
from dractl.finding import Finding
from dractl.observe.lint.rules.unused_suppression import RULE as UNUSED

IGNORE_ANNOTATION: Final = "dractl.dev/ignore"
"""Ids of rules, separated by commas: their findings about the object are left out."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """An entry of `.dractl.yaml`: findings of `rule`, in files and about objects that match the patterns given.

    `paths` are patterns of file names as findings have them, `objects` of `KIND NAMESPACE/NAME`. `place` is the entry.
    """

    rule: str
    place: Place
    paths: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()

    def covers(self, finding: Finding) -> bool:
        """Whether the finding is meant."""
        file = finding.place.origin.file if finding.place is not None else ""
        return (
            finding.rule.lower() == self.rule.lower()
            and (not self.paths or any(matches_path(file, pattern) for pattern in self.paths))
            and (not self.objects or any(fnmatchcase(finding.subject, pattern) for pattern in self.objects))
        )


def matches_path(file: str, pattern: str) -> bool:
    """Whether a pattern means a file; `*` crosses folders, and a folder's name means everything in it."""
    file = file.removeprefix("./")
    return (
        fnmatchcase(file, pattern) or fnmatchcase(file, f"{pattern.rstrip('/')}/*") or fnmatchcase(file, f"*/{pattern}")
    )


def suppress(
    findings: Iterable[Finding], objects: ObjectSet, entries: Sequence[Suppression], files: Sequence[str]
) -> tuple[list[Finding], int]:
    """The findings that are left, with those about suppressions in vain behind, and how many were suppressed.

    `files` are those that were read: an entry for other files is not in vain.
    """
    annotated = _Annotated(objects)
    used: set[Suppression] = set()
    kept: list[Finding] = []
    suppressed = 0
    for finding in findings:
        covering = [entry for entry in entries if entry.covers(finding)]
        used.update(covering)
        if annotated.suppresses(finding) or covering:
            suppressed += 1
        else:
            kept.append(finding)
    kept += annotated.unused()
    kept += [_in_vain(entry) for entry in entries if entry not in used and _is_read(entry, files)]
    return kept, suppressed


def _is_read(entry: Suppression, files: Sequence[str]) -> bool:
    """Whether files were read for which the entry is; one for named objects only may be about any file."""
    return any(matches_path(file, pattern) for file in files for pattern in entry.paths)


def _in_vain(entry: Suppression) -> Finding:
    return Finding(
        UNUSED.id,
        UNUSED.severity,
        f"{entry.rule} finds nothing that this entry means",
        entry.place,
        "",
        "take the entry out, or check the spelling of the rule, path and object",
    )


class _Annotated:
    """The objects with the annotation, by the document they stand in."""

    def __init__(self, objects: ObjectSet) -> None:
        self._by_document: dict[Origin, list[tuple[FieldPath, Sourced[Any], dict[str, bool]]]] = {}
        for each in objects:
            text = (each.metadata.annotations or {}).get(IGNORE_ANNOTATION)
            if text is not None and each.made_by is None:
                names = dict.fromkeys((name.strip() for name in text.split(",") if name.strip()), False)
                self._by_document.setdefault(each.place.origin, []).append((each.place.path, each, names))

    def suppresses(self, finding: Finding) -> bool:
        """Whether the object that the finding points into has the rule in its annotation."""
        if finding.place is None:
            return False
        for path, _, names in self._by_document.get(finding.place.origin, ()):
            if finding.place.path[: len(path)] == path:
                named = next((name for name in names if name.lower() == finding.rule.lower()), None)
                if named is not None:
                    names[named] = True
                    return True
        return False

    def unused(self) -> Iterator[Finding]:
        """What annotations name in vain."""
        for found in self._by_document.values():
            for _, each, names in found:
                yield from _unused(each, names)


def _unused(each: Sourced[Any], names: Mapping[str, bool]) -> Iterator[Finding]:
    for name, is_used in names.items():
        if not is_used and name.upper() != UNUSED.id:
            yield Finding(
                UNUSED.id,
                UNUSED.severity,
                f"{name} finds nothing at this object",
                each.place.at("metadata", "annotations", IGNORE_ANNOTATION),
                str(each.ref),
                f"take it out of the annotation {IGNORE_ANNOTATION}",
            )
