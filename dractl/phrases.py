"""Small pieces of English: lists, numbers, verbs, and what was probably meant."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

_NAMED_AT_MOST: Final = 4
_ALIKE: Final = 0.8
_NUMBER: Final = re.compile(r"\d+")


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


def nearest(name: str, known: Sequence[str], *, alike: float = _ALIKE) -> str:
    """The known name that is almost the same, or nothing; `alike` is 1 for names that are equal."""
    same = next((each for each in known if each.lower() == name.lower() and each != name), "")
    return same or next(iter(get_close_matches(name, known, n=1, cutoff=alike)), "")


def differ_in_numbers(one: str, other: str) -> bool:
    """Whether two names are the same but for numbers in them, as those of a series are."""
    return one != other and _NUMBER.sub("0", one) == _NUMBER.sub("0", other)


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """`did you mean X?`, or nothing."""
    close = nearest(name, known)
    return f"did you mean {close}?" if close else ""
