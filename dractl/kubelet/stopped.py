"""When the kubelet itself stops: faults of the release that hang or crash it (kubelet.md §13)."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from dractl.kubelet.faults import KubeletFault


class Stop(StrEnum):
    """How the kubelet stops."""

    HANG = "hang"
    CRASH = "crash"


class Stopped(Struct, frozen=True):
    """The kubelet never answers for a pod, or crashes on it; nothing can be said about what follows."""

    how: Stop
    fault: KubeletFault
    detail: str


class KubeletStopped(Exception):
    """Carries a `Stopped` out of the depth of an algorithm; `admit` turns it into the value."""

    def __init__(self, how: Stop, fault: KubeletFault, detail: str) -> None:
        super().__init__(f"{how}: {detail}")
        self.stopped: Final = Stopped(how, fault, detail)
