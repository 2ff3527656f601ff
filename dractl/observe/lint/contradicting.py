"""Conditions of selectors that no device can fulfil together."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from dractl.cel import Selector
from dractl.cel.conditions import Condition, Relation, conditions, equal_to
from dractl.problem.selectors import SelectorUse

_DRIVER: Final = "device.driver"


class Contradiction(Struct, frozen=True):
    """Two conditions, each with the selector that it is part of, and never both true; `second` stands further on."""

    first: Condition
    of_first: SelectorUse
    second: Condition
    of_second: SelectorUse

    @property
    def is_within_one(self) -> bool:
        """Whether both are parts of one expression."""
        return self.of_first is self.of_second

    @property
    def is_about_drivers(self) -> bool:
        """Whether the driver is what is compared."""
        return self.second.subject == _DRIVER

    @property
    def are_alternatives(self) -> bool:
        """Whether each names values, so that either of them may be what is meant."""
        return {self.first.relation, self.second.relation} <= {Relation.EQUAL, Relation.IN}


def contradiction(uses: Sequence[SelectorUse]) -> Contradiction | None:
    """What the first selector contradicts that cannot be true together with those before it: itself, else the first."""
    known: list[tuple[Condition, SelectorUse]] = []
    for use in uses:
        if not isinstance(use.compiled, Selector):
            continue
        own = [(each, use) for each in conditions(use.expression)]
        for number, (second, _) in enumerate(own):
            for first, of_first in (*own[:number], *known):
                if first.excludes(second):
                    return Contradiction(first, of_first, second, use)
        known += own
    return None


def excludes_driver(uses: Sequence[SelectorUse], driver: str) -> bool:
    """Whether selectors say of themselves that they are true for no device of a driver."""
    wanted = equal_to(_DRIVER, driver)
    return any(each.excludes(wanted) for use in uses for each in conditions(use.expression))


def drivers_named(uses: Sequence[SelectorUse]) -> list[str]:
    """The drivers of which selectors say that a device must be of one."""
    return [
        str(name)
        for use in uses
        for each in conditions(use.expression)
        if each.subject == _DRIVER and each.relation in (Relation.EQUAL, Relation.IN)
        for _, name in each.constants
    ]


def asked_for(condition: Condition) -> str:
    """`driver gpu.example.com`, or the condition as it reads."""
    if condition.subject == _DRIVER and condition.relation is Relation.EQUAL:
        return f"driver {condition.constants[0][1]}"
    return condition.text
