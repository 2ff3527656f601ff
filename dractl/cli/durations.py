"""Durations as kubectl's flags take them."""

import re
from typing import Final

from dractl.errors import UsageError

_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|[smh])")


def seconds(text: str, option: str) -> float:
    """The seconds of `30s`, `1m30s`, `500ms` or of a plain number. Raises UsageError for anything else and for zero."""
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        total = float(text)
    elif re.fullmatch(f"(?:{_PART.pattern})+", text):
        total = sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))
    else:
        raise UsageError(f"{option} {text} is not a duration", "write it like 30s, 2m or 1m30s")
    if total <= 0:
        raise UsageError(f"{option} {text} leaves no time", "write it like 30s, 2m or 1m30s")
    return total
