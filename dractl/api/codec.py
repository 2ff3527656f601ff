"""Plain data (what JSON or YAML holds) to API types and back."""

from typing import Any, TypeVar

import msgspec

from dractl.api.quantity import Quantity

T = TypeVar("T")


def to_api(value: Any, kind: type[T]) -> T:
    """Read plain data as an API type, without any check for unknown fields.

    Nulls must have been taken out. Raises msgspec.ValidationError at the first wrong type.
    """
    return msgspec.convert(value, kind, dec_hook=_decode)


def to_plain(value: Any) -> Any:
    """The plain data of an API object, with fields at their default left out and quantities in canonical text."""
    return msgspec.to_builtins(value, enc_hook=_encode)


def fingerprint(value: Any) -> bytes:
    """Equal for API objects that say the same."""
    return msgspec.json.encode(value, enc_hook=_encode)


def _decode(kind: type, value: Any) -> Any:
    if kind is not Quantity:
        raise TypeError(f"no reader for {kind!r}")
    if isinstance(value, str):
        return Quantity.parse(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Quantity.parse(repr(value))
    raise ValueError(f"{value!r} is not a quantity")


def _encode(value: Any) -> Any:
    if isinstance(value, Quantity):
        return str(value)
    raise TypeError(f"no writer for {type(value)!r}")
