"""Ports: their numbers, and names that stand for them (answers in validate-core)."""

import re
from collections.abc import Iterator
from typing import Final

from dractl.validation.violation import Violation, invalid

PROTOCOLS: Final = ("TCP", "UDP", "SCTP")
_LAST_PORT: Final = 65_535
_LONGEST_NAME: Final = 15
_NAMES: Final = re.compile(r"(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*")


def in_range(number: int) -> Iterator[Violation]:
    """The number of a port."""
    if not 1 <= number <= _LAST_PORT:
        yield invalid(f"{number} is no port", f"ports are 1 to {_LAST_PORT}")


def port_name(text: str) -> Iterator[Violation]:
    """The name of a port of a container."""
    if len(text.encode()) > _LONGEST_NAME or not _NAMES.fullmatch(text):
        form = 'lower-case letters, digits and single "-" between them, with a letter'
        yield invalid(f'"{text}" is no name for a port', f"use at most {_LONGEST_NAME} {form}")
