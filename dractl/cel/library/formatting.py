"""`"%s has %d".format([x, n])`: printing values into a text (cel.md, Libraries)."""

import math
import re
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from dractl.cel.declarations import Overload, method
from dractl.cel.library.conversions import double_text
from dractl.cel.library.times import duration_text, timestamp_text
from dractl.cel.types import BOOL, BYTES, DOUBLE, DURATION, DYN, INT, NULL, STRING, TIMESTAMP, UINT, Kind, Type, list_of
from dractl.cel.values import Duration, Fault, MapValue, Timestamp, TypeValue, UInt, Value, type_name

_CLAUSE: Final = re.compile(r"%(?:\.(?P<precision>[0-9]+))?(?P<verb>[%sdfebxXo])")
_DEFAULT_PRECISION: Final = 6
_SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NUMBER_NAMES: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_SCIENTIFIC_WIDTH: Final = 6


class WrongFormat(ValueError):
    """Why a pattern, or a value for one of its clauses, will not do."""


class Clause(Struct, frozen=True):
    """One `%…` of a pattern."""

    verb: str
    precision: int


def parts_of(pattern: str) -> Iterator[str | Clause]:
    """Texts and clauses in turn; raises WrongFormat."""
    end = 0
    while (start := pattern.find("%", end)) >= 0:
        match = _CLAUSE.match(pattern, start)
        if match is None or (match["verb"] == "%" and match["precision"]):
            raise WrongFormat(f"could not parse formatting clause: {pattern[start : start + 3]!r}")
        yield pattern[end:start]
        end = match.end()
        precision = _DEFAULT_PRECISION if match["precision"] is None else int(match["precision"]) % 256
        yield "%" if match["verb"] == "%" else Clause(match["verb"], precision)
    yield pattern[end:]


_TAKES: Final[dict[str, tuple[Type, ...]]] = {
    "d": (INT, UINT),
    "f": (DOUBLE, STRING),
    "e": (DOUBLE, STRING),
    "b": (INT, UINT, BOOL),
    "x": (INT, UINT, STRING, BYTES),
    "X": (INT, UINT, STRING, BYTES),
    "o": (INT, UINT),
    "s": (STRING, BOOL, BYTES, INT, UINT, DOUBLE, DURATION, TIMESTAMP, NULL),
}


def takes(verb: str, given: Type) -> bool:
    """Whether values of a static type may be printed by a clause; what lists and maps hold does not matter.

    `any` may not, although `dyn` may.
    """
    if given.kind is Kind.DYN or given in _TAKES[verb]:
        return True
    return verb == "s" and given.kind in (Kind.TYPE, Kind.LIST, Kind.MAP)


def _format(pattern: str, values: tuple[Value, ...]) -> Value:
    printed: list[str] = []
    count = 0
    try:
        for part in parts_of(pattern):
            if isinstance(part, str):
                printed.append(part)
                continue
            if count == len(values):
                raise WrongFormat(f"index {count} out of range")
            printed.append(_printed(part, values[count]))
            count += 1
    except WrongFormat as wrong:
        return Fault(f"error during formatting: {wrong}")
    return "".join(printed)


def _printed(clause: Clause, value: Value) -> str:
    match clause.verb:
        case "s":
            return _text(value)
        case "d":
            return str(int(_whole(value)))
        case "f":
            return _fixed(value, clause.precision)
        case "e":
            return _scientific(value)
        case "b":
            return f"{int(value if value.__class__ is bool else _whole(value)):b}"
        case "o":
            return f"{int(_whole(value)):o}"
        case _:
            return _hexadecimal(value) if clause.verb == "x" else _hexadecimal(value).upper()


def _whole(value: Value) -> int:
    if value.__class__ is int or value.__class__ is UInt:
        return int(value)
    raise WrongFormat(f"only integers can be printed here, not {type_name(value)}")


def _double(value: Value) -> float:
    if value.__class__ is float:
        return float(value)
    if value.__class__ is str and value in _NUMBER_NAMES:
        return _NUMBER_NAMES[value]
    raise WrongFormat(f"only doubles can be printed here, not {type_name(value)}")


def _not_finite(number: float) -> str | None:
    if math.isnan(number):
        return "NaN"
    return ("∞" if number > 0 else "-∞") if math.isinf(number) else None


def _fixed(value: Value, precision: int) -> str:
    number = _double(value)
    return _not_finite(number) or f"{number:,.{precision}f}"


def _scientific(value: Value) -> str:
    """Six decimals, whatever precision is asked for, and the exponent in superscript."""
    number = _double(value)
    name = _not_finite(number)
    if name is not None:
        return name.rjust(_SCIENTIFIC_WIDTH)
    mantissa, _, exponent = f"{number:.6e}".partition("e")
    power = int(exponent)
    shown = f"{power:03d}" if power < 0 else f"{power:02d}"
    return f"{mantissa}×10{shown.translate(_SUPERSCRIPTS)}"


def _hexadecimal(value: Value) -> str:
    if value.__class__ is str:
        return str(value.encode("utf-8", "surrogatepass").hex())
    return str(value.hex()) if value.__class__ is bytes else f"{_whole(value):x}"


def _text(value: Value) -> str:
    if value.__class__ is str:
        return str(value)
    if value.__class__ is float:
        return double_text(value)
    if value.__class__ is bytes:
        return _decoded(value)
    if value.__class__ is Duration:
        return duration_text(value)
    return timestamp_text(value) if value.__class__ is Timestamp else _inner(value)


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise WrongFormat("invalid UTF-8 in bytes, cannot convert to string") from None


def _inner(value: Value) -> str:
    """A value inside a list or map."""
    if value is None:
        return "null"
    if isinstance(value, MapValue):
        return f"{{{', '.join(sorted(f'{_key(key)}:{_inner(inner)}' for key, inner in value.items()))}}}"
    printer = _INNER.get(value.__class__)
    if printer is None:
        raise WrongFormat(f"no formatting function for {type_name(value)}")
    return str(printer(value))


def _key(key: Value) -> str:
    if key.__class__ not in (str, bool, int, UInt):
        raise WrongFormat(f"no formatting function for map key of type {type_name(key)}")
    return _inner(key)


def _list_text(values: tuple[Value, ...]) -> str:
    return f"[{', '.join(map(_inner, values))}]"


def quoted(text: str) -> str:
    """A text in double quotation marks, with everything escaped that cannot be printed."""
    return f'"{"".join(map(_quoted_character, text))}"'


_ESCAPES: Final = {
    "\a": r"\a", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v", "\\": r"\\", '"': r"\"",
}  # fmt: skip


def _quoted_character(character: str) -> str:
    escaped = _ESCAPES.get(character)
    if escaped is not None or character.isprintable():
        return escaped or character
    code = ord(character)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_INNER: Final[dict[type, Callable[[Value], str]]] = {
    str: quoted,
    bool: lambda value: "true" if value else "false",
    int: str,
    UInt: lambda value: str(int(value)),
    float: lambda value: f"{value:.6f}" if math.isfinite(value) else double_text(value),
    bytes: lambda value: f"b{quoted(_decoded(value))}",
    Duration: lambda value: f'duration("{duration_text(value)}")',
    Timestamp: lambda value: f'timestamp("{timestamp_text(value)}")',
    TypeValue: lambda value: value.name,
    tuple: _list_text,
}

OVERLOADS: Final[list[Overload]] = [method("format", (STRING, list_of(DYN)), STRING, _format)]
