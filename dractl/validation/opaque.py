"""Configuration that is handed to a driver as it stands, in classes and claims (validation.md §5)."""

import math
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from dractl.api.resource import OpaqueDeviceConfiguration
from dractl.validation.formats import driver, missing
from dractl.validation.violation import Violation, ViolationType, below, declared

_LARGEST: Final = 10 * 1024
_ESCAPED: Final = "<>&\u2028\u2029"
"""Characters that clients of Kubernetes write as six bytes."""


def check_opaque(opaque: OpaqueDeviceConfiguration | None) -> Iterator[Violation]:
    """The only kind of configuration; paths begin at the entry that holds it."""
    if opaque is None:
        yield missing("`opaque`, the only kind of configuration", "write `opaque: {driver: …, parameters: {…}}`").below(
            "opaque"
        )
        return
    yield from below(declared(driver(opaque.driver)), "opaque", "driver")
    yield from below(_check_parameters(opaque.parameters), "opaque", "parameters")


def _check_parameters(parameters: Any) -> Iterator[Violation]:
    if parameters is None:
        yield missing("the configuration itself", "write what the driver's documentation asks for, `{}` if nothing")
        return
    size = size_as_sent(parameters)
    if size > _LARGEST:
        message = f"the configuration has {size} bytes as JSON: at most {_LARGEST} are allowed"
        yield Violation((), ViolationType.TOO_LONG, message, "keep large data in an object that the driver reads")
    elif not isinstance(parameters, dict):
        message = "the configuration is not a map"
        yield Violation((), ViolationType.INVALID, message, "write `parameters: {apiVersion: …, kind: …, …}`")
    elif _holds_infinity(parameters):
        message = "the configuration has a number that is beyond every range"
        yield Violation((), ViolationType.INVALID, message, "write it in quotes, if the driver takes that")


def _holds_infinity(value: Any) -> bool:
    """Whether there is a number such as 1e400 somewhere: JSON can write it, and the server cannot read it."""
    if isinstance(value, float):
        return math.isinf(value)
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(_holds_infinity, children))


def size_as_sent(value: Any) -> int:
    """Bytes of the compact JSON that kubectl sends."""
    encoded = msgspec.json.encode(value)
    text = encoded.decode()
    return len(encoded) + sum((6 - len(char.encode())) * text.count(char) for char in _ESCAPED)
