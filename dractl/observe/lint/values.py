"""Values that an expression compares attributes with, and which ones there are."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from dractl.cluster.pools import PoolDevice
from dractl.errors import TextSpot
from dractl.near_misses import nearest
from dractl.observe.lint.spelling import NAMED, Hint
from dractl.phrases import listed
from dractl.problem.attributes import AttributeValue, Scalar, attribute_value

_COMPARED: Final = re.compile(
    rf"\bdevice\s*\.\s*{NAMED.pattern}\s*==\s*(?P<value>\"[^\"\\\\]*\"|'[^'\\\\]*'|\d+\b(?!\.)|true\b|false\b)"
)
_TYPES: Final = {str: "string", int: "int", bool: "bool"}


def value_hints(expression: str, devices: Iterable[PoolDevice], whose: str) -> Iterator[Hint]:
    """For each attribute that is compared with a value of its own type which none of the devices has, what they have.

    `whose` says which devices these are.
    """
    every = tuple(devices)
    for found in _COMPARED.finditer(expression):
        name = f"{found[2]}/{found[3] or found[4]}"
        wanted = _read(found["value"])
        there = list(_values(every, name, _TYPES[type(wanted)])) if found[1] == "attributes" else []
        if there and wanted not in there:
            close = nearest(wanted, [str(value) for value in there]) if isinstance(wanted, str) else ""
            remedy = f"did you mean {close}?" if close else f"there is {listed(map(_text, there))}"
            text = f"no device {whose} has {_text(wanted)} as {name}; {remedy}"
            yield Hint(text, TextSpot.of(expression, found.start("value")))


def _read(text: str) -> Scalar:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdigit() else text[1:-1]


def _text(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def types_of(device: PoolDevice, names: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The types of those of the names that are attributes of the device."""
    for what, name in names:
        value = _value(device, name) if what == "attributes" else None
        if value is not None and value.type:
            yield name, value.type


def _value(device: PoolDevice, name: str) -> AttributeValue | None:
    """The value under a qualified name."""
    domain, _, identifier = name.partition("/")
    held = device.device.attributes or {}
    attribute = held.get(name) or (held.get(identifier) if domain == device.id.driver else None)
    return attribute_value(attribute) if attribute is not None else None


def _values(devices: Iterable[PoolDevice], name: str, kind: str) -> Iterable[Scalar]:
    """The single values of a type, each once."""
    found: dict[Scalar, None] = {}
    for device in devices:
        value = _value(device, name)
        if value is not None and not value.is_list and value.type == kind:
            found.update(dict.fromkeys(value.values))
    return found
