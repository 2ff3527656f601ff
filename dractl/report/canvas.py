"""Lines, columns and colours: where rich is used, and nowhere else."""

import io
import textwrap
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dractl.report.phrases import safe
from dractl.report.view import View

_UNLIMITED = 100_000
_NARROWEST = 40


class Canvas:
    """Collects text. Without a width columns are as wide as their content; without colours styles have no effect."""

    def __init__(self, view: View) -> None:
        self._width = view.width
        self._buffer = io.StringIO()
        self._console = Console(
            file=self._buffer,
            width=view.width or _UNLIMITED,
            force_terminal=view.is_coloured,
            color_system="standard" if view.is_coloured else None,
            no_color=not view.is_coloured,
            legacy_windows=False,
            highlight=False,
            markup=False,
            emoji=False,
            _environ={},
        )

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str | Text]]) -> None:
        """Rows in columns, two spaces apart, with a bold header."""
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
        for name in header:
            table.add_column(name, overflow="fold")
        for row in rows:
            table.add_row(*(safe(cell) if isinstance(cell, str) else cell for cell in row))
        self._console.print(table)

    def line(self, text: str = "", *, style: str = "") -> None:
        """One line in one style, never wrapped."""
        self._console.print(Text(safe(text), style=style), soft_wrap=True)

    def paragraph(self, text: str, *, indent: str = "", right: str = "", style: str = "") -> None:
        """Text that is wrapped to the width and goes on further in; `right` stands at the right edge of its first line.

        Without a width there is one line, and `right` stands two spaces behind the text.
        """
        if self._width is None:
            self.line(f"{indent}{text}  {right}" if right else f"{indent}{text}", style=style)
            return
        room = max(_NARROWEST, self._width - (len(right) + 2 if right else 0))
        lines = textwrap.wrap(
            safe(text), room, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
        )
        for number, each in enumerate(lines):
            line = Text(each, style=style)
            if right and number == 0:
                line.append(" " * max(2, self._width - line.cell_len - cell_len(right)))
                line.append(safe(right), style="dim")
            self._console.print(line, soft_wrap=True)

    def text(self) -> str:
        """All that was drawn; no line ends in blanks."""
        lines = [line.rstrip() for line in self._buffer.getvalue().split("\n")]
        return "\n".join(lines)


def styled(text: str, style: str) -> Text:
    """A text in one style."""
    return Text(safe(text), style=style)
