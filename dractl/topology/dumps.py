"""What is handed in: one file, or one folder's worth of small files, and whose node it describes."""

from dataclasses import dataclass, field
from typing import Final

from dractl.errors import Fault, FieldPath, Origin, Place, Position, path_text
from dractl.topology.files import FileTree


@dataclass(frozen=True, slots=True)
class Dump:
    """One dump: its name as the user gave it, and its bytes or, for a folder, its files.

    `node` is whose dump it is where the user says so; else the dump, its name or its neighbours have to tell.
    `is_asked_for` is False for a file that merely lies in a folder: it may be no dump at all.
    """

    name: str
    content: bytes | FileTree = field(repr=False)
    node: str = ""
    is_asked_for: bool = True


class Unreadable(Exception):
    """One dump cannot be understood; carries what is wrong with it. Never leaves this room: see `read_dumps`."""

    def __init__(
        self, message: str, remedy: str = "", *, line: int | None = None, path: FieldPath = (), subject: str = ""
    ) -> None:
        super().__init__(message)
        self.message: Final = message
        self.remedy: Final = remedy
        self.line: Final = line
        self.path: Final = path
        self.subject: Final = subject
        self.origin: Origin | None = None

    def fault(self, place: Place) -> Fault:
        """The fault of a dump that begins at `place`, or of the document that `origin` was set to.

        `subject` is the file inside an archive.
        """
        if self.origin is not None:
            place = Place(self.origin)
        return Fault(
            self.message,
            self.remedy,
            file=place.origin.file,
            place=place.at(*self.path) if self.path else None,
            position=Position(self.line, 1) if self.line is not None else None,
            subject=self.subject,
            field=path_text(self.path),
        )


class UnknownFormat(Unreadable):
    """A file is nothing that is read here."""


def decode_text(content: bytes) -> str:
    """The text of a dump, with line ends as `\\n`. Raises Unreadable where it is no UTF-8."""
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnknownFormat(
            f"neither text nor an archive that dractl knows: byte 0x{content[error.start]:02x} is not UTF-8",
            "archives are read as tar, plain or compressed with gzip, bzip2 or xz",
            line=line,
        ) from None
    return text.replace("\r\n", "\n")
