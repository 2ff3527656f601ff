"""Where the answer goes: `-o FORMAT[=FILE]`, any number of times, at most once to standard output."""

import errno
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from dractl.errors import UsageError

if TYPE_CHECKING:
    from dractl.cli.terminal import Terminal
    from dractl.report.view import View

_NO_ROOM = "make room there, or choose another file"
_REMEDIES = {
    errno.ENOSPC: _NO_ROOM,
    errno.EDQUOT: _NO_ROOM,
    errno.ENOENT: "make the folder first",
    errno.ENOTDIR: "a part of the path is a file, not a folder",
    errno.EISDIR: "this is a folder: name a file in it",
    errno.EACCES: "check the permissions of the file and its folder",
    errno.EPERM: "check the permissions of the file and its folder",
    errno.EROFS: "the file system is read-only: choose another file",
}


class Output(Struct, frozen=True):
    """One format, and the file that it goes to; None is standard output."""

    format: str
    file: Path | None = None


def parse_outputs(texts: Sequence[str], formats: Sequence[str]) -> tuple[Output, ...]:
    """The outputs asked for; without any, the first format goes to standard output.

    Raises UsageError for a format that does not exist and where two outputs would go to the same place.
    """
    outputs = tuple(_parse(text, formats) for text in texts) or (Output(formats[0]),)
    seen: dict[Path | None, Output] = {}
    for output in outputs:
        other = seen.setdefault(output.file, output)
        if other is not output:
            where = "standard output" if output.file is None else str(output.file)
            raise UsageError(
                f"-o {other.format} and -o {output.format} both write to {where}",
                f"send one to a file of its own: -o {output.format}=FILE",
            )
    return outputs


def _parse(text: str, formats: Sequence[str]) -> Output:
    name, equals, file = text.partition("=")
    if name not in formats:
        raise UsageError(f"-o {text}: there is no format {name!r}", f"choose one of {', '.join(formats)}")
    if equals and not file:
        raise UsageError(f"-o {text} names no file", f"write -o {name}=FILE, or -o {name} for standard output")
    return Output(name, Path(file) if file else None)


def send(outputs: Iterable[Output], terminal: "Terminal", view: "View", render: Callable[[str, "View"], str]) -> None:
    """Render each output by the name of its format: files get plain text, a terminal what it can show.

    Raises UsageError if a file cannot be written.
    """
    on_terminal = replace(view, width=terminal.width, is_coloured=terminal.colours_answer)
    for output in outputs:
        text = render(output.format, view if output.file else on_terminal)
        if output.file is None:
            terminal.print(text)
        else:
            _write_file(output.file, text)


def _write_file(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        remedy = _REMEDIES.get(error.errno or 0, "")
        raise UsageError(f"cannot write {file}: {error.strerror or error}", remedy) from None


def refuse_overwriting(outputs: Iterable[Output], inputs: Iterable[str]) -> None:
    """Raise UsageError where an output would replace one of the files that were read."""
    read = {Path(name).resolve(): name for name in inputs}
    for output in outputs:
        if output.file is not None and output.file.resolve() in read:
            raise UsageError(
                f"-o {output.format}={output.file} would overwrite the input {read[output.file.resolve()]}",
                "choose another file",
            )
