"""Broken YAML and JSON text in words: what is wrong, and what to write instead."""

import re
from typing import Any, Final

from dractl.errors import Fault, Position
from dractl.manifests.source import Document

_TEMPLATE: Final = re.compile(r"\{\{.*?(?:\}\}|$)|\{%.*?%\}", re.MULTILINE)
_VARIABLE: Final = re.compile(r"\$\{\w+[^}]*\}|\$\(\w+\)")
_BARE_TEMPLATE: Final = re.compile(
    r"(?:^[ \t]*(?:-[ \t]+)*(?:[\w./-]+:[ \t]+)?|^[^\n#\"']*[{,][ \t]*[\w./-]+:[ \t]+)"
    r"(?P<expression>\{\{.*?(?:\}\}|$)|\{%.*?%\})",
    re.MULTILINE,
)
"""An expression where YAML expects a line or a value: in quotes or behind other text it would do no harm."""

_BARE_VARIABLE: Final = re.compile(r"^[ \t]*(?:-[ \t]+)*(?P<variable>\$\{\w+[^}]*\})[ \t]*$")
_LEFT_OUT: Final = re.compile(r"^[ \t]*(?:\.\.\.|<[\w -]+>|…)[ \t]*$")

RENDER_FIRST: Final = "render the template first, for example by `helm template …`, and give dractl the result"
EXPAND_FIRST: Final = "fill the variables in first, for example by `envsubst < FILE`, and give dractl the result"

_NO_COLON: Final = "could not find expected ':'"
_BEGAN_ABOVE: Final = ("found unexpected end of stream", _NO_COLON)
"""Noticed by a parser only behind the line that is wrong."""

_NO_BLANK: Final = re.compile(r"[ \t]*(?:-[ \t]+)*[\w./-]+:(?P<next>[^ \t\r\n])")
_NO_SEPARATOR: Final = re.compile(r"(?:--?|----+)[ \t]*$")

_TABS: Final = "indent with spaces: YAML does not allow tabs there"
_REMEDIES: Final = {
    "mapping values are not allowed in this context": (
        "if the value itself contains `: `, put it in quotes; else look for a wrong indentation in this line or above"
    ),
    _NO_COLON: "every key needs a `:` behind it, and keys of one map the same indentation",
    "did not find expected key": "indent the keys of one map alike",
    "did not find expected '-' indicator": "indent the `-` of one list alike",
    "did not find expected ',' or ']'": "close the list with `]`, and put a comma between its values",
    "did not find expected ',' or '}'": "close the map with `}`, and put a comma between its entries",
    "found a tab character that violates indentation": _TABS,
    "found unexpected end of stream": "a closing quote is missing",
    "found unknown escape character": 'write the backslash twice, or use single quotes instead of "…"',
    "block sequence entries are not allowed in this context": "begin the list in a line of its own",
    "found incompatible YAML document": "Kubernetes reads YAML 1.1 only: take the %YAML line out",
}


def unrendered(text: str) -> tuple[str, str] | None:
    """The first template expression or variable in a text and how to get rid of it; None if there is none."""
    template = _TEMPLATE.search(text)
    if template:
        return template[0].strip(), RENDER_FIRST
    variable = _VARIABLE.search(text)
    return (variable[0], EXPAND_FIRST) if variable else None


def template_fault(document: Document) -> Fault | None:
    """The fault of a document that is a template and not yet YAML; None if nothing points to that."""
    found = _BARE_TEMPLATE.search(document.text)
    if found is None:
        return None
    return Fault(
        "this is a template that was not rendered yet",
        remedy=RENDER_FIRST,
        file=document.origin.file,
        position=position_at(document, found.start("expression"), len(found["expression"])),
    )


def yaml_fault(document: Document, error: Any) -> Fault:
    """The fault for an error of the YAML parser, which carries `problem`, `problem_mark`, `context`, `context_mark`."""
    mark = error.context_mark if error.problem in _BEGAN_ABOVE and error.context_mark else error.problem_mark
    lines = document.text.splitlines() or [""]
    variable = _line_like(_BARE_VARIABLE, lines, mark.line)
    if variable is not None:
        return _unfilled(document, variable, lines[variable])
    left_out = _line_like(_LEFT_OUT, lines, mark.line)
    if left_out is not None:
        text = lines[left_out].strip()
        position = document.position(left_out, lines[left_out].index(text), len(text))
        remedy = f"`{text}` seems to stand for something that was left out: put it back, or take the line out"
    else:
        position = document.position(mark.line, mark.column)
        remedy = _remedy(error.problem, lines[mark.line] if mark.line < len(lines) else "", mark.column)
    message = f"not YAML: {error.problem}{_context(document, error, mark.line)}"
    return Fault(message, remedy, file=document.origin.file, position=position)


def _context(document: Document, error: Any, line: int) -> str:
    """What the parser was in the middle of, if that began in another line."""
    if not error.context or not error.context_mark or error.context_mark.line == line:
        return ""
    start = document.position(error.context_mark.line, error.context_mark.column)
    return f" {error.context}, which begins in line {start.line}"


def _line_like(form: re.Pattern[str], lines: list[str], line: int) -> int | None:
    """This line or the one above it, if it has the form: a parser notices some faults one line late."""
    return next((at for at in (line, line - 1) if 0 <= at < len(lines) and form.match(lines[at])), None)


def _unfilled(document: Document, line: int, text: str) -> Fault:
    """Broken because of a variable that nobody put a value in for: the parser's own message would not help."""
    variable = text.strip().lstrip("- ")
    position = document.position(line, text.index(variable), len(variable))
    return Fault(f"{variable} was not filled in", EXPAND_FIRST, file=document.origin.file, position=position)


def _remedy(problem: str, here: str, column: int) -> str:
    if problem == "found character that cannot start any token":
        at = here[column : column + 1]
        if "\t" in here[: column + 1]:
            return _TABS
        return f"put the value in quotes: it begins with {at!r}" if at else ""
    if problem == _NO_COLON and _NO_SEPARATOR.match(here):
        return "a separator of documents is made of three dashes: `---`"
    if problem == _NO_COLON and (found := _NO_BLANK.match(here)):
        is_blank = found["next"].isspace()
        return "put a usual blank behind the colon, this is another one" if is_blank else "put a blank behind the colon"
    return _REMEDIES.get(problem, "")


def first_place(first: Position, again: Position) -> str:
    """Where something stood first, as seen from where it stands again."""
    return f"line {first.line}" if first.line != again.line else f"column {first.column} of this line"


def position_at(document: Document, offset: int, length: int = 1) -> Position:
    """The position in the file of the character at an offset in the document's text."""
    line = document.text.count("\n", 0, offset)
    return document.position(line, offset - (document.text.rfind("\n", 0, offset) + 1), length)
