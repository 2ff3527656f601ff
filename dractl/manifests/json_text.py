"""JSON text to plain data, strictly as Go reads it: msgspec where it can vouch for the text, else an own scanner.

The scanner names every duplicate key and the place of whatever is broken, and on demand where everything stands.
"""

import json
import re
from itertools import accumulate
from typing import Any, Final

import msgspec

from dractl.errors import FieldPath, Position, path_text
from dractl.manifests.source import Document
from dractl.manifests.syntax import first_place, position_at, template_fault
from dractl.manifests.tree import Marks, Tree

_DEEPEST: Final = 10_000
_STEPS: Final = [0] * 128
for _opening, _closing in ("[]", "{}"):
    _STEPS[ord(_opening)], _STEPS[ord(_closing)] = 1, -1
_NO_BRACKETS: Final = bytes(byte for byte in range(256) if byte >= 128 or not _STEPS[byte])
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?P<fraction>(?:\.\d+)?(?:[eE][+-]?\d+)?)", re.ASCII)
_STRING_PLAIN: Final = re.compile(r'[^"\\\x00-\x1f]*"')
_SPACED_COLON: Final = re.compile(r'"[ \t\r\n]+:')
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_WORDS: Final = {"true": True, "false": False, "null": None}
_scan_string: Final[Any] = vars(json.decoder)["scanstring"]


