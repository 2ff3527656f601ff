"""Where a character of a text value stands in the file, whatever the notation that the text is written in."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dractl.errors import Position, TextSpot

_PROPERTIES: Final = re.compile(r"(?:[&!]\S*\s+)*")
_BLOCK: Final = re.compile(r"[|>][-+0-9]*(?:\s+#.*|\s*)$")
_BLANKS: Final = frozenset("ntr")
_THEMSELVES: Final = frozenset('"\\/')


def position_within(lines: Sequence[str], start: Position, text: str, spot: TextSpot) -> Position | None:
    """The character's position, or None where it cannot be told surely.

    `lines` are those of the file, `start` is where the value begins. A notation may break and indent a text at its
    blanks: all other characters stand one behind the other, and have to be those of the text up to the one that is
    meant. A blank is taken for the character behind it, the end of the text for what follows its last character.
    """
    offset = _offset(text, spot)
    wanted = re.sub(r"\s", "", text[:offset])
    rest = text[offset:].lstrip()
    written = _written(lines, start)
    last = start
    for character in wanted:
        found = next(written, None)
        if found is None or found[0] != character:
            return None
        last = found[1]
    if not rest:
        return Position(last.line, last.column + 1)
    found = next(written, None)
    return found[1] if found is not None and found[0] == rest[0] else None


def _offset(text: str, spot: TextSpot) -> int:
    before = text.split("\n")[: spot.line - 1]
    return sum(len(line) + 1 for line in before) + spot.column - 1


def _written(lines: Sequence[str], start: Position) -> Iterator[tuple[str, Position]]:
    """The characters of a value without its blanks, each with its position."""
    head = lines[start.line - 1]
    column = _PROPERTIES.match(head, start.column - 1).end()  # type: ignore[union-attr]
    opening = head[column : column + 1]
    if _BLOCK.match(head, column):
        yield from _characters(lines, start.line, 0, "")
    elif opening in ("'", '"'):
        yield from _characters(lines, start.line - 1, column + 1, opening)
    else:
        yield from _characters(lines, start.line - 1, column, "")


def _characters(lines: Sequence[str], first: int, column: int, quote: str) -> Iterator[tuple[str, Position]]:
    for number in range(first, len(lines)):
        line = lines[number]
        while column < len(line):
            character, width = _character(line, column, quote)
            if not character:
                return
            if not character.isspace():
                yield character, Position(number + 1, column + 1)
            column += width
        column = 0


def _character(line: str, column: int, quote: str) -> tuple[str, int]:
    """A character as it is meant, and on how many it is written; nothing where the text ends or is not understood."""
    character, following = line[column], line[column + 1 : column + 2]
    if quote == '"' and character == "\\":
        if following in _THEMSELVES or not following:
            return following or " ", 2
        return (" ", 2) if following in _BLANKS else ("", 0)
    if character != quote:
        return character, 1
    return (quote, 2) if quote == "'" and following == quote else ("", 0)
