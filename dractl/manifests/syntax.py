"""Broken YAML and JSON text in words: what is wrong, and what to write instead."""

import re
from typing import Any, Final

from dractl.errors import Fault, Position
from dractl.manifests.source import Document

_TEMPLATE: Final = re.compile(r"\{\{.*?(?:\}\}|$)|^[ \t]*\{%.*?%\}", re.MULTILINE)
_VARIABLE: Final = re.compile(r"\$\{\w+[^}]*\}|\$\(\w+\)")
_HEREDOC: Final = re.compile(r"^[ \t]*(?:\.\.\.|<[\w -]+>|…)[ \t]*$")

RENDER_FIRST: Final = "render the template first, for example `helm template … | dractl plan -`, and plan the result"
EXPAND_FIRST: Final = "fill the variables in first, for example `envsubst < FILE | dractl plan -`"

_OPEN_END: Final = "found unexpected end of stream"

_REMEDIES: Final = {
    "mapping values are not allowed in this context": (
        "if the value itself contains `: `, put it in quotes; else look for a wrong indentation in this line or above"
    ),
    "could not find expected ':'": "every key needs a `:` behind it, and keys of one map the same indentation",
    "did not find expected key": "indent the keys of one map alike",
    "did not find expected '-' indicator": "indent the `-` of one list alike",
    "did not find expected ',' or ']'": "close the list with `]`, and put a comma between its values",
    "did not find expected ',' or '}'": "close the map with `}`, and put a comma between its entries",
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
    found = _TEMPLATE.search(document.text)
    if found is None:
        return None
    line = document.text.count("\n", 0, found.start())
    column = found.start() - (document.text.rfind("\n", 0, found.start()) + 1)
    return Fault(
        "this is a template that was not rendered yet",
        remedy=RENDER_FIRST,
        file=document.origin.file,
        position=document.position(line, column, len(found[0])),
    )


def yaml_fault(document: Document, error: Any) -> Fault:
    """The fault for an error of the YAML parser, which carries `problem`, `problem_mark`, `context`, `context_mark`."""
    mark = error.context_mark if error.problem == _OPEN_END and error.context_mark else error.problem_mark
    line, column = mark.line, mark.column
    lines = document.text.splitlines() or [""]
    here = lines[line] if line < len(lines) else ""
    context = ""
    if error.context and error.context_mark:
        start = document.position(error.context_mark.line, error.context_mark.column)
        if error.context_mark.line != line:
            context = f" {error.context}, which begins in line {start.line}"
    variable_line = next((at for at in (line, line - 1) if 0 <= at < len(lines) and _VARIABLE.search(lines[at])), None)
    left_out = _left_out(lines, line)
    if left_out is not None:
        line, column = left_out, len(lines[left_out]) - len(lines[left_out].lstrip())
        remedy = (
            f"`{lines[left_out].strip()}` seems to stand for text that was left out: put it back, or take the line out"
        )
    elif variable_line is not None:
        return _unfilled(document, variable_line, lines[variable_line])
    else:
        remedy = _remedy(error.problem, here, column)
    return Fault(
        f"not YAML: {error.problem}{context}",
        remedy=remedy,
        file=document.origin.file,
        position=document.position(line, column),
    )


def _unfilled(document: Document, line: int, text: str) -> Fault:
    """Broken because of a variable that nobody put a value in for: the parser's own message would not help."""
    found = _VARIABLE.search(text)
    assert found
    position = document.position(line, found.start(), len(found[0]))
    return Fault(f"{found[0]} was not filled in", EXPAND_FIRST, file=document.origin.file, position=position)


def _left_out(lines: list[str], line: int) -> int | None:
    return next((at for at in (line, line - 1) if 0 <= at < len(lines) and _HEREDOC.match(lines[at])), None)


def _remedy(problem: str, here: str, column: int) -> str:
    if problem == "found character that cannot start any token":
        at = here[column : column + 1]
        if "\t" in here[: column + 1]:
            return "indent with spaces: YAML does not allow tabs there"
        return f"put the value in quotes: it begins with {at!r}" if at else ""
    return _REMEDIES.get(problem, "")


def first_place(first: Position, again: Position) -> str:
    """Where something stood first, as seen from where it stands again."""
    return f"line {first.line}" if first.line != again.line else f"column {first.column} of this line"


def position_at(document: Document, offset: int, length: int = 1) -> Position:
    """The position in the file of the character at an offset in the document's text."""
    line = document.text.count("\n", 0, offset)
    return document.position(line, offset - (document.text.rfind("\n", 0, offset) + 1), length)
