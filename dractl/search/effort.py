"""How long a search takes: for dractl, and for the scheduler, which tries equal devices one by one (dra.md §12)."""

from typing import Final

STEPS_OF_THE_SCHEDULER: Final = 1_000_000
"""Devices that the scheduler's search tries in about ten seconds, its limit per node; a faster machine tries more."""

SECONDS_OF_THE_STEPS: Final = 10


LONGER: Final = 10
"""How many times its steps a search may take while the scheduler would still be within its time: then its answer is
one that the scheduler gives, and how long that takes has to be counted."""


class StepsUsedUp(Exception):
    """The search is ended before anything is proven."""


class Effort:
    """Counts devices tried. `spared` are those that dractl skips and the scheduler would try."""

    def __init__(self, limit: int) -> None:
        self._limit: Final = limit
        self.tried = 0
        self.spared = 0

    @property
    def total(self) -> int:
        """Devices that the scheduler would have tried so far."""
        return self.tried + self.spared

    def step(self) -> None:
        """One more device is tried. Raises StepsUsedUp beyond the limit, or later where it is worth while."""
        self.tried += 1
        if self.tried > self._limit and (self.total > STEPS_OF_THE_SCHEDULER or self.tried > self._limit * LONGER):
            raise StepsUsedUp
