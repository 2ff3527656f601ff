"""From a place to line and column: the one document is read again, this time with positions."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from dractl.api.pause import collector_paused
from dractl.errors import Origin, Place, Position
from dractl.manifests.document import read_document
from dractl.manifests.source import Document, Source, decode_for_display, split
from dractl.manifests.tree import Spot, Tree
from dractl.manifests.within import position_within

_LINE_END: Final = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


class Locator:
    """Finds places in the sources that were read; keeps what it has looked up."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = {source.name: source for source in sources}
        self._documents: dict[str, list[Document]] = {}
        self._trees: dict[Origin, Tree] = {}

    def locate(self, place: Place) -> Position | None:
        """Where the value of a field stands, or the innermost enclosing one that is there; None for unknown files.

        Of a list item and of a whole document the key is where the value is. A character of a text is found where the
        notation lets it be told surely. Paths of v1 find the fields of v1beta1 objects too.
        """
        spot = self._spot(place)
        if spot is None:
            return None
        if place.within is not None and spot.text is not None:
            lines = _lines(self._sources[place.origin.file])
            return position_within(lines, spot.value, spot.text, place.within) or spot.value
        return spot.key if place.is_key else spot.value

    def text_at(self, place: Place) -> str:
        """The value of a field as it is written, up to the end of the line; empty where it cannot be found."""
        position = self.locate(place)
        if position is None:
            return ""
        line = excerpt(self._sources[place.origin.file], position)
        return line[position.column - 1 : position.column - 1 + position.length]

    def _spot(self, place: Place) -> Spot | None:
        if place.origin not in self._trees:
            document = self._document(place.origin)
            if document is None:
                return None
            with collector_paused():
                self._trees[place.origin] = read_document(document, positions=True)
        return self._trees[place.origin].spot(place.path)

    def _document(self, origin: Origin) -> Document | None:
        source = self._sources.get(origin.file)
        if source is None:
            return None
        if origin.file not in self._documents:
            self._documents[origin.file] = split(source.name, decode_for_display(source))
        documents = self._documents[origin.file]
        return documents[origin.document] if origin.document < len(documents) else None


def excerpt(source: Source, position: Position) -> str:
    """The line of a file that a position is in, without its line end; empty behind the end of the file."""
    lines = _lines(source)
    return lines[position.line - 1] if position.line <= len(lines) else ""


@lru_cache(maxsize=1)
def _lines(source: Source) -> list[str]:
    """Kept for the last file only: faults are shown file by file."""
    return _LINE_END.split(decode_for_display(source))
