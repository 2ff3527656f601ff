"""Small pieces of English: lists, numbers and verbs."""

from collections.abc import Iterable
from typing import Final

_NAMED_AT_MOST: Final = 4


def listed(names: Iterable[object], *, at_most: int = _NAMED_AT_MOST) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c, d and 12 more`; one more than allowed is named all the same."""
    texts = [str(name) for name in names]
    if len(texts) > at_most + 1:
        return f"{', '.join(texts[:at_most])} and {len(texts) - at_most} more"
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 pod`, `2 pods`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def verb(number: int, singular: str, plural: str) -> str:
    """The form of a verb that goes with so many subjects."""
    return singular if number == 1 else plural
