"""How the server names the field of a violation (validation.md §1 "Paths in errors", §2).

Written rules look at the object after conversion and always report paths of v1. Declared rules look at the object as it
was sent: in resource.k8s.io/v1beta1 what stands below `exactly` in v1 stands in the request itself, and what stands in
a device of a slice stands below `basic`.
"""

from typing import Final

from dractl.errors import FieldPath
from dractl.validation.violation import Violation

_FLAT_VERSION: Final = "resource.k8s.io/v1beta1"
MOST_OF_KEY: Final = 96
_MAPS: Final = {"attributes": MOST_OF_KEY, "capacity": MOST_OF_KEY, "nodeAllocatableResources": None}
"""Maps in the devices of slices, and how many bytes of a key written rules show."""
_AMOUNTS: Final = frozenset(
    {"limits", "requests", "hard", "max", "min", "default", "defaultRequest", "maxLimitRequestRatio"}
)
"""Maps of amounts in pods, quotas and limit ranges; those of nodes are written with a dot."""
_WITH_AMOUNTS: Final = frozenset(
    {
        "Pod",
        "ReplicationController",
        "ReplicaSet",
        "Deployment",
        "StatefulSet",
        "DaemonSet",
        "Job",
        "CronJob",
        "ResourceQuota",
        "LimitRange",
        "RuntimeClass",
    }
)
_CUT: Final = "..."


def reported_field(violation: Violation, kind: str, version: str) -> str:
    """The field of an object of this kind in the server's words; `version` is the apiVersion as it was written."""
    path = violation.path
    if violation.is_declared and version == _FLAT_VERSION:
        path = _with_basic(path) if kind == "ResourceSlice" else _without_exactly(path)
    text = ""
    before: str | int = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif kind == "ResourceSlice" and before in _MAPS:
            is_whole = violation.is_declared or not violation.is_cut
            text += f"[{step if is_whole else shortened(step, _MAPS[before])}]"
        elif not step or (before in _AMOUNTS and kind in _WITH_AMOUNTS):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
        before = step
    return text


def _with_basic(path: FieldPath) -> FieldPath:
    is_in_device = len(path) > 3 and path[:2] == ("spec", "devices") and path[3] != "name"
    return (*path[:3], "basic", *path[3:]) if is_in_device else path


def _without_exactly(path: FieldPath) -> FieldPath:
    if "exactly" not in path:
        return path
    at = path.index("exactly")
    return path[:at] + path[at + 1 :]


def shortened(key: str, limit: int | None) -> str:
    """A key cut in its middle to so many bytes: its beginning and its end are left."""
    encoded = key.encode()
    if limit is None or len(encoded) <= limit:
        return key
    room = limit - len(_CUT)
    head, tail = encoded[: room - room // 2], encoded[len(encoded) - room // 2 :]
    return head.decode(errors="replace") + _CUT + tail.decode(errors="replace")
