"""Bad input as values: where something stands in what was read, and what is wrong with it.

Bad input raises `BadInput`, with every fault that was found; a pod that does not fit is an outcome, no exception.
Lines and columns are looked up only when a place is shown (`dractl.manifests.locate`).
"""

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct

FieldPath: TypeAlias = tuple[str | int, ...]
"""Keys and list indexes from the root of a document."""

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


class Origin(Struct, frozen=True, order=True):
    """One YAML or JSON document: the file's name as given, the document's number from 0, its first line from 1."""

    file: str
    document: int = 0
    line: int = 1


class Position(Struct, frozen=True):
    """A line and a column, both from 1, and how many characters are meant."""

    line: int
    column: int
    length: int = 1


class TextSpot(Struct, frozen=True):
    """A character of a text: line and column, both from 1."""

    line: int
    column: int

    @classmethod
    def of(cls, text: str, offset: int) -> "TextSpot":
        """The character at an offset from the beginning."""
        return cls(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


class Place(Struct, frozen=True):
    """A field, by its path from the root of a document: its value, or with `is_key` its name.

    `within` is the character that is meant of a value that is a text, an expression for example.
    """

    origin: Origin
    path: FieldPath = ()
    is_key: bool = False
    within: TextSpot | None = None

    def at(self, *steps: str | int) -> "Place":
        """The place of a field below this one."""
        return Place(self.origin, self.path + steps)

    def key_at(self, *steps: str | int) -> "Place":
        """The place of the name of a field below this one."""
        return Place(self.origin, self.path + steps, is_key=True)

    def in_text(self, spot: TextSpot | None) -> "Place":
        """The place of a character of the text that stands here; None means the whole text."""
        return Place(self.origin, self.path, self.is_key, spot)


class Fault(Struct, frozen=True):
    """One thing that is wrong in the input, and what to write instead.

    `position` is set where the text itself is broken, so that no place can be looked up. `subject` names the object,
    for example `ResourceClaim ml/gpus`; `field` is its path inside that object as users write it.
    """

    message: str
    remedy: str = ""
    file: str = ""
    place: Place | None = None
    position: Position | None = None
    subject: str = ""
    field: str = ""


class DractlError(Exception):
    """What dractl raises on purpose; `dractl.cli` maps each kind to a message and an exit code."""


class BadInput(DractlError):
    """The input cannot be planned (exit code 2). Holds every fault of every file."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults: Final = tuple(faults)


class UsageError(DractlError):
    """The command line asks for something that is not possible (exit code 2)."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy: Final = remedy


class InternalError(DractlError):
    """dractl contradicts itself, for example an answer that its own checker refuses (exit code 70)."""


def path_text(path: FieldPath) -> str:
    """A field path as Kubernetes writes it: `spec.devices.requests[0].name`, `metadata.labels[example.com/rack]`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN_KEY.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{step}]"
    return text
