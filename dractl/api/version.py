"""Semantic versions (semver 2.0.0) as device attributes carry them."""

import re
from functools import total_ordering
from typing import Final, Self

from msgspec import Struct

_NUMBER: Final = r"(?:0|[1-9]\d*)"
_IDENTIFIER: Final = r"(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)"
_GRAMMAR: Final = re.compile(
    rf"(?P<major>{_NUMBER})\.(?P<minor>{_NUMBER})\.(?P<patch>{_NUMBER})"
    rf"(?:-(?P<pre>{_IDENTIFIER}(?:\.{_IDENTIFIER})*))?"
    r"(?:\+(?P<build>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?",
    re.ASCII,
)
_UINT64_MAX: Final = 2**64 - 1


@total_ordering
class Version(Struct, frozen=True, eq=False):
    """A version. Precedence, and so equality, ignores build metadata (semver.org §10)."""

    major: int
    minor: int
    patch: int
    pre: tuple[str, ...] = ()
    build: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a version; raises ValueError when the text is none."""
        match = _GRAMMAR.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is not a semantic version like 1.2.3")
        major, minor, patch = int(match["major"]), int(match["minor"]), int(match["patch"])
        if max(major, minor, patch) > _UINT64_MAX:
            raise ValueError(f"a number in {text!r} is too large")
        pre = tuple(match["pre"].split(".")) if match["pre"] else ()
        build = tuple(match["build"].split(".")) if match["build"] else ()
        return cls(major, minor, patch, pre, build)

    def _precedence(self) -> tuple[int, int, int, bool, tuple[tuple[bool, int, str], ...]]:
        pre = tuple((not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in self.pre)
        return self.major, self.minor, self.patch, not self.pre, pre

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._precedence() == other._precedence()

    def __lt__(self, other: "Version") -> bool:
        return self._precedence() < other._precedence()

    def __hash__(self) -> int:
        return hash(self._precedence())

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        if self.pre:
            text += "-" + ".".join(self.pre)
        return text + "+" + ".".join(self.build) if self.build else text
