"""What validation depends on besides the object: the gates in force (gates.md §4)."""

from typing import Final, Self

from msgspec import Struct

from dractl.cel import CelGates
from dractl.gates import Gates


class Rulebook(Struct, frozen=True):
    """The rules that hold. `cel` are the gates for new expressions, None for stored ones, for which everything exists.

    `has_distinct_attributes` is whether constraints know `distinctAttribute`; `has_fractional_ranges` lets ranges of
    capacity have steps of thousandths; `tolerates_by_comparison` lets tolerations of pods compare numbers.
    """

    cel: CelGates | None = None
    has_distinct_attributes: bool = True
    has_fractional_ranges: bool = True
    tolerates_by_comparison: bool = True

    @classmethod
    def of(cls, gates: Gates) -> Self:
        """The rules for new objects while these gates are in force."""
        return cls(
            cel=CelGates(
                consumable_capacity=gates.is_on("DRAConsumableCapacity"),
                list_type_attributes=gates.is_on("DRAListTypeAttributes"),
            ),
            has_distinct_attributes=gates.is_on("DRAConsumableCapacity"),
            has_fractional_ranges=gates.is_on("DRAFractionalCapacityRange"),
            tolerates_by_comparison=gates.is_on("TaintTolerationComparisonOperators"),
        )


STORED: Final = Rulebook()
"""The rules for objects that a cluster holds already: what they have stays allowed whatever the gates say."""
