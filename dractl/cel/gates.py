"""The feature gates that expressions depend on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CelGates:
    """The gates that matter to expressions of new objects (cel.md, Stored and new)."""

    consumable_capacity: bool = True
    list_type_attributes: bool = True
