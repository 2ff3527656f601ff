"""What a reader makes of one document: plain data, what is wrong with the text, and on demand where things stand."""

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import Struct, field

from dractl.errors import Fault, FieldPath, Place, Position
from dractl.finding import Finding
from dractl.manifests.source import Document


class Spot(Struct, frozen=True):
    """Where a value stands, and where its key does. A list item has no key: there both are the value's.

    `text` is the value itself where it is a text.
    """

    key: Position
    value: Position
    text: str | None = None


Marks: TypeAlias = dict[str | int, tuple[Any, Any]]
"""For each entry of a map or list the reader's own marks of its key and of its value."""


class Tree(Struct):
    """One document as plain data: dict, list, str, int, float, bool, None.

    `has_fractions` is set where a JSON text has numbers with a fraction or an exponent (`json_text.JsonNumber`).

    `marks` holds, by the id of each dict and list, where its entries stand, and `root` where the whole does; they are
    empty unless positions were asked for. `position_of` turns the reader's marks into positions in the file.
    """

    document: Document
    value: Any = None
    faults: list[Fault] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    marks: dict[int, Marks] = field(default_factory=dict)
    root: Any = None
    has_fractions: bool = False
    position_of: Callable[[Any], Position] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the document holds nothing, so that kubectl skips it."""
        return self.value is None and not self.faults

    def fault(
        self, message: str, position: Position, remedy: str = "", *, field: str = "", path: FieldPath | None = None
    ) -> None:
        """Note something that is wrong with the text itself; `field` as it is shown, `path` where it takes a value."""
        place = place_of(self.document, path) if path is not None else None
        self.faults.append(
            Fault(message, remedy, file=self.document.origin.file, place=place, position=position, field=field)
        )

    def spot(self, path: FieldPath) -> Spot | None:
        """Where a path leads; the innermost part of it that is there, if not all of it is.

        An object of an older version is looked up with the paths of v1: what v1 puts under `exactly` stands in the
        request itself, and what v1 has in the device may stand under `basic` (validation.md §1).
        """
        if self.position_of is None or self.root is None:
            return None
        container, last = self.value, (self.root, self.root)
        for step in path:
            container, found = _old_shape(container, step)
            if found is None:
                continue
            marks = self.marks.get(id(container), {}).get(found)
            if marks is None:
                break
            last, container = marks, container[found]
        text = container if isinstance(container, str) else None
        return Spot(self.position_of(last[0]), self.position_of(last[1]), text)


def _old_shape(container: Any, step: str | int) -> tuple[Any, str | int | None]:
    if isinstance(container, dict) and step not in container:
        if step == "exactly":
            return container, None
        if isinstance(container.get("basic"), dict):
            return container["basic"], step
    return container, step


def place_of(document: Document, path: FieldPath = ()) -> Place:
    """The place of a field of a document."""
    return Place(document.origin, path)
