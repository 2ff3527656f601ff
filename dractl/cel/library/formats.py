"""Named formats: `format.dns1123Label().validate("a")` (cel.md, Libraries)."""

import re
from collections.abc import Callable, Iterable
from datetime import date
from typing import Final

from msgspec import Struct

from dractl.cel.declarations import Overload, function, method
from dractl.cel.library.times import parse_timestamp
from dractl.cel.library.urls import parse_url
from dractl.cel.types import FORMAT, STRING, list_of, optional_of
from dractl.cel.values import NONE, OptionalValue, Timestamp, Value, register_object


class Format(Struct, frozen=True):
    """A format; `size` is the length of the pattern that checking it is charged for (cel.md, Costs)."""

    name: str
    size: int
    faults: Callable[[str], Iterable[str]]


register_object(Format, FORMAT.name, lambda found: found.size)

_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN: Final = rf"{_LABEL}(\.{_LABEL})*"
_LABEL_1035: Final = "[a-z]([-a-z0-9]*[a-z0-9])?"
_NAME: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"

_LABEL_TEXT: Final = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    f"an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL}')"
)
_SUBDOMAIN_TEXT: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    f"end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN}')"
)
_LABEL_1035_TEXT: Final = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    f"'{_LABEL_1035}')"
)
_NAME_TEXT: Final = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    f"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_NAME}')"
)
_VALUE_TEXT: Final = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    f"'({_NAME})?')"
)


def _pattern(pattern: str, message: str, longest: int | None) -> Callable[[str], Iterable[str]]:
    compiled = re.compile(pattern)

    def faults(text: str) -> Iterable[str]:
        if longest is not None and len(text.encode()) > longest:
            yield f"must be no more than {longest} characters"
        if not compiled.fullmatch(text):
            yield message

    return faults


def _prefix(faults: Callable[[str], Iterable[str]]) -> Callable[[str], Iterable[str]]:
    """A name that something is appended to: a hyphen at its end, and what stands before it, are not looked at."""

    def prefix_faults(text: str) -> Iterable[str]:
        return faults(f"{text[:-2]}a" if text.endswith("-") and len(text) > 1 else text)

    return prefix_faults


_label: Final = _pattern(_LABEL, _LABEL_TEXT, 63)
_subdomain: Final = _pattern(_SUBDOMAIN, _SUBDOMAIN_TEXT, 253)
_label_1035: Final = _pattern(_LABEL_1035, _LABEL_1035_TEXT, 63)


def _qualified_name(text: str) -> Iterable[str]:
    parts = text.split("/")
    if len(parts) > 2:
        prefix_text = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        yield f"a valid label key {_NAME_TEXT} {prefix_text}"
        return
    if len(parts) == 2:
        if parts[0] == "":
            yield "prefix part must be non-empty"
        else:
            yield from (f"prefix part {fault}" for fault in _subdomain(parts[0]))
    name = parts[-1]
    if name == "":
        yield "name part must be non-empty"
    elif len(name) > 63:
        yield "name part must be no more than 63 characters"
    if not re.fullmatch(_NAME, name):
        yield f"name part {_NAME_TEXT}"


def _uri(text: str) -> Iterable[str]:
    try:
        parse_url(text)
    except ValueError as wrong:
        yield str(wrong)


_BASE64: Final = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})")
_UUID: Final = re.compile(r"(?i:[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _matching(pattern: re.Pattern[str], message: str) -> Callable[[str], Iterable[str]]:
    return lambda text: () if pattern.fullmatch(text) else (message,)


def _date(text: str) -> Iterable[str]:
    try:
        sound = _DATE.fullmatch(text) is not None and date.fromisoformat(text) is not None
    except ValueError:
        # Go knows the year 0, Python does not.
        sound = text.startswith("0000-") and not list(_date(f"2000{text[4:]}"))
    return () if sound else ("invalid date",)


def _datetime(text: str) -> Iterable[str]:
    return () if isinstance(parse_timestamp(text.upper()), Timestamp) else ("invalid datetime",)


_FORMATS: Final = {
    found.name: found
    for found in (
        Format("dns1123Label", 30, _label),
        Format("dns1123Subdomain", 60, _subdomain),
        Format("dns1035Label", 30, _label_1035),
        Format("qualifiedName", 60, _qualified_name),
        Format("dns1123LabelPrefix", 30, _prefix(_label)),
        Format("dns1123SubdomainPrefix", 60, _prefix(_subdomain)),
        Format("dns1035LabelPrefix", 30, _prefix(_label_1035)),
        Format("labelValue", 40, _pattern(f"({_NAME})?", _VALUE_TEXT, 63)),
        Format("uri", 1103, _uri),
        Format("uuid", 70, _matching(_UUID, "does not match the UUID format")),
        Format("byte", 84, _matching(_BASE64, "invalid base64")),
        Format("date", 71, _date),
        Format("datetime", 71, _datetime),
    )
}


def _named(name: str) -> OptionalValue:
    found = _FORMATS.get(name)
    return NONE if found is None else OptionalValue(found)


def _validate(wanted: Format, text: str) -> Value:
    faults = tuple(wanted.faults(text))
    return OptionalValue(faults) if faults else NONE


def _constant(found: Format) -> Callable[[], Format]:
    return lambda: found


OVERLOADS: Final[list[Overload]] = [
    *[function(f"format.{found.name}", (), FORMAT, _constant(found)) for found in _FORMATS.values()],
    function("format.named", (STRING,), optional_of(FORMAT), _named),
    method("validate", (FORMAT, STRING), optional_of(list_of(STRING)), _validate),
]
