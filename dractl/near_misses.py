"""What was probably meant by a name that nobody knows: one written with a slip of the pen, not another word."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_BETWEEN_WORDS: Final = re.compile(r"[./:_-]")
_NUMBERS: Final = re.compile(r"\d+")
_SHORT_WORD: Final = 4
_ALIKE: Final = 0.65
_LONG_WORD: Final = 10
_MOST_SLIPS: Final = 2
_NAMES_REMEMBERED: Final = 1 << 16


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name from which the fewest slips lead here, the first of several; empty where all are other names.

    A slip is a letter too many, too few, wrong, or exchanged with its neighbour; upper and lower case alone are none.
    """
    best, fewest = "", 0
    for other in known:
        slips = _slips(name.lower(), other.lower())
        if slips is not None and (not best or slips < fewest):
            best, fewest = other, slips
    return best


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`did you mean X?`, or nothing."""
    close = nearest(name, known)
    return f"did you mean {close}?" if close else ""


def nearest_word(word: str, known: Iterable[str]) -> str:
    """Of a few words that may stand in a place, such as the fields of a structure, the one that is most like this one.

    Nothing else can be meant there, so that it need not be a mere slip.
    """
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), n=1, cutoff=_ALIKE)), "")


def _slips(name: str, other: str) -> int | None:
    """How many slips lie between two names, or None where they are different ones.

    `h100` and `a100` are, and so are `gpu-0` and `gpu-1`: numbers have to be the same. Names of equally many words,
    such as the labels of a domain, are compared word by word: `npu.example.com` is no slip for `gpu.example.com`.
    """
    if abs(len(name) - len(other)) > _MOST_SLIPS:
        return None
    (numbers, words), (other_numbers, others) = _parts(name), _parts(other)
    if numbers != other_numbers:
        return None
    if len(words) != len(others):
        return _slips_in_word(name, other)
    total = 0
    for pair in zip(words, others, strict=True):
        slips = _slips_in_word(*pair)
        if slips is None:
            return None
        total += slips
    return total if total <= _allowed(other) else None


@lru_cache(maxsize=_NAMES_REMEMBERED)
def _parts(name: str) -> tuple[list[str], list[str]]:
    """Its numbers, and its words."""
    return _NUMBERS.findall(name), _BETWEEN_WORDS.split(name)


def _slips_in_word(word: str, other: str) -> int | None:
    """The slips between two words. Another letter in front makes a short word another one."""
    if word == other:
        return 0
    shorter, longer = sorted((len(word), len(other)))
    most = min(_allowed(other), shorter - 1 if shorter < longer else (shorter - 1) // 2)
    if longer - shorter > most or (shorter == longer <= _SHORT_WORD and word[1:] == other[1:]):
        return None
    slips = _distance(word, other)
    return slips if slips <= most else None


def _allowed(word: str) -> int:
    return _MOST_SLIPS if len(word) >= _LONG_WORD else 1


def _distance(word: str, other: str) -> int:
    """How many letters to add, take out, change or exchange with the next one: row by row, one for each letter.

    What both begin or end with is left out first: it changes nothing, and is most of two names of one series.
    """
    word, other = _without_common_start(word, other)
    word, other = (each[::-1] for each in _without_common_start(word[::-1], other[::-1]))
    before: list[int] = []
    row = list(range(len(other) + 1))
    for number, letter in enumerate(word):
        two_before, before, row = before, row, [number + 1]
        for index, wanted in enumerate(other):
            least = min(before[index + 1] + 1, row[index] + 1, before[index] + (letter != wanted))
            is_exchanged = number and index and letter == other[index - 1] and word[number - 1] == wanted
            row.append(min(least, two_before[index - 1] + 1) if is_exchanged else least)
    return row[-1]


def _without_common_start(word: str, other: str) -> tuple[str, str]:
    common = next((at for at, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), None)
    common = min(len(word), len(other)) if common is None else common
    return word[common:], other[common:]
