"""Device metadata files: a stream of JSON objects, of which the first that is understood counts (metadata.md §5)."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from dractl.api.codec import to_api
from dractl.api.device_metadata import GROUP, KIND, VERSIONS, DeviceMetadata, MetadataFile
from dractl.errors import Fault, Origin, Place, Position, path_text
from dractl.finding import Finding, Severity
from dractl.manifests import remedies
from dractl.manifests.json_text import JsonNumber
from dractl.manifests.source import Notation, Source
from dractl.manifests.walk import Problem, Stage, walk

_BY_CONTENT: Final = re.compile(
    rb'\s*\{(?:(?!"items"\s*:).){0,4096}?"(?:apiVersion"\s*:\s*"metadata\.resource\.k8s\.io/|kind"\s*:\s*"DeviceMetadata")',
    re.DOTALL,
)
_BY_NAME: Final = re.compile(r"(?:resourceclaims|resourceclaimtemplates)/[^/]+/[^/]+/[^/]+-metadata\.json$")
_BY_HOST_NAME: Final = re.compile(r"dra-device-metadata/[^/]+/[^/]+/metadata\.json$")
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_WROTE_BY: Final = "the driver's library writes it: look for what changed the file, or copy it again"


def is_metadata(source: Source) -> bool:
    """Whether a file is device metadata: by what it says, or by a path that only such a file has."""
    if _BY_NAME.search(source.name) or _BY_HOST_NAME.search(source.name):
        return True
    return _BY_CONTENT.match(source.content.removeprefix(b"\xef\xbb\xbf")) is not None


class MetadataReading(Struct, frozen=True):
    """The files that can be read, and what is wrong with the others."""

    files: tuple[MetadataFile, ...] = ()
    faults: tuple[Fault, ...] = ()


def read_metadata(sources: Sequence[Source]) -> MetadataReading:
    """Read files as the Go library for containers does; a file that it refuses is a fault.

    Invalid UTF-8 becomes U+FFFD and of equal keys the last counts, as that library has it.
    """
    files: list[MetadataFile] = []
    faults: list[Fault] = []
    for source in sources:
        stream = _Stream(source)
        try:
            files.append(stream.read())
        except _Refused as refused:
            faults += refused.faults
    return MetadataReading(tuple(files), tuple(faults))


class _Refused(Exception):
    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = faults


class _Found(Struct, frozen=True):
    """One value of the stream: its number, where it begins, what it says it is, and the data."""

    number: int
    offset: int
    version: str
    kind: str
    data: Any


class _Stream:
    """One file, value by value."""

    def __init__(self, source: Source) -> None:
        self._file = source.name
        self._text = source.content.decode("utf-8", "replace")
        self._decoder = json.JSONDecoder(parse_float=JsonNumber, parse_constant=_refuse_constant)

    def read(self) -> MetadataFile:
        """The first object that counts. Raises _Refused."""
        skipped: list[_Found] = []
        at = 0
        while (value := self._next(at, len(skipped))) is not None:
            found, at = value
            if _is_foreign(found):
                skipped.append(found)
                continue
            return self._answer(found, skipped, [each.version for each in self._rest(at, found.number + 1)])
        raise _Refused([self._nothing(skipped)])

    def _answer(self, found: _Found, skipped: Sequence[_Found], rest: Sequence[str]) -> MetadataFile:
        """The object of a version that is known; everything that is wrong with it."""
        problems = list(_misnamed(found))
        read, wrong = walk(_with_exact_names(found.data), KIND, Notation.JSON)
        problems += [problem for problem in wrong if problem.stage is not Stage.STRICT]
        if problems:
            raise _Refused([self._undecodable(found, problem) for problem in problems])
        versions = (*(each.version for each in skipped), found.version, *rest)
        place = Place(self._origin(found))
        return MetadataFile(to_api(read, DeviceMetadata), found.version, versions, place, tuple(self._skipped(skipped)))

    def _next(self, at: int, number: int) -> tuple[_Found, int] | None:
        """The next value and where it ends; None at the end of the file. Raises _Refused for what is no JSON."""
        at = _behind_space(self._text, at)
        if at >= len(self._text):
            return None
        try:
            data, end = self._decoder.raw_decode(self._text, at)
        except json.JSONDecodeError as error:
            raise _Refused([self._no_json(error.pos, f"{error.msg[:1].lower()}{error.msg[1:]}")]) from None
        except (RecursionError, ValueError) as error:
            raise _Refused([self._no_json(at, str(error))]) from None
        version, kind, why = _type_of(data)
        if why:
            message = f"decode metadata object: {why}"
            raise _Refused([Fault(message, f'write "apiVersion": "{VERSIONS[0]}"', self._file, position=self._at(at))])
        return _Found(number, at, version, kind, data), end

    def _rest(self, at: int, number: int) -> Iterator[_Found]:
        """What stands behind the object that counts, up to the first thing that is none: no reader looks at it."""
        try:
            while (value := self._next(at, number)) is not None:
                found, at = value
                number += 1
                yield found
        except _Refused:
            return

    # --- what is wrong -------------------------------------------------------------------------------------------

    def _no_json(self, offset: int, text: str) -> Fault:
        if self._text.startswith("\ufeff"):
            offset, text = 0, "the file begins with a byte order mark"
        elif offset >= len(self._text.rstrip()) or text.startswith("unterminated"):
            text = "the file ends in the middle of an object"
        return Fault(f"read metadata object from stream: {text}", _WROTE_BY, self._file, position=self._at(offset))

    def _undecodable(self, found: _Found, problem: Problem) -> Fault:
        path = path_text(problem.path)
        return Fault(
            f"decode {found.version}: {f'{path}: ' if path else ''}{problem.message}",
            problem.remedy or _WROTE_BY,
            self._file,
            place=Place(self._origin(found), problem.path),
        )

    def _nothing(self, skipped: Sequence[_Found]) -> Fault:
        remedy = f"a driver has to write {VERSIONS[0]}"
        if not skipped:
            return Fault("no metadata objects found in stream", remedy, self._file)
        names = ", ".join(dict.fromkeys(each.version for each in skipped))
        message = f"no compatible metadata version found in stream (unknown versions: {names})"
        return Fault(message, remedy, self._file, place=Place(self._origin(skipped[0]), ("apiVersion",)))

    def _skipped(self, skipped: Sequence[_Found]) -> Iterator[Finding]:
        for each in skipped:
            yield Finding(
                "metadata/unknown-version",
                Severity.INFO,
                f"the object of version {each.version} is skipped: readers of Kubernetes 1.37 know only "
                f"{' and '.join(VERSIONS)}",
                Place(self._origin(each), ("apiVersion",)),
            )

    def _origin(self, found: _Found) -> Origin:
        return Origin(self._file, found.number, self._text.count("\n", 0, found.offset) + 1)

    def _at(self, offset: int) -> Position:
        offset = min(offset, len(self._text))
        return Position(self._text.count("\n", 0, offset) + 1, offset - self._text.rfind("\n", 0, offset))


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _behind_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _type_of(data: Any) -> tuple[str, str, str]:
    """apiVersion and kind, whose keys may be in any case; and why they cannot be told."""
    if not isinstance(data, dict):
        return "", "", f"an object is expected, but here is {remedies.describe(data)}"
    names: dict[str, Any] = {}
    for key, value in data.items():
        if key.lower() in ("apiversion", "kind") and value is not None:
            names[key.lower()] = value
    version, kind = names.get("apiversion", ""), names.get("kind", "")
    for name, value in (("apiVersion", version), ("kind", kind)):
        if not isinstance(value, str):
            return "", "", f"{name} must be text, but is {remedies.describe(value)}"
    if not version.strip("/"):
        return "", "", "apiVersion is missing"
    if version.count("/") > 1:
        return "", "", f'apiVersion "{version}" is not a group and a version'
    return version, kind, ""


def _is_foreign(found: _Found) -> bool:
    """Whether a reader passes the object by: a version that it does not know, with a kind."""
    return found.version not in (*VERSIONS, "v1") and found.kind != ""


def _misnamed(found: _Found) -> Iterator[Problem]:
    """What is wrong with the type itself in an object that readers do not pass by."""
    if not found.kind:
        yield Problem(Stage.MALFORMED, (), "kind is missing", f'write "kind": "{KIND}"')
    elif found.version not in VERSIONS:
        yield Problem(Stage.MALFORMED, ("apiVersion",), f"{KIND} is in {GROUP}", f"write {VERSIONS[0]}")
    elif found.kind != KIND:
        yield Problem(Stage.MALFORMED, ("kind",), f"there is no kind {found.kind}", f'write "kind": "{KIND}"')


def _with_exact_names(data: Mapping[str, Any]) -> dict[str, Any]:
    """The object without its type, whose keys may be in any case and are looked at already."""
    return {key: value for key, value in data.items() if key.lower() not in ("apiversion", "kind")}
