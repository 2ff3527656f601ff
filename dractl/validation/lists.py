"""What holds for lists of any kind: how long they may be, and that items do not repeat (validation.md §2)."""

from collections.abc import Hashable, Iterable, Iterator, Sized
from typing import TypeVar

from dractl.validation.violation import Violation, ViolationType

H = TypeVar("H", bound=Hashable)


def too_many(items: Sized | None, limit: int) -> Iterator[Violation]:
    """A list that is too long; its items are then not looked at."""
    if items is not None and len(items) > limit:
        yield Violation(
            (),
            ViolationType.TOO_MANY,
            f"{len(items)} items are too many: at most {limit} are allowed",
            f"take {len(items) - limit} out",
        )


def repeated(keys: Iterable[H], what: str) -> Iterator[Violation]:
    """Items whose key an earlier item has already; the path is the later item's index."""
    seen: set[H] = set()
    for index, key in enumerate(keys):
        if key in seen:
            message = f'the {what} "{key}" stands in this list already'
            yield Violation((index,), ViolationType.DUPLICATE, message, f"give it another {what}, or take it out")
        seen.add(key)
