"""Semantic versions (cel.md, Libraries)."""

import re
from typing import Final

from dractl.api.version import Version
from dractl.cel.declarations import Overload, function, method
from dractl.cel.library.operators import INT_MAX
from dractl.cel.types import BOOL, INT, SEMVER, STRING
from dractl.cel.values import Fault, Value, register_object

register_object(Version, SEMVER.name, is_hashable=False)

_LEADING_ZEROS: Final = re.compile(r"0+(?=\d)")


def _normalised(text: str) -> str:
    """`v1.2` to `1.2.0`: a `v` in front goes, leading zeros go, missing numbers are zero."""
    parts = text.removeprefix("v").split(".", 2)
    for number, part in enumerate(parts):
        parts[number] = _LEADING_ZEROS.sub("", part, count=1) if part[:1] == "0" else part
    if len(parts) < 3 and not any(mark in parts[-1] for mark in "+-"):
        parts += ["0"] * (3 - len(parts))
    return ".".join(parts)


def _semver(text: str, normalise: bool = False) -> Value:
    try:
        return Version.parse(_normalised(text) if normalise else text)
    except ValueError as wrong:
        return Fault(str(wrong))


def _is_semver(text: str, normalise: bool = False) -> bool:
    return isinstance(_semver(text, normalise), Version)


def _number(number: int) -> int:
    """A part of a version as an int; parts are 64-bit numbers without a sign."""
    return number if number <= INT_MAX else number - 2**64


def _order(left: Version, right: Version) -> int:
    # Most pairs differ in their numbers; only then need the rest be looked at.
    one, other = (left.major, left.minor, left.patch), (right.major, right.minor, right.patch)
    if one == other and (left.pre or right.pre):
        return 0 if left == right else -1 if left < right else 1
    return (one > other) - (one < other)


OVERLOADS: Final[list[Overload]] = [
    function("semver", (STRING,), SEMVER, _semver),
    function("semver", (STRING, BOOL), SEMVER, _semver),
    function("isSemver", (STRING,), BOOL, _is_semver),
    function("isSemver", (STRING, BOOL), BOOL, _is_semver),
    method("major", (SEMVER,), INT, lambda version: _number(version.major)),
    method("minor", (SEMVER,), INT, lambda version: _number(version.minor)),
    method("patch", (SEMVER,), INT, lambda version: _number(version.patch)),
    method("isLessThan", (SEMVER, SEMVER), BOOL, lambda left, right: _order(left, right) < 0),
    method("isGreaterThan", (SEMVER, SEMVER), BOOL, lambda left, right: _order(left, right) > 0),
    method("compareTo", (SEMVER, SEMVER), INT, _order),
]
