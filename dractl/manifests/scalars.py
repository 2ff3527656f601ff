"""What a YAML scalar means to Kubernetes: neither YAML 1.1 nor 1.2 (reading.md, "Plain scalars")."""

import base64
import binascii
import re
import struct
from decimal import Decimal
from typing import Any, Final

from dractl.errors import DractlError

_WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"), False),
}
_FIRST: Final = frozenset("~nNyYtTfFoO+-.0123456789")
_NO_NUMBER: Final = {
    **{sign + word: ".inf" for sign in ("", "+") for word in (".inf", ".Inf", ".INF")},
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), "-.inf"),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), ".nan"),
}
_INTEGER: Final = re.compile(r"([+-]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))", re.ASCII)
_FLOAT: Final = re.compile(r"[+-]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_POINT_FIRST: Final = re.compile(r"\.[0-9]+(?:_[0-9]+)*(?:[eE][+-]?[0-9]+(?:_[0-9]+)*)?", re.ASCII)
"""Where a number begins with its point, underscores stand between digits only; elsewhere they stand anywhere."""

_INT64_MIN: Final = -(2**63)
_INT64_MAX: Final = 2**63 - 1
_UINT64_MAX: Final = 2**64 - 1
_CORE: Final = "tag:yaml.org,2002:"


class ScalarFault(DractlError):
    """A scalar or a key that Kubernetes' reader refuses; the text says why."""


def plain(text: str) -> Any:
    """The value of a plain scalar without a tag: null, bool, int, float or the text itself.

    Raises ScalarFault for `.inf` and `.nan`, which JSON cannot hold.
    """
    if text and text[0] not in _FIRST:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text in _NO_NUMBER:
        raise ScalarFault(f"{text} is not a number that JSON knows")
    if text[0] in "+-.0123456789":
        return _number(text)
    return text


def _number(text: str) -> Any:
    digits = text.replace("_", "") if text[0] != "." or _POINT_FIRST.fullmatch(text) else text
    integer = _INTEGER.fullmatch(digits)
    if integer:
        value = _integer(*integer.groups())
        if _INT64_MIN <= value <= _UINT64_MAX:
            return value
    if not _FLOAT.fullmatch(digits):
        return text
    number = float(digits)
    return text if number in (float("inf"), float("-inf")) else number


def _integer(sign: str, hexadecimal: str, binary: str, octal: str, decimal: str) -> int:
    if hexadecimal:
        value = int(hexadecimal, 16)
    elif binary:
        value = int(binary, 2)
    elif octal:
        value = int(octal, 8)
    else:
        value = int(decimal)
    return -value if sign == "-" else value


def tagged(tag: str, text: str) -> Any:
    """The value of a scalar with a tag; a local or unknown tag makes it text.

    Raises ScalarFault where the text does not fit the tag.
    """
    kind = tag.removeprefix(_CORE) if tag.startswith(_CORE) else ""
    if kind == "binary":
        return _binary(text)
    if kind not in ("int", "float", "bool", "null"):
        return text
    value = plain(text)
    fits = {
        "int": isinstance(value, int) and not isinstance(value, bool),
        "float": isinstance(value, int | float) and not isinstance(value, bool),
        "bool": isinstance(value, bool),
        "null": value is None,
    }[kind]
    if not fits:
        raise ScalarFault(f"{text!r} is not what its tag !!{kind} says")
    return float(value) if kind == "float" else value


def is_ignored_tag(tag: str) -> bool:
    """Whether Kubernetes ignores the tag: all but those of YAML's own types."""
    known = ("str", "int", "float", "bool", "null", "binary", "timestamp", "map", "seq", "merge")
    return not (tag.startswith(_CORE) and tag.removeprefix(_CORE) in known)


def _binary(text: str) -> str:
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        raise ScalarFault(f"{text!r} is not base64, which its tag !!binary asks for") from None


def plain_key(text: str) -> str:
    """The key that a plain scalar stands for: `0644` is `420`, `yes` is `true`, `1e18` is `1e+18`."""
    return _NO_NUMBER.get(text) or key_text(plain(text))


def key_text(value: Any) -> str:
    """A map key as JSON has it: text. Raises ScalarFault for null, lists, maps and integers above 2⁶³−1."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if value > _INT64_MAX:
            raise ScalarFault(f"{value} is too large for a key")
        return str(value)
    if isinstance(value, float):
        return _single_precision(value)
    kind = {type(None): "null", list: "a list", dict: "a map"}.get(type(value), type(value).__name__)
    raise ScalarFault(f"{kind} cannot be a key")


def _single_precision(value: float) -> str:
    """The shortest text that is the same 32-bit float, with an exponent below 1e-4 and from 1e6 digits on."""
    try:
        near = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return ".inf" if value > 0 else "-.inf"
    digits = next(size for size in range(18) if struct.pack("<f", float(f"{near:.{size}e}")) == struct.pack("<f", near))
    mantissa, exponent = f"{near:.{digits}e}".split("e")
    power = int(exponent)
    if -4 <= power < 6:
        return f"{near:.{max(digits - power, 0)}f}"
    return f"{mantissa}e{'-' if power < 0 else '+'}{abs(power):02d}"


def number_text(value: float) -> str:
    """A float as JSON writes it after the conversion from YAML: `1e3` is `1000`, `1e21` stays `1e+21`."""
    if value.is_integer() and abs(value) < 1e21:
        return str(integer_of(value))
    return repr(value)


def integer_of(value: float) -> int:
    """The integer that an integral float becomes on its way through JSON: its shortest digits, filled up with zeros.

    So -9223372036854775809 becomes -9223372036854776000, which no integer field holds.
    """
    return int(Decimal(repr(value)))
