"""One input file: bytes to text, and text to documents, split where kubectl splits (reading.md, last section)."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import msgspec

from dractl.errors import BadInput, Fault, Origin, Position

STDIN_NAME: Final = "<stdin>"

_SEPARATOR: Final = re.compile(r"^---(?P<rest>[^\n]*)(?:\n|\Z)", re.MULTILINE)
_ONLY_DIRECTIVES: Final = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n|%[^\n]*(?:\n|\Z))*")
_NOT_YAML: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufeff\uff00-\ufffd\U00010000-\U0010ffff]")


class Notation(Enum):
    """How a document is written."""

    YAML = "YAML"
    JSON = "JSON"


@dataclass(frozen=True, slots=True)
class Source:
    """One input file: its name as the user gave it (`<stdin>` for standard input) and its bytes."""

    name: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Document:
    """The text of one document. Its first character stands in line `origin.line` and column `column` of the file.

    `bad_separator` is what stands behind the `---` above the document where nothing may stand.
    `maybe_json` marks a file that starts like JSON but is read as YAML, because as JSON it fails.
    """

    origin: Origin
    text: str = field(repr=False)
    notation: Notation = Notation.YAML
    column: int = 1
    bad_separator: str = ""
    maybe_json: bool = False

    def position(self, line: int, column: int, length: int = 1) -> Position:
        """The position in the file of a line and a column of this document, both counted from 0."""
        shift = self.column - 1 if line == 0 else 0
        return Position(self.origin.line + line, column + shift + 1, max(length, 1))


def decode(source: Source) -> str:
    """The text of a file: UTF-8, or UTF-16 by its mark. Raises BadInput at the first byte that is none."""
    content, encoding = source.content, _encoding(source)
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        sound = content[: error.start].decode(encoding, "ignore")
        raise BadInput([_not_text(source.name, sound, content[error.start : error.start + 1])]) from None


def decode_for_display(source: Source) -> str:
    """The text of a file with a mark in place of each byte that is no text, so that its lines can be shown."""
    return source.content.decode(_encoding(source), "replace").removeprefix("\ufeff")


def _encoding(source: Source) -> str:
    return "utf-16" if source.content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"


def _not_text(name: str, sound: str, wrong: bytes) -> Fault:
    position = Position(sound.count("\n") + 1, len(sound) - sound.rfind("\n"))
    return Fault(
        f"the file is not text: byte 0x{wrong.hex()} is not UTF-8",
        remedy="save it as UTF-8, or leave the file out if it is no manifest",
        file=name,
        position=position,
    )


def unprintable(text: str) -> tuple[int, str] | None:
    """Where the first character stands that YAML does not allow, and its name; None in sound text."""
    found = _NOT_YAML.search(text)
    return (found.start(), f"U+{ord(found[0]):04X}") if found else None


def split(name: str, text: str) -> list[Document]:
    """The documents of a file, empty ones too, without looking at what they say.

    Text that starts with `{` is JSON, several values in a row; if the first or the second fails, the rest is YAML.
    """
    if not text.lstrip().startswith("{"):
        return list(_yaml_documents(name, text, 0, 0))
    documents: list[Document] = []
    at = _skip_space(text, 0)
    while at < len(text):
        end = _value_end(text, at)
        if end is None:
            return documents + _behind_json(name, text, at, len(documents))
        origin, column = _origin(name, text, at, len(documents))
        documents.append(Document(origin, text[at:end], Notation.JSON, column))
        at = _skip_space(text, end)
    return documents


def _behind_json(name: str, text: str, at: int, count: int) -> list[Document]:
    if count >= 2:
        origin, column = _origin(name, text, at, count)
        return [Document(origin, text[at:], Notation.JSON, column)]
    start = 0 if count == 0 else at
    return list(_yaml_documents(name, text, start, count, maybe_json=True))


def _value_end(text: str, start: int) -> int | None:
    try:
        msgspec.json.decode(text[start:], type=msgspec.Raw)  # by far the quickest, if the rest is one value
        return len(text)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        return json.JSONDecoder().raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _origin(name: str, text: str, at: int, number: int) -> tuple[Origin, int]:
    return Origin(name, number, text.count("\n", 0, at) + 1), at - text.rfind("\n", 0, at)


def _yaml_documents(name: str, text: str, start: int, number: int, *, maybe_json: bool = False) -> Iterator[Document]:
    line = text.count("\n", 0, start) + 1
    column = start - text.rfind("\n", 0, start)
    bad_separator = ""
    begin = start
    for separator in _SEPARATOR.finditer(text, start):
        chunk = text[begin : separator.start()]
        if "%" in chunk and _ONLY_DIRECTIVES.fullmatch(chunk):
            continue  # the separator belongs to the directives above it
        if chunk.strip() or bad_separator:
            yield Document(Origin(name, number, line), chunk, Notation.YAML, column, bad_separator, maybe_json)
            number += 1
        line += text.count("\n", begin, separator.end())
        begin, column = separator.end(), 1
        bad_separator = _bad_rest(separator["rest"])
    if text[begin:].strip() or bad_separator:
        yield Document(Origin(name, number, line), text[begin:], Notation.YAML, column, bad_separator, maybe_json)


def _bad_rest(rest: str) -> str:
    rest = rest.strip()
    return "" if rest.startswith("#") else rest
