"""Texts that Go's libraries put into the kubelet's errors: numbers, booleans, CPU lists and quantities."""

import re
from typing import Final

from dractl.api.quantity import INT64_MAX, INT64_MIN, Quantity
from dractl.machine.idsets import LARGEST_ID, CpuSet

_TRUE: Final = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE: Final = frozenset({"0", "f", "F", "FALSE", "false", "False"})
_WHOLE: Final = re.compile(r"[+-]?\d+", re.ASCII)
_SHAPE: Final = r"^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$"


def parse_bool(text: str) -> bool:
    """A Go boolean. Raises ValueError with Go's text."""
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ValueError(f'strconv.ParseBool: parsing "{text}": invalid syntax')


def parse_int(text: str) -> int:
    """A Go int. Raises ValueError with Go's text."""
    if _WHOLE.fullmatch(text) is None:
        raise ValueError(f'strconv.Atoi: parsing "{text}": invalid syntax')
    number = int(text)
    if not INT64_MIN <= number <= INT64_MAX:
        raise ValueError(f'strconv.Atoi: parsing "{text}": value out of range')
    return number


def parse_cpus(text: str) -> CpuSet:
    """A list of CPUs as the kubelet reads it, without blanks. Raises ValueError with Go's text."""
    found: set[int] = set()
    for part in text.split(",") if text else ():
        first_text, dash, last_text = part.partition("-")
        first = parse_int(first_text)
        last = parse_int(last_text) if dash else first
        if first > last:
            raise ValueError(f'invalid range "{part}" ({first} > {last})')
        if last > LARGEST_ID:
            raise ValueError(f"{last} is too large; the largest CPU that dractl reads is {LARGEST_ID}")
        found.update(range(first, last + 1))
    return CpuSet(found)


def parse_quantity(text: str) -> Quantity:
    """A quantity. Raises ValueError with Go's text."""
    try:
        return Quantity.parse(text)
    except ValueError:
        if re.fullmatch(_SHAPE, text) is None:
            raise ValueError(f"quantities must match the regular expression '{_SHAPE}'") from None
        raise ValueError("unable to parse quantity's suffix") from None
