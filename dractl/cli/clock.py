"""What time it is: as the user says, or by the clock, which is read once."""

from datetime import UTC, datetime

from dractl.api.times import parse_time
from dractl.errors import UsageError


def moment(text: str | None) -> datetime:
    """The moment of `--now`, or the present one. Raises UsageError for a text that is none."""
    if text is None:
        return datetime.now(UTC)
    try:
        return parse_time(text)
    except ValueError:
        raise UsageError(f"--now {text} is not a time", "write it like 2026-01-31T12:00:00Z") from None
