"""Moments as the API writes them (RFC 3339)."""

from datetime import UTC, datetime


def parse_time(text: str) -> datetime:
    """The moment that a text names. Raises ValueError for a text that is no moment, or lacks the time zone."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return moment.astimezone(UTC)


def time_text(moment: datetime) -> str:
    """`2026-01-31T12:00:00Z`, whole seconds in UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
