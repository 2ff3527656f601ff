"""How a plan is looked at: whose pods, where lines are looked up, how wide, in which colours."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from dractl.api.identities import PodRef
from dractl.errors import Place, Position, path_text
from dractl.finding import Finding

Locate: TypeAlias = Callable[[Place], Position | None]
"""Line and column of a place, or None if the document is not at hand."""


class Spot(Struct, frozen=True):
    """Where a finding is in a file, and the field that it is about."""

    file: str
    line: int
    column: int
    length: int
    field: str = ""


class View(Struct, frozen=True):
    """`namespace` restricts what is shown, never what is planned; `width` None means as wide as needed."""

    locate: Locate
    namespace: str | None = None
    width: int | None = None
    is_coloured: bool = False

    def shows(self, pod: PodRef) -> bool:
        """Whether the pod is to be shown."""
        return self.namespace is None or pod.namespace == self.namespace

    def spot(self, finding: Finding) -> Spot | None:
        """Where the finding is; None if it is about the input as a whole."""
        place = finding.place
        if place is None:
            return None
        position = finding.position or self.locate(place) or Position(place.origin.line, 1)
        return Spot(place.origin.file, position.line, position.column, position.length, path_text(place.path))

    def place_text(self, place: Place | None) -> str:
        """The place as `FILE:LINE`, which editors and terminals can open."""
        if place is None:
            return ""
        position = self.locate(place)
        return f"{place.origin.file}:{position.line if position else place.origin.line}"
