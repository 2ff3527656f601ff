"""Findings that somebody has looked at and wants to see no more: by annotation of an object, or in `.dractl.yaml`."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

from msgspec import Struct

from dractl.api.identities import ObjectRef
from dractl.api.objects import Sourced
from dractl.api.resource import ResourceSlice
from dractl.errors import FieldPath, Origin, Place
from dractl.finding import Finding
from dractl.observe.lint.registry import RULES
from dractl.observe.lint.rules.unused_suppression import RULE as UNUSED

IGNORE_ANNOTATION: Final = "dractl.dev/ignore"
"""Ids of rules, separated by commas: their findings about the object are left out."""


_IDS: Final = frozenset(rule.id for rule in RULES)


class Suppression(Struct, frozen=True):
    """An entry of `.dractl.yaml`: findings of `rule`, in files and about objects that match the patterns given.

    `paths` are patterns of file names, `objects` of `KIND NAMESPACE/NAME`. `place` is the entry.
    """

    rule: str
    place: Place
    paths: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()

    def covers(self, finding: Finding, files: Mapping[str, str]) -> bool:
        """Whether the finding is meant; `files` maps files to the names that patterns mean."""
        file = finding.place.origin.file if finding.place is not None else ""
        file = files.get(file, file)
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
    findings: Iterable[Finding],
    objects: Iterable[Sourced[Any]],
    entries: Sequence[Suppression],
    files: Mapping[str, str],
    always_shown: Collection[str] = (),
    unread: frozenset[ObjectRef] = frozenset(),
) -> tuple[list[Finding], int]:
    """The findings that are left, with those about suppressions in vain behind, and how many were suppressed.

    `files` maps the files that were read to the names that patterns mean: an entry for other files is not in vain.
    Nor is one for a rule that is silent about this input, without slices or with `unread` objects. Findings of the
    rules that are `always_shown` stay, and whoever names one is told.
    """
    known = tuple(objects)
    annotated = _Annotated(known, always_shown)
    used: set[Suppression] = set()
    kept: list[Finding] = []
    suppressed = 0
    for finding in findings:
        if finding.rule in always_shown:
            kept.append(finding)
            continue
        covering = [entry for entry in entries if entry.covers(finding, files)]
        used.update(covering)
        if annotated.suppresses(finding) or covering:
            suppressed += 1
        else:
            kept.append(finding)
    has_slices = any(isinstance(each.object, ResourceSlice) for each in known)
    silent = {rule.id for rule in RULES if (rule.needs_slices and not has_slices) or rule.is_blind(unread)}
    kept += annotated.unused(silent)
    for entry in entries:
        if entry.rule.lower() in always_shown:
            kept.append(_remark(_cannot_be_left_out(entry.rule), entry.place, "", "take it out"))
        elif _is_no_rule(entry.rule):
            kept.append(_no_rule(entry.rule, entry.place, ""))
        elif entry not in used and entry.rule.upper() not in silent and _is_read(entry, files):
            kept.append(_remark(f"{entry.rule} finds nothing that this entry means", entry.place, "", "take it out"))
    return kept, suppressed


def _is_read(entry: Suppression, files: Mapping[str, str]) -> bool:
    """Whether files were read for which the entry is; one for named objects only may be about any file."""
    return any(matches_path(file, pattern) for file in files.values() for pattern in entry.paths)


def _is_no_rule(name: str) -> bool:
    """Ids of findings that are no rules, such as containers/unused-claim, have a slash."""
    return "/" not in name and name.upper() not in _IDS


def _no_rule(name: str, place: Place, subject: str) -> Finding:
    return _remark(f"there is no rule {name}", place, subject, "dractl lint --rules lists them")


def _cannot_be_left_out(rule: str) -> str:
    return f"{rule} cannot be suppressed: it makes the input bad"


def _remark(message: str, place: Place, subject: str, remedy: str) -> Finding:
    return Finding(UNUSED.id, UNUSED.severity, message, place, subject, remedy)


class _Annotated:
    """The objects with the annotation, by the document they stand in."""

    def __init__(self, objects: Iterable[Sourced[Any]], always_shown: Collection[str]) -> None:
        self._always_shown: Final = always_shown
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

    def unused(self, silent: Collection[str]) -> Iterator[Finding]:
        """What annotations name in vain; `silent` are rules that cannot find anything in this input."""
        for found in self._by_document.values():
            for _, each, names in found:
                place = each.place.at("metadata", "annotations", IGNORE_ANNOTATION)
                for name, is_used in names.items():
                    if _is_no_rule(name):
                        yield _no_rule(name, place, str(each.ref))
                    elif not is_used and name.upper() not in (UNUSED.id, *silent):
                        is_grave = name.lower() in self._always_shown
                        message = _cannot_be_left_out(name) if is_grave else f"{name} finds nothing at this object"
                        yield _remark(
                            message, place, str(each.ref), f"take it out of the annotation {IGNORE_ANNOTATION}"
                        )
