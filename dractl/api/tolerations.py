"""When a toleration answers a taint; taints of nodes and of devices alike (dra.md §15, taints.md §2)."""

from collections.abc import Iterable
from typing import Final

from dractl.api.base import Taint, Toleration

REPELLING: Final = ("NoSchedule", "NoExecute")
"""The effects that keep pods and claims away; all others only advise."""

OPERATORS: Final = ("", "Equal", "Exists")
"""Of tolerations of devices; an absent one means `Equal`."""


def tolerates(toleration: Toleration, taint: Taint) -> bool:
    """Whether the toleration matches: an empty key or effect matches all, an absent operator means `Equal`."""
    if toleration.effect not in ("", taint.effect) or toleration.key not in ("", taint.key):
        return False
    if toleration.operator == "Exists":
        return True
    return toleration.operator in ("", "Equal") and toleration.value == taint.value


def untolerated(taints: Iterable[Taint], tolerations: Iterable[Toleration]) -> Taint | None:
    """The first taint that repels, if no toleration answers it."""
    known = tuple(tolerations)
    return next(
        (taint for taint in taints if taint.effect in REPELLING and not any(tolerates(each, taint) for each in known)),
        None,
    )
