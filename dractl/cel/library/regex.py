"""Regular expressions in RE2's syntax (cel.md, Libraries). RE2 is loaded when the first pattern is used."""

import re
from functools import lru_cache
from typing import Any, Final

from dractl.cel.declarations import Overload, function, method
from dractl.cel.types import BOOL, INT, STRING, list_of
from dractl.cel.values import Fault, Value

PATTERN_FUNCTIONS: Final = frozenset({"matches", "find", "findAll"})
"""Functions whose second operand is a pattern."""

_ANY_BYTE: Final = re.compile(r"(?<!\\)(?:\\\\)*\\C")
"""RE2 knows `\\C`, Kubernetes does not."""


@lru_cache(maxsize=1024)
def compiled_pattern(pattern: str) -> Any:
    """The compiled pattern, or a `Fault`."""
    import re2

    if _ANY_BYTE.search(pattern):
        return Fault(r"error parsing regexp: invalid escape sequence: `\C`")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as wrong:
        reason = wrong.args[0]
        return Fault(f"error parsing regexp: {reason.decode() if isinstance(reason, bytes) else reason}")


def _matches(text: str, pattern: str) -> Value:
    compiled = compiled_pattern(pattern)
    return compiled if isinstance(compiled, Fault) else compiled.search(text) is not None


def _find(text: str, pattern: str) -> Value:
    compiled = compiled_pattern(pattern)
    if isinstance(compiled, Fault):
        return compiled
    found = compiled.search(text)
    return "" if found is None else found.group(0)


def _find_all(text: str, pattern: str, limit: int = -1) -> Value:
    compiled = compiled_pattern(pattern)
    if isinstance(compiled, Fault):
        return compiled
    found: list[str] = []
    last = -1
    for match in compiled.finditer(text):
        if 0 <= limit <= len(found):
            break
        # An empty match right behind the one before does not count.
        if match.start() != match.end() or match.start() != last:
            found.append(match.group(0))
        last = match.end()
    return tuple(found)


OVERLOADS: Final[list[Overload]] = [
    function("matches", (STRING, STRING), BOOL, _matches),
    method("matches", (STRING, STRING), BOOL, _matches),
    method("find", (STRING, STRING), STRING, _find),
    method("findAll", (STRING, STRING), list_of(STRING), _find_all),
    method("findAll", (STRING, STRING, INT), list_of(STRING), _find_all),
]
