"""Strings: searching, cutting, joining (cel.md, Libraries). Offsets count code points."""

from typing import Final

from dractl.cel.declarations import function, method
from dractl.cel.types import BOOL, INT, STRING, list_of
from dractl.cel.values import Fault, Value

_WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""What `trim` removes: Unicode's white space, and nothing that Python adds to it."""

_LOWER: Final = {ord(upper): upper.lower() for upper in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_UPPER: Final = {ord(lower): lower.upper() for lower in "abcdefghijklmnopqrstuvwxyz"}

_QUOTED: Final = str.maketrans(
    {"\a": r"\a", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v", "\\": r"\\", '"': r"\""}
)


def _out_of_range(index: int) -> Fault:
    return Fault(f"index out of range: {index}")


def _char_at(text: str, index: int) -> Value:
    return text[index : index + 1] if 0 <= index <= len(text) else _out_of_range(index)


def _index_of(text: str, part: str, start: int = 0) -> Value:
    if start < 0:
        return _out_of_range(start)
    if part == "":
        return min(start, len(text))
    return text.find(part, start) if start < len(text) else -1


def _last_index_of(text: str, part: str, last: int | None = None) -> Value:
    if last is None:
        return text.rfind(part)
    if last < 0:
        return _out_of_range(last)
    if part == "":
        return min(last, len(text))
    return text.rfind(part, 0, last + len(part)) if last < len(text) else -1


def _replace(text: str, old: str, new: str, count: int = -1) -> str:
    return text.replace(old, new, max(count, -1))


def _split(text: str, separator: str, limit: int = -1) -> tuple[str, ...]:
    if limit == 0:
        return ()
    if separator:
        return tuple(text.split(separator, limit - 1 if limit > 0 else -1))
    if limit < 0 or limit >= len(text):
        return tuple(text)
    return (*text[: limit - 1], text[limit - 1 :])


def _substring(text: str, start: int, end: int | None = None) -> Value:
    end = len(text) if end is None else end
    if end < start:
        return _out_of_range(start)
    for offset in (start, end):
        if not 0 <= offset <= len(text):
            return _out_of_range(offset)
    return text[start:end]


def _quote(text: str) -> str:
    return f'"{text.translate(_QUOTED)}"'


def _join(texts: tuple[Value, ...], separator: str = "") -> Value:
    for text in texts:
        if text.__class__ is not str:
            return Fault("no such overload")
    return separator.join(texts)


_TEXTS: Final = list_of(STRING)

OVERLOADS: Final = [
    method("contains", (STRING, STRING), BOOL, lambda text, part: part in text),
    method("startsWith", (STRING, STRING), BOOL, str.startswith),
    method("endsWith", (STRING, STRING), BOOL, str.endswith),
    method("charAt", (STRING, INT), STRING, _char_at),
    method("indexOf", (STRING, STRING), INT, _index_of),
    method("indexOf", (STRING, STRING, INT), INT, _index_of),
    method("lastIndexOf", (STRING, STRING), INT, _last_index_of),
    method("lastIndexOf", (STRING, STRING, INT), INT, _last_index_of),
    method("lowerAscii", (STRING,), STRING, lambda text: text.translate(_LOWER)),
    method("upperAscii", (STRING,), STRING, lambda text: text.translate(_UPPER)),
    method("replace", (STRING, STRING, STRING), STRING, _replace),
    method("replace", (STRING, STRING, STRING, INT), STRING, _replace),
    method("split", (STRING, STRING), _TEXTS, _split),
    method("split", (STRING, STRING, INT), _TEXTS, _split),
    method("substring", (STRING, INT), STRING, _substring),
    method("substring", (STRING, INT, INT), STRING, _substring),
    method("trim", (STRING,), STRING, lambda text: text.strip(_WHITE_SPACE)),
    method("join", (_TEXTS,), STRING, _join),
    method("join", (_TEXTS, STRING), STRING, _join),
    function("strings.quote", (STRING,), STRING, _quote),
]