class JsonNumber(float):
    """A JSON number with a fraction or an exponent; remembers its text, because an integer field refuses it."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> "JsonNumber":
        """From the text as it is written."""
        number = super().__new__(cls, text)
        number.text = text
        return number


def read_json(document: Document, *, positions: bool = False) -> Tree:
    """The one value of a JSON document. Never raises for bad text: the faults are in the tree."""
    if not positions:
        quick = _read_fast(document)
        if quick is not None:
            return quick
    tree = Tree(document)
    scanner = _Scanner(tree, positions)
    try:
        tree.value = scanner.run()
    except _Broken as broken:
        tree.value = None
        tree.fault(f"not JSON: {broken.message}", position_at(document, broken.offset), broken.remedy)
    if tree.faults:
        template = template_fault(document)
        if template:
            tree.faults, tree.value = [template], None
    return tree


def _read_fast(document: Document) -> Tree | None:
    """msgspec lets duplicate keys pass: it is trusted only if its value, written again, has as many keys as the text.

    Keys are counted by their `":`, which a string can only hold behind a backslash.
    """
    tree = Tree(document)

    def fraction(text: str) -> JsonNumber:
        tree.has_fractions = True
        return JsonNumber(text)

    text = document.text
    if _is_too_deep(text):
        return None
    try:
        tree.value = msgspec.json.Decoder(float_hook=fraction).decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    again = msgspec.json.encode(tree.value, enc_hook=float).decode()
    return tree if _count_keys(again) == _count_keys(text) and not _SPACED_COLON.search(text) else None


def _is_too_deep(text: str) -> bool:
    """Whether brackets stand so deep that nothing but the scanner can be trusted with them; those in strings count."""
    brackets = text.encode("utf-8", "replace").translate(None, _NO_BRACKETS)
    if len(brackets) <= _DEEPEST:
        return False
    return max(accumulate(map(_STEPS.__getitem__, brackets))) > _DEEPEST


def _count_keys(text: str) -> int:
    return text.count('":') - text.count('\\":')


class _Broken(Exception):
    def __init__(self, message: str, offset: int, remedy: str = "") -> None:
        super().__init__(message)
        self.message, self.offset, self.remedy = message, offset, remedy


class _Scanner:
    """A strict JSON reader without recursion. Its marks are pairs of offset and length."""

    def __init__(self, tree: Tree, positions: bool) -> None:
        self._tree = tree
        self._text = tree.document.text
        self._positions = positions
        self._at = 0
        self._key_marks: list[dict[str, tuple[int, int]]] = []
        tree.position_of = self._position

    def _position(self, mark: tuple[int, int]) -> Position:
        return position_at(self._tree.document, *mark)

    def run(self) -> Any:
        """The value; raises _Broken where the text is no JSON."""
        stack: list[Any] = []
        keys: list[tuple[str, tuple[int, int]]] = []
        while True:
            self._space()
            start = self._at
            value, is_open = self._value()
            if is_open:
                stack.append((value, start))
                if len(stack) > _DEEPEST:
                    raise _Broken(f"nested deeper than {_DEEPEST} levels", start)
                self._key_marks.append({})
                if self._starts_entry(value, keys):
                    continue
            mark = (start, self._at - start)
            if is_open:
                value, mark = self._close(stack)
            while stack:
                self._attach(stack, value, mark, keys)
                if self._continues(stack[-1][0], keys):
                    break
                value, mark = self._close(stack)
            else:
                self._tree.root = mark
                self._nothing_behind()
                return value

    # --- containers ----------------------------------------------------------------------------------------------

    def _starts_entry(self, container: Any, keys: list[tuple[str, tuple[int, int]]]) -> bool:
        """After `{` or `[`: whether an entry follows (its key is read) or the container ends at once."""
        self._space()
        if self._peek() == ("}" if isinstance(container, dict) else "]"):
            self._at += 1
            return False
        if isinstance(container, dict):
            keys.append(self._key())
        return True

    def _continues(self, container: Any, keys: list[tuple[str, tuple[int, int]]]) -> bool:
        """After an entry: whether a comma and a further one follow, or the container ends."""
        is_map = isinstance(container, dict)
        end = "}" if is_map else "]"
        self._space()
        character = self._peek()
        if character == end:
            self._at += 1
            return False
        if character != ",":
            what = "after the value" if is_map else "after the list item"
            raise _Broken(f"{self._found()} {what}, where `,` or `{end}` is expected", self._at)
        self._at += 1
        self._space()
        if self._peek() == end:
            raise _Broken(f"a comma before `{end}`", self._at, "take the comma out")
        if is_map:
            keys.append(self._key())
        return True

    def _close(self, stack: list[Any]) -> tuple[Any, tuple[int, int]]:
        value, start = stack.pop()
        self._key_marks.pop()
        return value, (start, 1)

    def _key(self) -> tuple[str, tuple[int, int]]:
        start = self._at
        if self._peek() != '"':
            raise _Broken(f"{self._found()} where a key in double quotes is expected", start)
        key = self._string()
        mark = (start, self._at - start)
        self._space()
        if self._peek() != ":":
            raise _Broken(f"{self._found()} after the key {key!r}, where `:` is expected", self._at)
        self._at += 1
        return key, mark

    def _attach(self, stack: list[Any], value: Any, mark: Any, keys: list[tuple[str, tuple[int, int]]]) -> None:
        container = stack[-1][0]
        if isinstance(container, list):
            if self._positions:
                self._marks_of(container)[len(container)] = (mark, mark)
            container.append(value)
            return
        key, key_mark = keys[-1]
        first = self._key_marks[-1].setdefault(key, key_mark)
        if first != key_mark:
            again = self._position(key_mark)
            self._tree.fault(
                f"the key {key!r} is written twice in one object, first in {first_place(self._position(first), again)}",
                again,
                "keep one of the two: the API server refuses both",
                field=path_text(_path(stack, keys)),
            )
        keys.pop()
        container[key] = value
        if self._positions:
            self._marks_of(container)[key] = (key_mark, mark)

    def _marks_of(self, container: Any) -> Marks:
        return self._tree.marks.setdefault(id(container), {})

    # --- single values -------------------------------------------------------------------------------------------

    def _value(self) -> tuple[Any, bool]:
        character = self._peek()
        if character in ("{", "["):
            self._at += 1
            return ({} if character == "{" else []), True
        if character == '"':
            return self._string(), False
        for word, value in _WORDS.items():
            if self._text.startswith(word, self._at):
                self._at += len(word)
                return value, False
        return self._number(), False

    def _number(self) -> int | float:
        match = _NUMBER.match(self._text, self._at)
        if match is None:
            raise _Broken(f"{self._found()} where a value is expected", self._at)
        following = self._text[match.end() : match.end() + 1]
        if following.isalnum() or following in ("+", "-", "."):
            raise _Broken(f"a number cannot be written as {match[0] + following!r}", self._at)
        self._at = match.end()
        if not match["fraction"]:
            return int(match[0])
        self._tree.has_fractions = True
        return JsonNumber(match[0])

    def _string(self) -> str:
        start = self._at
        quick = _STRING_PLAIN.match(self._text, start + 1)
        if quick:
            self._at = quick.end()
            return self._text[start + 1 : self._at - 1]
        try:
            text, self._at = _scan_string(self._text, start + 1, True)
        except ValueError as error:
            offset = getattr(error, "pos", start)
            raise _Broken(f"{getattr(error, 'msg', error)}".lower().removesuffix(" at"), offset) from None
        return _SURROGATE.sub("\ufffd", text)

    def _space(self) -> None:
        match = _SPACE.match(self._text, self._at)
        if match:
            self._at = match.end()

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _found(self) -> str:
        character = self._peek()
        return f"found {character!r}" if character else "the text ends"

    def _nothing_behind(self) -> None:
        self._space()
        if self._at < len(self._text):
            raise _Broken(f"{self._found()} after the end of the value", self._at)


def _path(stack: list[Any], keys: list[tuple[str, tuple[int, int]]]) -> FieldPath:
    """Where the reader is: a key for each open object, the number of items for each open list."""
    names = iter(keys)
    return tuple(next(names)[0] if isinstance(container, dict) else len(container) for container, _ in stack)
