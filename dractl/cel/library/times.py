"""Durations and timestamps: reading, writing, and their parts."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dractl.cel.declarations import Overload, method
from dractl.cel.library.operators import NANOS, TIMESTAMP_MAX, TIMESTAMP_MIN, as_duration
from dractl.cel.types import DURATION, INT, STRING, TIMESTAMP
from dractl.cel.values import Duration, Fault, Timestamp, Value

_UNITS: Final = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,
    "μs": 1_000,
    "ms": 1_000_000,
    "s": NANOS,
    "m": 60 * NANOS,
    "h": 3600 * NANOS,
}
_DURATION_PART: Final = re.compile(r"(?P<whole>[0-9]*)(?P<fraction>\.[0-9]*)?(?P<unit>ns|us|µs|μs|ms|s|m|h)")
_TIMESTAMP: Final = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))", re.ASCII
)
_OFFSET: Final = re.compile(r"([+-]?)(\d{1,2}):(\d{2})", re.ASCII)
_FOUR_CENTURIES: Final = 146_097 * 86_400
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NOT_A_TIMESTAMP: Final = Fault("type conversion error from 'string' to 'google.protobuf.Timestamp'")
_NOT_A_DURATION: Final = Fault("type conversion error from 'string' to 'google.protobuf.Duration'")


def parse_duration(text: str) -> Value:
    """`1h30m`, `-1.5s`, `0`: numbers with units, in any order; a fraction finer than a nanosecond is cut."""
    sign = -1 if text.startswith("-") else 1
    rest = text[1:] if text[:1] in ("+", "-") else text
    if rest == "0":
        return Duration(0)
    total, end = 0, 0
    while end < len(rest):
        part = _DURATION_PART.match(rest, end)
        digits = "" if part is None else part["whole"] + (part["fraction"] or "").lstrip(".")
        if part is None or not digits:
            return _NOT_A_DURATION
        decimals = len(digits) - len(part["whole"])
        total += int(digits) * _UNITS[part["unit"]] // 10**decimals
        end = part.end()
    found = as_duration(sign * total) if rest else _NOT_A_DURATION
    return _NOT_A_DURATION if isinstance(found, Fault) else found


def duration_text(length: Duration) -> str:
    """Seconds with as many decimals as needed: `90s`, `1.5s`."""
    return f"{_decimal(length.nanoseconds)}s"


def _decimal(nanoseconds: int) -> str:
    whole, rest = divmod(abs(nanoseconds), NANOS)
    fraction = f".{rest:09d}".rstrip("0") if rest else ""
    return f"{'-' if nanoseconds < 0 else ''}{whole}{fraction}"


def parse_timestamp(text: str) -> Value:
    """RFC 3339: `2026-01-02T03:04:05.5+02:00`."""
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return _NOT_A_TIMESTAMP
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    try:
        days = date(year, month, day).toordinal() - date(1970, 1, 1).toordinal()
    except ValueError:
        return _NOT_A_TIMESTAMP
    if hour > 23 or minute > 59 or second > 59:
        return _NOT_A_TIMESTAMP
    offset = 0
    if match[8]:
        if int(match[9]) > 24 or int(match[10]) > 60:
            return _NOT_A_TIMESTAMP
        offset = (int(match[9]) * 60 + int(match[10])) * (-60 if match[8] == "-" else 60)
    seconds = days * 86400 + hour * 3600 + minute * 60 + second - offset
    nanoseconds = seconds * NANOS + int((match[7] or "")[:9].ljust(9, "0"))
    if not TIMESTAMP_MIN <= nanoseconds <= TIMESTAMP_MAX:
        return Fault("timestamp overflow")
    return Timestamp(nanoseconds, offset)


def timestamp_text(moment: Timestamp) -> str:
    """RFC 3339 in the zone that the moment was written in, with as many decimals as needed."""
    seconds, rest = divmod(moment.nanoseconds, NANOS)
    fraction = f".{rest:09d}".rstrip("0") if rest else ""
    # The local year may be 0 or 10000, which datetime does not know: 400 years are always as long.
    cycles, seconds = divmod(seconds + moment.offset, _FOUR_CENTURIES)
    local = _EPOCH + timedelta(seconds=seconds)
    return f"{local.year + 400 * cycles:04d}-{local:%m-%dT%H:%M:%S}{fraction}{_zone_text(moment.offset)}"


def _zone_text(offset: int) -> str:
    hours, minutes = divmod(abs(offset) // 60, 60)
    return f"{'-' if offset < 0 else '+'}{hours:02d}:{minutes:02d}" if offset else "Z"


def _local(moment: Timestamp, zone: str) -> datetime | Fault:
    """The moment on the clock of a zone: a name of the time zone database, or an offset like `+02:00` of any size."""
    utc = _EPOCH + timedelta(seconds=moment.nanoseconds // NANOS)
    offset = _OFFSET.fullmatch(zone)
    try:
        if offset:
            minutes = int(offset[2]) * 60 + int(offset[3])
            return utc + timedelta(minutes=-minutes if offset[1] == "-" else minutes)
        return utc if zone in ("", "UTC") else utc.astimezone(ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return Fault(f"unknown time zone {zone}")
    except OverflowError:
        return Fault("timestamp overflow")


_PARTS: Final[dict[str, Callable[[datetime], int]]] = {
    "getFullYear": lambda local: local.year,
    "getMonth": lambda local: local.month - 1,
    "getDayOfYear": lambda local: local.timetuple().tm_yday - 1,
    "getDayOfMonth": lambda local: local.day - 1,
    "getDate": lambda local: local.day,
    "getDayOfWeek": lambda local: local.isoweekday() % 7,
    "getHours": lambda local: local.hour,
    "getMinutes": lambda local: local.minute,
    "getSeconds": lambda local: local.second,
}


def _part(read: Callable[[datetime], int]) -> Callable[..., Value]:
    def part(moment: Timestamp, zone: str = "UTC") -> Value:
        local = _local(moment, zone)
        return local if isinstance(local, Fault) else read(local)

    return part


def _milliseconds(moment: Timestamp, zone: str = "UTC") -> Value:
    local = _local(moment, zone)
    return local if isinstance(local, Fault) else moment.nanoseconds % NANOS // 1_000_000


def _length_in(unit: int) -> Callable[[Duration], int]:
    """The whole length in a unit, cut towards zero (cel.md, Libraries)."""

    def length(duration: Duration) -> int:
        whole = abs(duration.nanoseconds) // unit
        return whole if duration.nanoseconds >= 0 else -whole

    return length


_TIMESTAMP_PARTS: Final = {**{name: _part(read) for name, read in _PARTS.items()}, "getMilliseconds": _milliseconds}

OVERLOADS: Final[list[Overload]] = [
    *[method(name, (TIMESTAMP,), INT, part) for name, part in _TIMESTAMP_PARTS.items()],
    *[method(name, (TIMESTAMP, STRING), INT, part) for name, part in _TIMESTAMP_PARTS.items()],
    method("getHours", (DURATION,), INT, _length_in(3600 * NANOS)),
    method("getMinutes", (DURATION,), INT, _length_in(60 * NANOS)),
    method("getSeconds", (DURATION,), INT, _length_in(NANOS)),
    method("getMilliseconds", (DURATION,), INT, _length_in(1_000_000)),
]
