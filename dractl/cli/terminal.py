"""Standard output and standard error: what goes where, in which colours, how wide; and the clock."""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import Final, TextIO

from dractl.errors import UsageError

_SEND_ELSEWHERE: Final = "send the answer to a file: -o FORMAT=FILE"


class Color(StrEnum):
    """When to use colours; `auto` means on a terminal, unless NO_COLOR is set."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class PipeClosed(Exception):
    """Whoever read standard output has seen enough."""


class Terminal:
    """The two streams. Standard output carries the answer, standard error everything else."""

    def __init__(self) -> None:
        self.verbose = False
        self.has_answered = False
        """Whether something was decided, even if the command was interrupted then."""
        self._color = Color.AUTO
        self._quiet = False
        self._progress = True
        self._times: list[tuple[str, float]] = []

    def configure(self, *, color: Color, quiet: bool, verbose: bool, progress: bool) -> None:
        """Take over what the command line says."""
        self.verbose = verbose
        self._color, self._quiet, self._progress = color, quiet, progress

    def print(self, text: str) -> None:
        """A part of the answer. Raises PipeClosed if nobody reads it any more, UsageError if it cannot be written."""
        if sys.stdout is None:
            raise UsageError("cannot write to standard output: it is closed", _SEND_ELSEWHERE)
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            raise PipeClosed from None
        except OSError as error:
            discard_output()
            raise cannot_print(error) from None

    def tell(self, text: str) -> None:
        """A remark beside the answer; `-q` leaves it out."""
        if not self._quiet:
            self.complain(text)

    def complain(self, text: str) -> None:
        """What is wrong; always said, where there is anybody to hear it: then the exit code has to be enough."""
        if sys.stderr is None:
            return
        with suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()

    @property
    def width(self) -> int | None:
        """The columns of the terminal, or None where the output has as many as it needs."""
        return shutil.get_terminal_size().columns if _is_terminal(sys.stdout) else None

    @property
    def colours_answer(self) -> bool:
        """Whether the answer is coloured."""
        return self._colours(sys.stdout)

    @property
    def colours_remarks(self) -> bool:
        """Whether errors and remarks are coloured."""
        return self._colours(sys.stderr)

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Time a step; show on a terminal what is going on while it lasts."""
        start = time.perf_counter()
        if self._quiet or not self._progress or not _is_terminal(sys.stderr):
            yield
        else:
            from rich.console import Console

            with Console(stderr=True, no_color=not self.colours_remarks).status(what):
                yield
        self._times.append((what, time.perf_counter() - start))

    def tell_times(self) -> None:
        """How long the steps took, with `-v`."""
        if self.verbose:
            self.tell(" · ".join(f"{what} {seconds:.2f} s" for what, seconds in self._times) + "\n")

    def _colours(self, stream: TextIO | None) -> bool:
        if self._color is Color.AUTO:
            return _is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return self._color is Color.ALWAYS


def _is_terminal(stream: TextIO | None) -> bool:
    """A stream that is closed from the start is None."""
    return stream is not None and stream.isatty()


def cannot_print(error: OSError) -> UsageError:
    """That standard output does not take the answer, in the system's words."""
    why = error.strerror or str(error)
    return UsageError(f"cannot write to standard output: {why[:1].lower()}{why[1:]}", _SEND_ELSEWHERE)


def discard_output() -> None:
    """Let what is still buffered for standard output vanish: the interpreter would try it again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
