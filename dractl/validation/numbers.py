"""Numbers that count something (answers in validate-core)."""

from collections.abc import Iterator

from dractl.validation.violation import Violation, invalid


def at_least_nothing(number: int | None) -> Iterator[Violation]:
    """A number that may not be below 0."""
    if number is not None and number < 0:
        yield invalid(f"{number} is less than 0", "write 0 or more")
