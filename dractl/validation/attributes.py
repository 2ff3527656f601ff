"""The attributes of devices: their names and values (validation.md §7)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from dractl.api.resource import Device, DeviceAttribute
from dractl.validation.formats import attribute_text, qualified_name, size, version
from dractl.validation.paths import MOST_OF_KEY
from dractl.validation.violation import Violation, ViolationType, below, of_key, set_together

_TYPES: Final = ("int", "bool", "string", "version", "ints", "bools", "strings", "versions")
LIST_TYPES: Final = ("ints", "bools", "strings", "versions")
_MOST_NAMES: Final = 32
_MOST_VALUES: Final = 48


def check_attributes(attributes: Mapping[str, DeviceAttribute]) -> Iterator[Violation]:
    """Names and values; paths begin at the map."""
    for name, attribute in attributes.items():
        flaws = qualified_name(name)
        if flaws:
            yield from of_key("attribute", name, flaws)
        if has_list(attribute) or not _has_one_scalar(attribute):
            yield from below(_check_types(attribute, has_cut_name=size(name) > MOST_OF_KEY), name)
        if attribute.string is not None and (flaws := attribute_text(attribute.string)):
            yield from below(flaws, name, "string")
        if attribute.version is not None and (flaws := version(attribute.version)):
            yield from below(flaws, name, "version")


def has_list(attribute: DeviceAttribute) -> bool:
    """Whether any list is there, be it empty."""
    # Written out: this runs for every attribute of every device.
    has_numbers = attribute.ints is not None or attribute.bools is not None
    return has_numbers or attribute.strings is not None or attribute.versions is not None


def _has_one_scalar(attribute: DeviceAttribute) -> bool:
    numbers = (attribute.int is not None) + (attribute.bool is not None)
    return numbers + (attribute.string is not None) + (attribute.version is not None) == 1


def _check_types(attribute: DeviceAttribute, *, has_cut_name: bool) -> Iterator[Violation]:
    """One of the eight types. To the declared rule an empty list is none, to the written one it is, and wrong besides.

    Both are reported only if the written rule cuts the name, so that its path is another one (validation.md §2).
    """
    given_types = [field for field in _TYPES if getattr(attribute, field) is not None]
    set_types = [field for field in given_types if getattr(attribute, field) != []]
    is_declared = len(set_types) != 1
    if is_declared:
        yield replace(_number_of_types(set_types), is_declared=True)
    if len(given_types) != 1 and (has_cut_name or not is_declared):
        yield replace(_number_of_types(given_types), is_echo=is_declared)
    yield from _check_lists(attribute)


def _number_of_types(types: Sequence[str]) -> Violation:
    if types:
        return set_together(types, "an attribute has one value; keep one")
    remedy = f"write one of {', '.join(_TYPES)}"
    return Violation((), ViolationType.INVALID, "the attribute has no value", remedy, wants=_TYPES)


def _check_lists(attribute: DeviceAttribute) -> Iterator[Violation]:
    for field in LIST_TYPES:
        if getattr(attribute, field) == []:
            message = "the list is empty"
            yield Violation((field,), ViolationType.INVALID, message, "give it a value, or take the attribute out")
    for index, text in enumerate(attribute.strings or ()):
        yield from below(attribute_text(text), "strings", index)
    for index, text in enumerate(attribute.versions or ()):
        yield from below(version(text), "versions", index)


def check_numbers(device: Device) -> Iterator[Violation]:
    """How many attributes, capacities and values one device may have; paths begin at the device."""
    attributes = device.attributes or {}
    names = len(attributes) + len(device.capacity or ())
    if names > _MOST_NAMES:
        message = f"{names} attributes and capacities are too many: at most {_MOST_NAMES} are allowed"
        yield Violation((), ViolationType.INVALID, message, f"take {names - _MOST_NAMES} out")
    if len(attributes) <= _MOST_NAMES and not any(map(has_list, attributes.values())):
        return
    values = sum(map(_number_of_values, attributes.values()))
    if values > _MOST_VALUES:
        message = f"{values} values of attributes are too many: at most {_MOST_VALUES} are allowed"
        yield Violation((), ViolationType.INVALID, message, f"take {values - _MOST_VALUES} out")


def _number_of_values(attribute: DeviceAttribute) -> int:
    lists = [values for field in LIST_TYPES if (values := getattr(attribute, field)) is not None]
    return sum(max(1, len(values)) for values in lists) if lists else 1
