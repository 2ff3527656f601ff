"""Fields that take one of a few words, and objects of which exactly one field may be set (validation.md §2)."""

from collections.abc import Iterator, Mapping, Sequence

from dractl.validation.violation import Violation, ViolationType


def one_of(word: str, words: Sequence[str]) -> Iterator[Violation]:
    """A word that has to be one of these."""
    if word not in words:
        message = f'"{word}" is not known here'
        yield Violation((), ViolationType.NOT_SUPPORTED, message, f"write one of {', '.join(words)}")


def exactly_one(fields: Mapping[str, bool]) -> Iterator[Violation]:
    """Of these fields, each with whether it is set, one and only one has to be."""
    present = [f"`{field}`" for field, is_set in fields.items() if is_set]
    if len(present) == 1:
        return
    every = ", ".join(f"`{field}`" for field in fields)
    if present:
        yield Violation((), ViolationType.INVALID, f"{' and '.join(present)} are set together", "keep one of them")
    else:
        yield Violation((), ViolationType.INVALID, f"none of {every} is set", "set exactly one of them")
