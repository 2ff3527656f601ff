"""Fields that take one of a few words, and objects of which exactly one field may be set (validation.md §2)."""

from collections.abc import Iterator, Mapping, Sequence

from dractl.validation.violation import Violation, ViolationType, set_together


def one_of(word: str, words: Sequence[str]) -> Iterator[Violation]:
    """A word that has to be one of these."""
    if word not in words:
        message = f'"{word}" is not known here'
        yield Violation((), ViolationType.NOT_SUPPORTED, message, f"write one of {', '.join(words)}")


def exactly_one(fields: Mapping[str, bool]) -> Iterator[Violation]:
    """Of these fields, each with whether it is set, one and only one has to be."""
    present = [field for field, is_set in fields.items() if is_set]
    if len(present) == 1:
        return
    every = ", ".join(f"`{field}`" for field in fields)
    if present:
        yield set_together(present)
    else:
        message = f"none of {every} is set"
        yield Violation((), ViolationType.INVALID, message, "set exactly one of them", wants=tuple(fields))
