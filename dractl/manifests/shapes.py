"""Which fields API objects have and what each holds: the table `fields.txt`, read when it is first needed.

It covers all fields that Kubernetes v1.37 knows, also those that dractl does not compute with, so that a misspelt field
is found everywhere. The table's header names its origin; `tests/manifests/make_fields.py` writes it.
"""

import pkgutil
from enum import Enum
from functools import cache
from typing import Final, TypeAlias

from msgspec import Struct


class Simple(Enum):
    """What a field holds that is no structure. `ANY` is data that Kubernetes does not look into."""

    STRING = "string"
    BOOLEAN = "boolean"
    INT32 = "int32"
    INT64 = "int64"
    QUANTITY = "quantity"
    TIME = "time"
    INT_OR_STRING = "intOrString"
    ANY = "any"


class ListOf(Struct, frozen=True):
    """A list."""

    item: "Shape"


class MapOf(Struct, frozen=True):
    """A map with text keys of any name."""

    value: "Shape"


class Structure(Struct, frozen=True):
    """A structure by its name in the table. Its fields are looked up with `fields_of`, as types may be recursive."""

    name: str


Shape: TypeAlias = Simple | ListOf | MapOf | Structure

_SIMPLE: Final = {simple.value: simple for simple in Simple}


@cache
def fields_of(name: str) -> dict[str, Shape]:
    """The fields of a structure. Raises KeyError for a name that the table lacks."""
    words = _lines()[name].split()
    pairs = (word.split(":") for word in words)
    return {field: _shape(code) for field, code in pairs}


@cache
def _lines() -> dict[str, str]:
    table = pkgutil.get_data("dractl.manifests", "fields.txt")
    if table is None:
        raise FileNotFoundError("the table dractl/manifests/fields.txt is not installed")
    lines = (line.partition(" ") for line in table.decode().splitlines() if not line.startswith("#"))
    return {name: rest for name, _, rest in lines}


@cache
def _shape(code: str) -> Shape:
    if code.startswith("[]"):
        return ListOf(_shape(code[2:]))
    if code.startswith("{}"):
        return MapOf(_shape(code[2:]))
    return _SIMPLE.get(code) or Structure(code)
