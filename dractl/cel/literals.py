"""What number, string and bytes tokens stand for (cel.md, What the grammar lacks and wrongly accepts)."""

import math
import re
from typing import Final

from dractl.cel.faults import Refusal
from dractl.cel.tree import Position
from dractl.cel.values import UInt, Value

_SIMPLE_ESCAPES: Final = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?", "`": "`",
}  # fmt: skip
_ESCAPE: Final = re.compile(
    r"\\(?:(?P<simple>[abfnrtv\\'\"?`])|[xX](?P<hex>[0-9a-fA-F]{2})|u(?P<short>[0-9a-fA-F]{4})"
    r"|U(?P<long>[0-9a-fA-F]{8})|(?P<octal>[0-3][0-7]{2})|(?P<wrong>.?))",
    re.DOTALL,
)
_INT64: Final = range(-(2**63), 2**63)
_UINT64: Final = range(2**64)


def number(token: str, kind: str, position: Position, *, is_negative: bool) -> Value:
    """The value of a number token; a sign that belongs to it is handed over apart. Refuses what is out of range."""
    if kind == "FLOAT_LIT":
        value = float(token)
        if math.isinf(value):
            raise Refusal(f"the number {token} is too large for a double", position)
        return -value if is_negative else value
    digits = token.rstrip("uU")
    whole = int(digits, 16) if digits.startswith("0x") else int(digits)
    if kind == "UINT_LIT":
        if whole not in _UINT64:
            raise Refusal(f"the number {token} is too large for a uint", position)
        return UInt(whole)
    whole = -whole if is_negative else whole
    if whole not in _INT64:
        raise Refusal(f"the number {whole} does not fit into an int", position)
    return whole


def text(token: str, position: Position) -> str | bytes:
    """The value of a string or bytes token."""
    is_bytes = token[0] in "bB"
    body = token[1:] if is_bytes else token
    is_raw = body[0] in "rR"
    body = body[1:] if is_raw else body
    quotes = 3 if body[:3] in ('"""', "'''") and len(body) >= 6 else 1
    # Line breaks are read as \n however the file was written.
    body = body[quotes:-quotes].replace("\r\n", "\n").replace("\r", "\n")
    if is_bytes:
        return body.encode() if is_raw else _bytes(body, position)
    return body if is_raw else _ESCAPE.sub(lambda match: _character(match, position), body)


def _character(match: re.Match[str], position: Position) -> str:
    if match["simple"]:
        return _SIMPLE_ESCAPES[match["simple"]]
    if match["octal"]:
        return chr(int(match["octal"], 8))
    digits = match["hex"] or match["short"] or match["long"]
    if digits is None:
        raise Refusal(f"{match[0]!r} is not an escape sequence", position)
    code = int(digits, 16)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise Refusal(f"{match[0]} is not a character", position)
    return chr(code)


def _bytes(body: str, position: Position) -> bytes:
    parts = bytearray()
    end = 0
    for match in _ESCAPE.finditer(body):
        parts += body[end : match.start()].encode()
        parts += _byte(match, position)
        end = match.end()
    return bytes(parts + body[end:].encode())


def _byte(match: re.Match[str], position: Position) -> bytes:
    if match["simple"]:
        return _SIMPLE_ESCAPES[match["simple"]].encode()
    if match["octal"]:
        return bytes([int(match["octal"], 8)])
    if match["hex"]:
        return bytes([int(match["hex"], 16)])
    raise Refusal(f"{match[0]!r} is not an escape sequence in bytes", position)
