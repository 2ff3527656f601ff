"""What the API server would refuse, as values."""

from dataclasses import dataclass
from enum import StrEnum

from dractl.errors import FieldPath


class ViolationType(StrEnum):
    """Kubernetes' names for what can be wrong (validation.md §2)."""

    REQUIRED = "FieldValueRequired"
    INVALID = "FieldValueInvalid"
    FORBIDDEN = "FieldValueForbidden"
    NOT_FOUND = "FieldValueNotFound"
    NOT_SUPPORTED = "FieldValueNotSupported"
    TOO_LONG = "FieldValueTooLong"
    TOO_MANY = "FieldValueTooMany"
    DUPLICATE = "FieldValueDuplicate"


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: `path` begins at the object's root and is that of v1."""

    path: FieldPath
    type: ViolationType
    message: str
    remedy: str = ""

    def below(self, *steps: str | int) -> "Violation":
        """The same violation, seen from the object that holds the checked part under these steps."""
        return Violation(steps + self.path, self.type, self.message, self.remedy)
