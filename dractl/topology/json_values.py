"""JSON of dumps to typed values, with the field that is wrong named in its own words."""

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar, get_args, get_origin

import msgspec

from dractl.api.codec import to_api
from dractl.errors import FieldPath
from dractl.topology.dumps import Unreadable

_T = TypeVar("_T")

_BYTE: Final = re.compile(r"JSON is malformed: (?P<what>.*) \(byte (?P<byte>\d+)\)")
_AT: Final = re.compile(r"(?P<what>.*?)(?: - at `\$?(?P<path>[^`]*)`)?", re.DOTALL)
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_TYPES: Final = re.compile(r"Expected `(?P<wanted>\w+)(?: \| null)?`, got `(?P<given>\w+)`")
_WORDS: Final = {
    "str": "text",
    "int": "an integer",
    "float": "a number",
    "bool": "true or false",
    "object": "a map",
    "array": "a list",
    "null": "nothing",
}
_NAMES: Final = {str: "str", int: "int", float: "float", bool: "bool", dict: "object", list: "array"}
_AGAIN: Final = "the file is cut short or was edited: fetch it once more"


def parse_json(text: str) -> Any:
    """Plain data of a JSON text. Raises Unreadable with the line where it is none."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        match = _BYTE.fullmatch(str(error))
        if match is None:
            line = text.count("\n") + 1 if "truncated" in str(error) else None
            raise Unreadable("not JSON: the text ends too early", _AGAIN, line=line) from None
        line = text.encode()[: int(match["byte"])].count(b"\n") + 1
        raise Unreadable(f"not JSON: {match['what']}", _AGAIN, line=line) from None
    except RecursionError:
        raise Unreadable("not read: the JSON is nested too deep") from None


def to_typed(
    data: Any,
    shape: type[_T],
    *,
    path: FieldPath = (),
    strict: bool = True,
    remedy: Callable[[str], str] = lambda _: _AGAIN,
) -> _T:
    """Plain data as a value of a type; fields that the type lacks are ignored.

    `path` is where the data stand in their document. Without `strict` numbers may be written as strings, as protobuf's
    JSON does. Raises Unreadable with the path of the first field that does not fit, and the remedy for what is wanted
    there (`text`, `an integer`, …).
    """
    try:
        return to_api(data, shape) if strict else msgspec.convert(data, shape, strict=False)
    except msgspec.ValidationError as error:
        match = _AT.fullmatch(str(error))
        what = match["what"] if match else str(error)
        types = _TYPES.fullmatch(what)
        wanted = _WORDS.get(types["wanted"], "") if types else ""
        if types and wanted:
            what = f"must be {wanted}, but is {_WORDS.get(types['given'], types['given'])}"
        steps = _steps(match["path"] or "", data, types["given"] if types else "") if match else ()
        message = what[:1].lower() + what[1:].replace("`", "")
        raise Unreadable(message, remedy(wanted), path=(*path, *steps)) from None


def _steps(text: str, data: Any, given: str) -> FieldPath:
    """`.topology[0].cores[...]` as steps; an unnamed key is the first that has a value of the `given` type."""
    steps: list[str | int] = []
    for name, index in _STEP.findall(text):
        if index == "...":
            keys = [key for key, value in data.items() if _NAMES.get(type(value)) == given]
            if not keys:
                break
            name = keys[0]
        step = name or int(index)
        steps.append(step)
        data = data[step] if isinstance(data, list) else data.get(step)
    return tuple(steps)


def without_nulls(data: Any) -> Any:
    """The data without entries of maps that are null: Go writes them for what is absent."""
    if isinstance(data, dict):
        return {key: without_nulls(value) for key, value in data.items() if value is not None}
    return [without_nulls(value) for value in data] if isinstance(data, list) else data


def respelt(data: Any, shape: Any) -> Any:
    """The data with the keys of structs spelt as in their type; keys of maps stay.

    Go reads keys in any case, and protobuf's JSON has `cpuIds` or `cpu_ids`.
    """
    if isinstance(data, list) and get_origin(shape) is list:
        return [respelt(value, get_args(shape)[0]) for value in data]
    if not isinstance(data, dict):
        return data
    if get_origin(shape) is dict:
        return {key: respelt(value, get_args(shape)[1]) for key, value in data.items()}
    if not (isinstance(shape, type) and issubclass(shape, msgspec.Struct)):
        return data
    fields = {_plain(field.name): field for field in msgspec.structs.fields(shape)}
    spelt = {}
    for key, value in data.items():
        field = fields.get(_plain(key))
        spelt[field.name if field else key] = respelt(value, field.type) if field else value
    return spelt


def _plain(key: str) -> str:
    return key.replace("_", "").lower()
