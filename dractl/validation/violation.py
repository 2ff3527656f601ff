"""What the API server would refuse, as values."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from dractl.errors import FieldPath, TextSpot


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


class Violation(Struct, frozen=True):
    """One broken rule: `path` begins at the object's root and is that of v1.

    `is_declared` tells the rules that the server declares on each version from those that it has written once for all:
    the former are reported with the paths of the object's own version (`dractl.validation.paths`).
    `is_certain` is false where the input does not bring what decides, so that a cluster may say otherwise.
    `is_echo` marks what the server says besides, and what vanishes with another violation. `written_at` is where the
    field stands in the document, if that is not where the server says; `at_key` means its name, not its value.
    `within` is the character that is meant of a text. `wants` names fields of which one is missing or lacks an entry.
    `is_cut` is whether long keys of maps are cut in the path; declared rules never cut any.
    """

    path: FieldPath
    type: ViolationType
    message: str
    remedy: str = ""
    is_declared: bool = False
    is_certain: bool = True
    is_echo: bool = False
    written_at: FieldPath | None = None
    at_key: bool = False
    within: TextSpot | None = None
    wants: tuple[str, ...] = ()
    is_cut: bool = True

    def below(self, *steps: str | int) -> "Violation":
        """The same violation, seen from the object that holds the checked part under these steps."""
        written_at = None if self.written_at is None else steps + self.written_at
        return replace(self, path=steps + self.path, written_at=written_at)

    @property
    def place(self) -> FieldPath:
        """Where the user finds the field, from the object's root."""
        return self.path if self.written_at is None else self.written_at


def below(violations: Iterable[Violation], *steps: str | int) -> Iterator[Violation]:
    """Violations of a part, seen from the object that holds it under these steps."""
    for violation in violations:
        yield violation.below(*steps)


def invalid(message: str, remedy: str = "", *path: str | int) -> Violation:
    """A value that cannot be."""
    return Violation(path, ViolationType.INVALID, message, remedy)


def of_key(what: str, key: str, flaws: Iterable[Violation]) -> Iterator[Violation]:
    """Flaws of a key in a map, or of what stands there, which the server reports at the map."""
    for flaw in flaws:
        yield Violation((), flaw.type, f"{what} {key!r}: {flaw.message}", flaw.remedy, written_at=(key,), at_key=True)


def set_together(fields: Sequence[str], remedy: str = "keep one of them") -> Violation:
    """Fields that exclude each other; the server names the object that has them, here it is the last of them."""
    message = f"{' and '.join(f'`{field}`' for field in fields)} are set together"
    return Violation((), ViolationType.INVALID, message, remedy, written_at=(fields[-1],), at_key=True)


def echoes(violations: Iterable[Violation]) -> Iterator[Violation]:
    """The same violations, as what vanishes with others."""
    for violation in violations:
        yield replace(violation, is_echo=True)


def declared(violations: Iterable[Violation]) -> Iterator[Violation]:
    """The same violations, found by rules that the server declares on each version (validation.md §2)."""
    for violation in violations:
        yield replace(violation, is_declared=True)


def only_declared(violations: Iterable[Violation]) -> Iterator[Violation]:
    """What declared rules have found: what remains where written rules look no further."""
    return (violation for violation in violations if violation.is_declared)


def only_written(violations: Iterable[Violation]) -> Iterator[Violation]:
    """What written rules have found: what remains where declared rules look no further."""
    return (violation for violation in violations if not violation.is_declared)
