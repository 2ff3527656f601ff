"""One mistake, one fault: a field that is misspelt or out of place is not reported as missing as well."""

from collections.abc import Iterable
from typing import Final

from dractl.errors import FieldPath, Origin, Place
from dractl.near_misses import nearest_word
from dractl.validation.violation import Violation, ViolationType


class Mistakes:
    """Places of faults that are told already: unknown fields, a missing name."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._paths: Final[dict[Origin, list[FieldPath]]] = {}
        for place in places:
            self._paths.setdefault(place.origin, []).append(place.path)

    def explain(self, place: Place, violation: Violation) -> bool:
        """Whether a violation at this place may be nothing but what follows from one of the mistakes."""
        return any(_follows(place.path, path, violation) for path in self._paths.get(place.origin, ()))


def _follows(here: FieldPath, mistake: FieldPath, violation: Violation) -> bool:
    if here in (mistake, mistake[:-1]) or here[:-1] == mistake:
        return True
    if not here or not mistake:
        return False
    parent, name = mistake[:-1], mistake[-1]
    if _is_one_of(name, violation.wants):
        return True
    below = here[len(parent) :] if here[: len(parent)] == parent else ()
    if _is_one_of(name, below[:1]) or name in below[:-1]:
        return True  # misspelt, or it belongs further down and stands further up
    return violation.type is ViolationType.REQUIRED and (here[:-1] == parent or here[-1] == name)


def _is_one_of(name: str | int, fields: FieldPath) -> bool:
    """Whether a field that there is not may be one of these, spelt in another way."""
    known = [field for field in fields if isinstance(field, str)]
    return name in known or (isinstance(name, str) and bool(nearest_word(name, known)))
