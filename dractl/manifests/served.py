"""In which versions a release of Kubernetes has a kind, and which of them it serves by default (gates.md §3)."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from dractl.gates.table import RELEASES

DRA: Final = "resource.k8s.io"
SCHEDULING: Final = "scheduling.k8s.io"
NEWEST_RELEASE: Final = RELEASES[-1]


class Serving(Enum):
    """What an API server does with a version of a kind; the value is the mark in the table."""

    BY_DEFAULT = "+"
    ON_REQUEST = "-"
    NOT_AT_ALL = "–"


_DEVICES: Final = ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice")
_GROUPS: Final = ("PodGroup", "Workload")

# By group, kinds and version, newest first, the releases 1.34 … 1.37.
_ROWS: Final[tuple[tuple[str, tuple[str, ...], str, str], ...]] = (
    (DRA, _DEVICES, "v1", "+ + + +"),
    (DRA, _DEVICES, "v1beta2", "- - - -"),
    (DRA, _DEVICES, "v1beta1", "- - - -"),
    (DRA, ("DeviceTaintRule",), "v1", "– – – +"),
    (DRA, ("DeviceTaintRule",), "v1beta2", "– – - -"),
    (DRA, ("DeviceTaintRule",), "v1alpha3", "- - - -"),
    (DRA, ("ResourcePoolStatusRequest",), "v1alpha3", "– – - -"),
    (SCHEDULING, _GROUPS, "v1beta1", "– – – -"),
    (SCHEDULING, _GROUPS, "v1alpha3", "– – – -"),
    (SCHEDULING, _GROUPS, "v1alpha2", "– – - –"),
    (SCHEDULING, _GROUPS, "v1alpha1", "– - – –"),
)
_SERVED: Final[Mapping[tuple[str, str], Mapping[str, Mapping[str, Serving]]]] = MappingProxyType(
    {
        (group, kind): {
            version: dict(zip(RELEASES, map(Serving, marks.split()), strict=True))
            for of_group, kinds, version, marks in _ROWS
            if of_group == group and kind in kinds
        }
        for group, kinds_of_row, _, _ in _ROWS
        for kind in kinds_of_row
    }
)
"""By group and kind, by version, by release."""


def serving(group: str, kind: str, version: str, release: str) -> Serving:
    """What becomes of a version; kinds that are not in the table are served by default, as ever."""
    versions = _SERVED.get((group, kind))
    if versions is None:
        return Serving.BY_DEFAULT
    return versions[version][release] if version in versions else Serving.NOT_AT_ALL


def versions_in(group: str, kind: str, release: str) -> tuple[str, ...] | None:
    """The versions of a kind that a release has, newest first; None of a kind that every release has alike."""
    versions = _SERVED.get((group, kind))
    if versions is None:
        return None
    return tuple(version for version, marks in versions.items() if marks[release] is not Serving.NOT_AT_ALL)


def first_release(group: str, kind: str) -> str:
    """The first of the known releases that has the kind in any version."""
    return next((release for release in RELEASES if versions_in(group, kind, release) != ()), NEWEST_RELEASE)
