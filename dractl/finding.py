"""What a check says about one place of the input."""

from enum import IntEnum

from msgspec import Struct

from dractl.errors import Place, Position


class Severity(IntEnum):
    """How much a finding matters; ordered, so that a threshold can be compared."""

    INFO = 1
    WARNING = 2
    ERROR = 3


class Finding(Struct, frozen=True):
    """One remark about the input: `rule` is a stable id such as `reading/local-tag`, `subject` names the object.

    `position` is set where the text itself is broken, so that no place can be looked up in it.
    """

    rule: str
    severity: Severity
    message: str
    place: Place | None = None
    subject: str = ""
    remedy: str = ""
    position: Position | None = None
