"""Bad input: every fault with its place, the line it is in, what is meant, and what to write instead."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct
from rich.cells import cell_len

from dractl.errors import Fault, Position
from dractl.phrases import counted
from dractl.report.canvas import Canvas
from dractl.report.phrases import safe
from dractl.report.view import View

SHOWN_AT_MOST = 50

_EXCERPT_WIDTH = 120
_BEFORE = 40

LineOf: TypeAlias = Callable[[str, Position], str]
"""The text of the line of a file that a position is in."""


def render_faults(faults: Sequence[Fault], view: View, line_of: LineOf, *, outcome: str = "nothing was planned") -> str:
    """All faults, the first 50 in full, and how many they are with what became of the command."""
    canvas = Canvas(view)
    for fault in faults[:SHOWN_AT_MOST]:
        _draw(canvas, fault, view, line_of)
    number = counted(len(faults), "error")
    shown = f" ({SHOWN_AT_MOST} shown)" if len(faults) > SHOWN_AT_MOST else ""
    canvas.line(f"{number}{shown}; {outcome}.")
    return canvas.text()


def _draw(canvas: Canvas, fault: Fault, view: View, line_of: LineOf) -> None:
    position = fault.position or (view.locate(fault.place) if fault.place is not None else None)
    file = fault.file or (fault.place.origin.file if fault.place is not None else "")
    where = f"{file}:{position.line}:{position.column}" if file and position is not None else file
    parts = [where, fault.subject, fault.field, fault.message]
    canvas.line("error: " + ": ".join(part for part in parts if part), style="red")
    excerpt = _excerpt(line_of(file, position), position) if position is not None else None
    if excerpt is None:
        if fault.remedy:
            canvas.line(f"  {fault.remedy}")
        return
    for line in excerpt.lines(fault.remedy):
        canvas.line(line)


class _Excerpt(Struct, frozen=True):
    """A line, or the part of a long line around the place, and where in it the place is."""

    number: int
    text: str
    start: int
    length: int

    def lines(self, remedy: str) -> Iterator[str]:
        gutter = f"  {self.number} | "
        indent = " " * cell_len(self.text[: self.start])
        marks = "^" * max(1, cell_len(self.text[self.start : self.start + self.length]))
        yield gutter + self.text
        yield f"{' ' * (len(gutter) - 2)}| {indent}{marks} {remedy}"


def _excerpt(line: str, position: Position) -> _Excerpt | None:
    """None where there is nothing to see: an empty line, or the end of the file."""
    text = safe(line.replace("\t", " "))
    if not text.strip():
        return None
    start = min(position.column - 1, len(text))
    length = max(1, min(position.length, len(text) - start))
    if len(text) > _EXCERPT_WIDTH:
        cut = max(0, start - _BEFORE)
        text = ("…" if cut else "") + text[cut : cut + _EXCERPT_WIDTH]
        start += (1 if cut else 0) - cut
    return _Excerpt(position.line, text, start, min(length, len(text) - start) or 1)
