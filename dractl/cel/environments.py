"""What device expressions may use: stored ones everything, new ones what gates allow (cel.md, Stored and new)."""

from functools import cache
from typing import Final

from dractl.cel import types
from dractl.cel.check import Environment
from dractl.cel.declarations import gathered
from dractl.cel.gates import CelGates
from dractl.cel.library import (
    conversions,
    formats,
    formatting,
    lists,
    network,
    operators,
    optionals,
    quantity,
    regex,
    semver,
    strings,
    times,
    urls,
)
from dractl.cel.types import ANY, BOOL, DEVICE, DYN, QUANTITY, STRING, Type, map_of

_TYPE_NAMES: Final = {
    **{found.name: found for found in (types.BOOL, types.BYTES, types.DOUBLE, types.INT, types.STRING, types.UINT)},
    **{found.name: found for found in (types.DURATION, types.TIMESTAMP, types.NULL, types.IP, types.CIDR)},
    "list": types.list_of(DYN),
    "map": types.map_of(DYN, DYN),
    "type": types.type_of(),
    types.OPTIONAL_NAME: types.optional_of(DYN),
}


_LIBRARIES: Final = (
    *(operators, conversions, times, strings, formatting, optionals, lists, regex),
    *(quantity, semver, network, urls, formats),
)


@cache
def environment(gates: CelGates | None) -> Environment:
    """The names, fields and functions for expressions under gates; without gates everything exists."""
    gates = gates or CelGates()
    attribute = DYN if gates.list_type_attributes else ANY
    fields: dict[str, Type] = {
        "driver": STRING,
        "attributes": map_of(STRING, map_of(STRING, attribute)),
        "capacity": map_of(STRING, map_of(STRING, QUANTITY)),
    }
    if gates.consumable_capacity:
        fields["allowMultipleAllocations"] = BOOL
    libraries = [module.OVERLOADS for module in _LIBRARIES]
    if gates.list_type_attributes:
        libraries.append(lists.INCLUDES)
    return Environment({"device": DEVICE}, {DEVICE.name: fields}, gathered(*libraries), _TYPE_NAMES)
