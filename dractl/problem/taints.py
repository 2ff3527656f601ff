"""Which taints of a device a request does not tolerate (dra.md §15)."""

from collections.abc import Iterable
from typing import Final

from dractl.api.base import Taint, Toleration

_EFFECTIVE: Final = ("NoSchedule", "NoExecute")


def untolerated(taints: Iterable[Taint], tolerations: Iterable[Toleration]) -> Taint | None:
    """The first taint that keeps the device from being allocated; effects other than these two are ignored."""
    known = tuple(tolerations)
    return next((taint for taint in taints if taint.effect in _EFFECTIVE and not _tolerated(taint, known)), None)


def _tolerated(taint: Taint, tolerations: Iterable[Toleration]) -> bool:
    return any(_matches(toleration, taint) for toleration in tolerations)


def _matches(toleration: Toleration, taint: Taint) -> bool:
    if toleration.effect not in ("", taint.effect) or toleration.key not in ("", taint.key):
        return False
    if toleration.operator == "Exists":
        return True
    return toleration.operator in ("", "Equal") and toleration.value == taint.value
