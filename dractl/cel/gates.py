"""The feature gates that expressions depend on."""

from msgspec import Struct


class CelGates(Struct, frozen=True):
    """The gates that matter to expressions of new objects (cel.md, Stored and new)."""

    consumable_capacity: bool = True
    list_type_attributes: bool = True
