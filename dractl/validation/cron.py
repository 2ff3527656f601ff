"""Schedules of CronJobs: five fields, or a word such as @daily (answers in validate-core)."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from dractl.validation.violation import Violation, invalid

_WORDS: Final = frozenset({"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"})
_EVERY: Final = "@every "
_DURATION: Final = re.compile(r"[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)")
_ANY: Final = ("*", "?")
_REMEDY: Final = 'write minute, hour, day, month and weekday, for example "0 3 * * 1-5"'


class _Field(Struct, frozen=True):
    name: str
    first: int
    last: int
    names: Mapping[str, int] = {}


def _numbered(names: str, first: int) -> dict[str, int]:
    return {name: number for number, name in enumerate(names.split(), first)}


_FIELDS: Final = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day", 1, 31),
    _Field("month", 1, 12, _numbered("jan feb mar apr may jun jul aug sep oct nov dec", 1)),
    _Field("weekday", 0, 6, _numbered("sun mon tue wed thu fri sat", 0)),
)


def check_schedule(schedule: str) -> Iterator[Violation]:
    """The first thing that is wrong with a schedule, which is not empty."""
    if schedule.startswith(("TZ=", "CRON_TZ=")) or " TZ=" in schedule:
        yield invalid("a schedule names no time zone", "write it into `timeZone`")
        return
    if schedule.startswith("@"):
        if schedule not in _WORDS and not _is_interval(schedule):
            yield invalid(f'"{schedule}" is no schedule', f"write one of {', '.join(sorted(_WORDS))}")
        return
    parts = schedule.split()
    if len(parts) != len(_FIELDS):
        yield invalid(f"a schedule has five fields, not {len(parts)}", _REMEDY)
        return
    wrong = next((one for text, one in zip(parts, _FIELDS, strict=True) if not _is_sound(text, one)), None)
    if wrong is not None:
        yield invalid(f"the {wrong.name} cannot be read or is not {wrong.first} to {wrong.last}", _REMEDY)


def _is_interval(schedule: str) -> bool:
    return schedule.startswith(_EVERY) and _DURATION.fullmatch(schedule.removeprefix(_EVERY)) is not None


def _is_sound(text: str, of: _Field) -> bool:
    return all(_is_range(part, of) for part in text.split(",") if part)


def _is_range(text: str, of: _Field) -> bool:
    """`*`, `1`, `1-5`, each with `/STEP`; a step behind a single number goes on to the end."""
    spoken, *steps = text.split("/")
    low, *highs = spoken.split("-")
    if len(steps) > 1 or not all(step.isascii() and step.isdigit() and int(step) > 0 for step in steps):
        return False
    if low in _ANY:
        return True
    ends = [_number(end, of) for end in (low, *highs)]
    if len(ends) > 2 or any(end is None or not of.first <= end <= of.last for end in ends):
        return False
    return ends == sorted(end for end in ends if end is not None)


def _number(text: str, of: _Field) -> int | None:
    named = of.names.get(text.lower())
    if named is not None:
        return named
    return int(text) if text.isascii() and text.isdigit() else None
