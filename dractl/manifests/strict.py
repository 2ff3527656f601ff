"""The quick yes: msgspec types, made from the table of fields, that let exactly what needs no closer look pass.

A yes means that `walk` would find no problem and would change nothing. A no says nothing: then `walk` looks.
"""

from functools import cache
from typing import Annotated, Any, Final

import msgspec

from dractl.api.quantity import Quantity
from dractl.manifests.shapes import ListOf, MapOf, Shape, Simple, Structure, fields_of
from dractl.manifests.walk import is_time


class _Time:
    """Stands for a time in the types here."""


class _Recursive(Exception):
    """A structure contains itself: there is no quick type for it."""


_SIMPLE: Final[dict[Simple, Any]] = {
    Simple.STRING: str,
    Simple.BOOLEAN: bool,
    Simple.INT32: Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)],
    Simple.INT64: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)],
    Simple.QUANTITY: Quantity,
    Simple.TIME: _Time,
    Simple.INT_OR_STRING: str | Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)],
    Simple.ANY: Any,
}


def is_clean(value: Any, structure: str) -> bool:
    """Whether plain data is certainly what a structure of the table asks for, nulls and numbers in quantities apart."""
    quick = _type_of(structure)
    if quick is None:
        return False
    try:
        msgspec.convert(value, quick, dec_hook=_check)
    except (msgspec.ValidationError, RecursionError):
        return False
    return True


def _check(kind: type, value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError("needs a closer look")
    if kind is Quantity:
        return Quantity.parse(value)
    if not is_time(value):
        raise ValueError("not a time")
    return _Time()


@cache
def _type_of(structure: str) -> type[msgspec.Struct] | None:
    try:
        return _build(structure, ())
    except _Recursive:
        return None


_built: Final[dict[str, type[msgspec.Struct]]] = {}


def _build(structure: str, inside: tuple[str, ...]) -> type[msgspec.Struct]:
    if structure in inside:
        raise _Recursive(structure)
    if structure not in _built:
        fields = [
            (field, _python_type(shape, (*inside, structure)), None) for field, shape in fields_of(structure).items()
        ]
        _built[structure] = msgspec.defstruct(structure, fields, forbid_unknown_fields=True, kw_only=True)
    return _built[structure]


def _python_type(shape: Shape, inside: tuple[str, ...]) -> Any:
    if isinstance(shape, Structure):
        return _build(shape.name, inside)
    if isinstance(shape, ListOf):
        return list[_python_type(shape.item, inside)]  # type: ignore[misc]
    if isinstance(shape, MapOf):
        return dict[str, _python_type(shape.value, inside)]  # type: ignore[misc]
    return _SIMPLE[shape]
