"""Plain data against the table of fields: every unknown field and wrong type, with its path (reading.md, "Fields").

What the API server would read is built on the way: nulls are gone or have become empty values, integral floats are
integers, quantities are text.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any, Final

from msgspec import Struct

from dractl.api.quantity import Quantity
from dractl.errors import FieldPath
from dractl.manifests import remedies
from dractl.manifests.json_text import JsonNumber
from dractl.manifests.scalars import integer_of, number_text
from dractl.manifests.shapes import ListOf, MapOf, Shape, Simple, Structure, fields_of
from dractl.manifests.source import Notation

_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-](?:[01]\d|2[0-4]):[0-5]\d)", re.ASCII)
_LIMITS: Final = {Simple.INT32: 2**31 - 1, Simple.INT64: 2**63 - 1, Simple.INT_OR_STRING: 2**31 - 1}
_EMPTY: Final[Mapping[Simple, Any]] = {
    Simple.STRING: "",
    Simple.BOOLEAN: False,
    Simple.INT32: 0,
    Simple.INT64: 0,
    Simple.QUANTITY: "0",
    Simple.TIME: None,
    Simple.INT_OR_STRING: 0,
    Simple.ANY: None,
}


class Stage(Enum):
    """How the API server calls what is wrong (validation.md §1), and what it does not look at."""

    NO_KIND = "no_kind"
    NOT_REGISTERED = "not_registered"
    MALFORMED = "malformed"
    STRICT = "strict"
    OURS = "ours"


class Problem(Struct, frozen=True):
    """One thing that is wrong with an object, at a path from the object's root.

    `at_key` says that the key is meant and not its value. `read_as` is a value in the message that may be written in
    another way: with other digits, where it was rounded.
    """

    stage: Stage
    path: FieldPath
    message: str
    remedy: str = ""
    at_key: bool = False
    read_as: str = ""


def walk(value: Any, structure: str, notation: Notation) -> tuple[Any, list[Problem]]:
    """Check one object against a structure of the table; gives what was read of it, and every problem.

    In place of a text, number or boolean of the wrong type stands what was probably meant. Where that cannot be told,
    for an amount or a whole map or list, nothing is read.
    """
    walker = _Walker(notation)
    read = walker.shape(value, Structure(structure), ())
    return None if walker.is_torn else read, walker.problems


def is_time(text: str) -> bool:
    """Whether a text is a time as the API writes it (RFC 3339)."""
    if not _TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text[:19])
    except ValueError:
        return False
    return True


class _Walker:
    def __init__(self, notation: Notation) -> None:
        self.problems: list[Problem] = []
        self.is_torn = False
        self._notation = notation
        self._enclosing: list[tuple[str, FieldPath]] = []

    def shape(self, value: Any, shape: Shape, path: FieldPath) -> Any:
        """The value as the API server reads it; a guess where it cannot."""
        if isinstance(shape, Structure):
            read = self._structure(value, shape.name, path)
        elif isinstance(shape, ListOf):
            read = self._list(value, shape.item, path)
        elif isinstance(shape, MapOf):
            read = self._map(value, shape.value, path)
        else:
            read = self._simple(value, shape, path)
        if read is not None:
            return read
        if not isinstance(shape, Simple) or shape is Simple.QUANTITY or isinstance(value, dict | list):
            self.is_torn = True
            return None
        return _meant(value, shape)

    def _structure(self, value: Any, name: str, path: FieldPath) -> Any:
        if not isinstance(value, dict):
            return self._wrong(value, "a map", path, remedies.for_amount(value, name))
        fields = fields_of(name)
        self._enclosing.append((name, path))
        read = {}
        for key, child in value.items():
            shape = fields.get(key)
            if shape is None:
                remedy = remedies.for_unknown_field(key, child, self._enclosing)
                self.problems.append(Problem(Stage.STRICT, (*path, key), "unknown field", remedy, at_key=True))
            elif child is not None:
                found = self.shape(child, shape, (*path, key))
                if found is not None:
                    read[key] = found
        self._enclosing.pop()
        return read

    def _list(self, value: Any, shape: Shape, path: FieldPath) -> Any:
        if not isinstance(value, list):
            return self._wrong(value, "a list", path)
        return [
            _empty(shape) if item is None else self.shape(item, shape, (*path, index))
            for index, item in enumerate(value)
        ]

    def _map(self, value: Any, shape: Shape, path: FieldPath) -> Any:
        if not isinstance(value, dict):
            return self._wrong(value, "a map", path)
        return {
            key: _empty(shape) if child is None else self.shape(child, shape, (*path, key))
            for key, child in value.items()
        }

    def _simple(self, value: Any, shape: Simple, path: FieldPath) -> Any:
        if shape is Simple.ANY:
            return _with_plain_numbers(value)
        if shape is Simple.STRING:
            return value if isinstance(value, str) else self._wrong(value, "text", path)
        if shape is Simple.BOOLEAN:
            return value if isinstance(value, bool) else self._wrong(value, "true or false", path)
        if shape is Simple.QUANTITY:
            return self._quantity(value, path)
        if shape is Simple.TIME:
            return self._time(value, path)
        if shape is Simple.INT_OR_STRING and isinstance(value, str):
            return value
        return self._integer(value, shape, path)

    def _integer(self, value: Any, shape: Simple, path: FieldPath) -> Any:
        wanted = "an integer" if shape is not Simple.INT_OR_STRING else "an integer or text"
        if isinstance(value, float) and not isinstance(value, JsonNumber) and value.is_integer():
            value = integer_of(value)
        if not isinstance(value, int) or isinstance(value, bool):
            return self._wrong(value, wanted, path)
        limit = _LIMITS[shape]
        if not -limit - 1 <= value <= limit:
            message = f"{value} is out of range: from {-limit - 1} to {limit}"
            self.problems.append(Problem(Stage.MALFORMED, path, message, read_as=str(value)))
            return None
        return value

    def _quantity(self, value: Any, path: FieldPath) -> Any:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return self._wrong(value, "a quantity", path)
        text = _quantity_text(value)
        try:
            Quantity.parse(text)
        except ValueError:
            remedy = remedies.for_quantity(text)
            self.problems.append(Problem(Stage.MALFORMED, path, f"{text!r} is not a quantity", remedy))
            return None
        return text

    def _time(self, value: Any, path: FieldPath) -> Any:
        if not isinstance(value, str):
            return self._wrong(value, "a time", path)
        if is_time(value):
            return value
        remedy = remedies.for_text(value) or "write it like 2026-01-31T12:00:00Z"
        self.problems.append(Problem(Stage.MALFORMED, path, f"{value!r} is not a time", remedy))
        return None

    def _wrong(self, value: Any, wanted: str, path: FieldPath, known_remedy: str = "") -> None:
        message = f"must be {wanted}, but is {remedies.describe(value)}"
        remedy = known_remedy or remedies.for_wrong_type(value, wanted, self._notation)
        self.problems.append(Problem(Stage.MALFORMED, path, message, remedy))


def _quantity_text(value: str | float) -> str:
    if isinstance(value, JsonNumber):
        return value.text
    return number_text(value) if isinstance(value, float) else str(value).strip(" ")


def _meant(value: Any, shape: Simple) -> Any:
    """What was probably meant with a plain value of the wrong type, so that what refers to it still finds it."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if shape is Simple.STRING:
        return text
    if shape is Simple.BOOLEAN:
        return text.lower() == "true"
    is_number = shape in _LIMITS and text.isdecimal() and int(text) <= _LIMITS[shape]
    return int(text) if is_number else _EMPTY[shape]


def _empty(shape: Shape) -> Any:
    """What null stands for in a list or as the value of a map (reading.md, "Fields")."""
    if isinstance(shape, Simple):
        return _EMPTY[shape]
    return [] if isinstance(shape, ListOf) else {}


def _with_plain_numbers(value: Any) -> Any:
    """Data that Kubernetes does not look into, its JSON numbers as plain floats. Changes the data itself."""
    if isinstance(value, JsonNumber):
        return float(value)
    waiting = [value]
    while waiting:
        top = waiting.pop()
        entries: Any = top.items() if isinstance(top, dict) else enumerate(top) if isinstance(top, list) else ()
        for key, child in list(entries):
            if isinstance(child, JsonNumber):
                top[key] = float(child)
            elif isinstance(child, dict | list):
                waiting.append(child)
    return value
